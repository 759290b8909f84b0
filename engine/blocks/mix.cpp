#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y = w[0] a + w[1] b
double weights(const Arguments&) { return 2; }

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.elementwise = {3 * a.number("dim")}};
}

std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  const Tensor tensor = activation_tensor(context, context.outputs[0]);
  const Tensor share = weight_tensor(context, {1});
  return {broadcast("mul", {tensor, share}, tensor, 1),
          broadcast("mul", {tensor, share}, tensor, 1),
          broadcast("add", {tensor, tensor}, tensor, 1)};
}

}  // namespace

BlockSpec mix_block() {
  return {
      .type = "mix",
      .category = Category::elementwise,
      .docs = {.title = "mix",
               .summary = "Adds two tensors in trained proportions.",
               .formula = "y = w_a a + w_b b"},
      .params = {size_param("dim", "width of the last axis")},
      .ports = {.inputs = {{.name = "a", .shape = "... dim", .element = ElementClass::real},
                           {.name = "b", .shape = "... dim", .element = ElementClass::real}},
                .outputs = {{.name = "y", .shape = "... dim", .element = ElementClass::real}}},
      .forms = {.weights = weights, .work = work, .saves = {"a", "b"}, .lower = lower},
  };
}

}  // namespace roofbeam
