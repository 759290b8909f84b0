#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y[..., out] = x[..., in] * W[in, out] (+ bias)
double weights(const Arguments& a) {
  const double bias = a.flag("bias") ? a.number("out_features") : 0;
  return a.number("in_features") * a.number("out_features") + bias;
}

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.matrix = matmul_flops(1, a.number("in_features"), a.number("out_features"))};
}

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  const std::vector<Extent>& y = context.outputs[0];
  const Projection projection{.m = rows(x), .k = x.back(), .n = y.back(), .bias = a.flag("bias")};
  return {view_of("view", context, x, {projection.m, projection.k}), matmul(context, projection),
          view_of("view", context, {projection.m, projection.n}, y)};
}

}  // namespace

BlockSpec linear_block() {
  return {
      .type = "linear",
      .category = Category::linear,
      .docs = {.title = "linear layer",
               .summary = "Multiplies the last axis by a trained matrix.",
               .formula = "y = x W (+ b)"},
      .params = {size_param("in_features", "width of the input"),
                 size_param("out_features", "width of the output"),
                 flag_param("bias", false, "adds a trained vector")},
      .ports =
          {.inputs = {{.name = "x", .shape = "... in_features", .element = ElementClass::real}},
           .outputs = {{.name = "y", .shape = "... out_features", .element = ElementClass::real}}},
      .forms = {.weights = weights,
                .work = work,
                .saves = {"x"},
                .lower = lower,
                .autocast = Autocast::half},
  };
}

}  // namespace roofbeam
