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

BlockSpec activation_block() {
  return {
      .type = "activation",
      .category = Category::elementwise,
      .docs = {.title = "activation",
               .summary = "Applies a nonlinear function to every element.",
               .formula = "y = f(x)",
               .references = {"Hendrycks and Gimpel 2016, GELU, arXiv:1606.08415",
                              "Ramachandran et al. 2017, SiLU, arXiv:1710.05941",
                              "So et al. 2021, squared ReLU, arXiv:2109.08668"}},
      .params = {size_param("dim", "width of the last axis"),
                 choice_param("kind", "silu", activation_kinds(), "which function")},
      .ports = {.inputs = {{.name = "x", .shape = "... dim", .element = ElementClass::real}},
                .outputs = {{.name = "y", .shape = "... dim", .element = ElementClass::real}}},
      .forms = {.work = work, .saves = {"x"}, .lower = lower},
  };
}

}  // namespace roofbeam
