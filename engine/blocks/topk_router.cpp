#include "engine/blocks/constraints.h"
#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// weights = the top_k largest of softmax(x W (+ b)), summing to one if normalised. A correction
// bias is added to choose, and left out of the weights.
double weights(const Arguments& a) {
  const double experts = a.number("experts");
  const int biases = (a.flag("bias") ? 1 : 0) + (a.flag("correction_bias") ? 1 : 0);
  return (a.number("d_model") + biases) * experts;
}

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.matrix = matmul_flops(1, a.number("d_model"), a.number("experts"))};
}

// Scores are compared in fp32 between two casts.
std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  constexpr double kSoftmaxOperations = 5;  // maximum, difference, exponential, sum, quotient
  const std::vector<Extent>& x = context.inputs[0];
  const std::vector<Extent>& y = context.outputs[0];
  const Projection projection{
      .m = rows(x), .k = x.back(), .n = whole(a.number("experts")), .bias = a.flag("bias")};
  const Tensor scores = single_tensor({projection.m, projection.n});
  const Tensor chosen = single_tensor({projection.m, y.back()});
  const Tensor sum = single_tensor({projection.m, 1});
  std::vector<Operator> operators{
      view_of("view", context, x, {projection.m, projection.k}),
      matmul(context, projection),
      {.name = "_to_copy", .reads = {activation_tensor(context, scores.shape)}, .writes = {scores}},
      broadcast("_softmax", {scores}, scores, kSoftmaxOperations),
      {.name = "topk",
       .reads = {scores},
       .writes = {chosen, index_tensor(chosen.shape)},
       .work = elementwise_work(scores, elements(scores))}};
  if (a.flag("normalize")) {
    operators.push_back({.name = "sum",
                         .reads = {chosen},
                         .writes = {sum},
                         .work = elementwise_work(chosen, elements(chosen))});
    operators.push_back(broadcast("div_", {chosen, sum}, chosen, 1));
  }
  operators.push_back({.name = "_to_copy",
                       .reads = {chosen},
                       .writes = {activation_tensor(context, chosen.shape)}});
  operators.push_back(view_of("view", context, chosen.shape, y));
  return operators;
}

std::vector<Issue> check(const Arguments& a, const Scope&) {
  std::vector<Issue> issues;
  check_top_k(a, "ROUTER-01", issues);
  return issues;
}

}  // namespace

const Forms topk_router_forms = {.weights = weights, .work = work, .lower = lower, .check = check};

}  // namespace roofbeam
