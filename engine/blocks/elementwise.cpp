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

PortSpec vector_port(std::string name, bool side = false) {
  return {.name = std::move(name), .shape = "... dim", .element = ElementClass::real, .side = side};
}

ParamSpec dim_param() { return size_param("dim", "width of the last axis"); }

}  // namespace

BlockSpec add_block() {
  return {
      .type = "add",
      .category = Category::elementwise,
      .docs = {.title = "sum", .summary = "Adds two tensors.", .formula = "y = a + b"},
      .params = {dim_param()},
      .ports = {.inputs = {vector_port("a"), vector_port("b", true)},
                .outputs = {vector_port("y")}},
      .forms = {.work = work, .lower = lower_add},
  };
}

BlockSpec mul_block() {
  return {
      .type = "mul",
      .category = Category::elementwise,
      .docs = {.title = "product",
               .summary = "Multiplies two tensors element by element.",
               .formula = "y = a b"},
      .params = {dim_param()},
      .ports = {.inputs = {vector_port("a"), vector_port("b", true)},
                .outputs = {vector_port("y")}},
      .forms = {.work = work, .saves = {"a", "b"}, .lower = lower_mul},
  };
}

BlockSpec gate_block() {
  return {
      .type = "gate",
      .category = Category::elementwise,
      .docs = {.title = "gate",
               .summary = "Multiplies each vector by one number of its own.",
               .formula = "y = g x"},
      .params = {dim_param()},
      .ports = {.inputs = {vector_port("x"),
                           {.name = "g", .shape = "... 1", .element = ElementClass::real}},
                .outputs = {vector_port("y")}},
      .forms = {.work = work, .saves = {"x", "g"}, .lower = lower_gate},
  };
}

BlockSpec scale_block() {
  return {
      .type = "scale",
      .category = Category::elementwise,
      .docs = {.title = "scale", .summary = "Multiplies by a fixed number.", .formula = "y = by x"},
      .params = {dim_param(), number_param("by", 1, "the number")},
      .ports = {.inputs = {vector_port("x")}, .outputs = {vector_port("y")}},
      .forms = {.work = work, .lower = lower_scale},
  };
}

}  // namespace roofbeam
