#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// One operation an element: add, mul, gate and scale differ in what stands at the other side.
WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.elementwise = {a.number("dim")}};
}

std::vector<Operator> lower_add(const Arguments&, const LoweringContext& context) {
  return {pointwise("add", context, context.outputs[0], 2, 1)};
}

std::vector<Operator> lower_mul(const Arguments&, const LoweringContext& context) {
  return {pointwise("mul", context, context.outputs[0], 2, 1)};
}

std::vector<Operator> lower_gate(const Arguments&, const LoweringContext& context) {
  return {broadcast("mul",
                    {activation_tensor(context, context.inputs[0]),
                     activation_tensor(context, context.inputs[1])},
                    activation_tensor(context, context.outputs[0]), 1)};
}

std::vector<Operator> lower_scale(const Arguments&, const LoweringContext& context) {
  return {pointwise("mul", context, context.outputs[0], 1, 1)};
}

}  // namespace

const Forms add_forms = {.work = work, .lower = lower_add};

const Forms mul_forms = {.work = work, .lower = lower_mul};

const Forms gate_forms = {.work = work, .lower = lower_gate};

const Forms scale_forms = {.work = work, .lower = lower_scale};

}  // namespace roofbeam
