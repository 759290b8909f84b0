#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.elementwise = {activation_cost(a.text("kind")) * a.number("dim")}};
}

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  return activation_operators(a.text("kind"), context, context.inputs[0]);
}

}  // namespace

const Forms activation_forms = {.work = work, .lower = lower};

}  // namespace roofbeam
