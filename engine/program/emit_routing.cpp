#include "engine/program/emit_routing.h"

#include <utility>

namespace roofbeam {
namespace {

std::vector<Extent> with_last_axis(std::vector<Extent> shape, Extent last) {
  shape.back() = last;
  return shape;
}

// The best `k` of the last axis, and where they stand.
std::pair<Tensor, Tensor> top(Emitter& e, const Tensor& scores, Extent k, bool unsorted = false) {
  const std::vector<Extent> shape = with_last_axis(scores.shape, k);
  Operator op = plain("topk", {scores}, e.fresh(scores.dtype, shape),
                      "%," + std::to_string(k) + (unsorted ? ",-1,True,False" : ""));
  op.writes.push_back(e.index(shape));
  std::pair<Tensor, Tensor> result{op.writes[0], op.writes[1]};
  e.add(std::move(op));
  return result;
}

Tensor sum_of_last(Emitter& e, const Tensor& x) {
  return e.apply("sum", {x}, x.dtype, with_last_axis(x.shape, 1), "%,(-1),True");
}

Tensor divided_in_place(Emitter& e, const Tensor& x, const Tensor& by) {
  Operator op = plain("div_", {x, by}, x);
  op.reads.front().updated = true;
  e.add(std::move(op));
  return x;
}

Tensor gathered(Emitter& e, const Tensor& from, const Tensor& where, std::string_view axis) {
  return e.apply("gather", {from, where}, from.dtype, where.shape, "%," + std::string(axis) + ",%");
}

Tensor normalized(Emitter& e, const Routing& routing, const Tensor& weights) {
  return routing.normalize ? divided_in_place(e, weights, sum_of_last(e, weights)) : weights;
}

Routes by_softmax(Emitter& e, const Routing& routing, const Tensor& scores) {
  const Tensor single = e.cast(scores, Dtype::fp32, true);
  const Tensor shares = e.apply("_softmax", {single}, "%,-1,False");
  auto [best, where] = top(e, shares, routing.top_k);
  return {e.cast(normalized(e, routing, best), e.settings().dtype), where};
}

Routes by_fused_gate(Emitter& e, const Routing& routing, const Tensor& scores) {
  const std::vector<Extent> shape = with_last_axis(scores.shape, routing.top_k);
  Operator op = plain("moe_gating_top_k_softmax", {scores}, e.fresh(scores.dtype, shape),
                      "%," + std::to_string(routing.top_k));
  op.writes.push_back(e.index(shape));
  const Tensor best = op.writes[0];
  const Tensor where = op.writes[1];
  e.add(std::move(op));
  if (routing.correction_bias) (void)e.weight(e.settings().dtype, {routing.experts});
  return {e.cast(normalized(e, routing, best), e.settings().dtype), where};
}

Routes by_sigmoid(Emitter& e, const Routing& routing, const Tensor& scores) {
  const Tensor single = e.cast(scores, Dtype::fp32);
  const Tensor shares = e.apply("sigmoid", {single});
  const Tensor bias = e.apply("zeros", {}, e.settings().dtype, {routing.experts},
                              "(" + std::to_string(routing.experts) +
                                  "),{dtype=torch.float16;device=meta;pin_memory=False}");
  const Tensor biased = e.apply("add", {shares, bias});
  const Tensor where = top(e, biased, routing.top_k, true).second;
  return {normalized(e, routing, gathered(e, shares, where, "1")), where};
}

// The experts of the best groups, a group as good as its two best experts together.
Tensor within_best_groups(Emitter& e, const Routing& routing, const Tensor& scores) {
  const Extent tokens = scores.shape[0];
  const Extent size = routing.experts / routing.groups;
  const Tensor groups = e.view("view", scores, {tokens, routing.groups, size});
  const Tensor best_two = top(e, groups, 2).first;
  const Tensor group_scores =
      e.apply("sum", {best_two}, best_two.dtype, {tokens, routing.groups}, "%,(-1)");
  const Tensor chosen = top(e, group_scores, routing.top_k_groups, true).second;
  const Tensor mask = e.apply("zeros_like", {group_scores}, "%,{pin_memory=False}");
  Operator scatter = plain("scatter_", {mask, chosen}, mask, "%,1,%,1");
  scatter.reads.front().updated = true;
  e.add(std::move(scatter));
  const Tensor column = e.view("unsqueeze", mask, {tokens, routing.groups, 1});
  const Tensor spread = e.view("expand", column, {tokens, routing.groups, size});
  const Tensor flat = e.view("_unsafe_view", e.clone(spread), {tokens, routing.experts});
  const Tensor inside = e.cast(flat, Dtype::boolean);
  const Tensor outside = e.apply("bitwise_not", {inside});
  return e.apply("masked_fill", {scores, outside}, scores.dtype, scores.shape, "%,%,-inf");
}

Routes by_grouped_sigmoid(Emitter& e, const Routing& routing, const Tensor& scores) {
  const Tensor shares = e.apply("sigmoid", {scores});
  const Tensor bias = e.weight(e.settings().dtype, {routing.experts});
  const Tensor biased = e.apply("add", {shares, bias});
  const Tensor eligible = routing.groups > 1 ? within_best_groups(e, routing, biased) : biased;
  const Tensor where = top(e, eligible, routing.top_k).second;
  Tensor weights = gathered(e, shares, where, "1");
  if (routing.normalize) {
    const Tensor total = e.apply("add", {sum_of_last(e, weights)}, "%,1e-20");
    weights = e.apply("div", {weights, total});
  }
  return {e.apply("mul", {weights}, "%," + number_argument(routing.scale)), where};
}

Routes by_biased_softmax(Emitter& e, const Routing& routing, const Tensor& scores) {
  const Tensor rows = e.view("view", scores, {1, scores.shape[0], scores.shape[1]});
  const Tensor shares = e.apply("_softmax", {rows}, "%,1,False");
  const Tensor bias =
      e.view("squeeze", e.weight(Dtype::fp32, {1, routing.experts}), {routing.experts});
  const Tensor biased = e.apply("add", {shares, bias});
  const Tensor where = top(e, biased, routing.top_k).second;
  Tensor weights = gathered(e, shares, where, "-1");
  if (routing.normalize) {
    const Tensor total = e.apply("clamp", {sum_of_last(e, weights)}, "%,1e-12");
    weights = e.apply("div", {weights, total});
  }
  weights = e.cast(weights, e.settings().dtype);
  // The class returns the two the other way round, and is taken at its word.
  return {where, weights};
}

}  // namespace

Tensor emit_scores(Emitter& e, const Routing& routing, const Tensor& x) {
  Tensor given = x;
  Tensor weight = e.weight(e.family().router_weights_in_single ? Dtype::fp32 : e.settings().dtype,
                           {routing.experts, routing.hidden});
  if (e.family().router_in_single) {
    given = e.cast(given, Dtype::fp32);
    if (weight.dtype != Dtype::fp32) weight = e.cast(weight, Dtype::fp32);
  }
  const Tensor turned = e.view("t", weight, {routing.hidden, routing.experts});
  Tensor scores = e.fresh(given.dtype, {given.shape[0], routing.experts});
  if (routing.bias)
    e.add(addmm(e.weight(given.dtype, {routing.experts}), given, turned, scores));
  else
    e.add(mm(given, turned, scores));
  return scores;
}

Routes emit_choice(Emitter& e, const Routing& routing, const Tensor& scores) {
  switch (e.family().gating) {
    case Family::Gating::fused:
      return by_fused_gate(e, routing, scores);
    case Family::Gating::sigmoid:
      return by_sigmoid(e, routing, scores);
    case Family::Gating::sigmoid_grouped:
      return by_grouped_sigmoid(e, routing, scores);
    case Family::Gating::softmax_biased:
      return by_biased_softmax(e, routing, scores);
    case Family::Gating::softmax:
      break;
  }
  return by_softmax(e, routing, scores);
}

}  // namespace roofbeam
