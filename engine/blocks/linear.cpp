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

const Forms linear_forms = {.weights = weights, .work = work, .lower = lower};

}  // namespace roofbeam
