#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y = a - lambda b, lambda = exp(q1 . k1) - exp(q2 . k2) + lambda_init
double weights(const Arguments& a) { return 4 * a.number("head_dim"); }

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.elementwise = {2 * a.number("heads") * a.number("dim")}};
}

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const Extent head_dim = whole(a.number("head_dim"));
  const Tensor vector = weight_tensor(context, {head_dim});
  const Tensor product = activation_tensor(context, {head_dim});
  const Tensor scalar = activation_tensor(context, {1});
  const Tensor tensor = activation_tensor(context, context.outputs[0]);
  std::vector<Operator> operators;
  for (int pair = 0; pair < 2; ++pair) {
    operators.push_back(broadcast("mul", {vector, vector}, product, 1));
    operators.push_back({.name = "sum",
                         .reads = {product},
                         .writes = {scalar},
                         .work = elementwise_work(product, elements(product))});
    operators.push_back(broadcast("exp", {scalar}, scalar, 1));
  }
  operators.push_back(broadcast("sub", {scalar, scalar}, scalar, 1));
  operators.push_back(broadcast("add", {scalar}, scalar, 1));
  operators.push_back(broadcast("mul", {tensor, scalar}, tensor, 1));
  operators.push_back(broadcast("sub", {tensor, tensor}, tensor, 1));
  return operators;
}

}  // namespace

const Forms diff_combine_forms = {.weights = weights, .work = work, .lower = lower};

}  // namespace roofbeam
