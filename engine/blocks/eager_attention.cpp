#include "engine/blocks/attention.h"
#include "engine/blocks/constraints.h"
#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// Attention written out step by step: scores, softmax and weighted values, with the score matrix in
// memory between them and, for talking heads, a mix of its heads. In the shapes of a step T is the
// number of new positions; the last axis of a score matrix also covers what earlier steps cached.

Extent keys_of(const LoweringContext& context, Extent step) {
  return step + context.workload.context_tokens;
}

std::vector<Extent> score_shape(const LoweringContext& context, const std::vector<Extent>& step) {
  return with_last(step, keys_of(context, step.back()));
}

// Keys or values of every position, one per query head, and the operators that bring them there.
struct Spread {
  std::vector<Operator> operators;
  Tensor tensor;
};

// Stores the step's own, then copies for the heads that share one, as the framework does.
Spread spread_over_heads(const LoweringContext& context, const std::vector<Extent>& step,
                         Extent heads) {
  const std::vector<Extent> all{step[0], step[1], keys_of(context, step[2]), step[3]};
  Spread spread{.operators = {}, .tensor = activation_tensor(context, all)};
  if (context.workload.keeps_cache) {
    spread.operators.push_back(cache_write(context, {step}));
    spread.tensor = cache_tensor(context, all);
  }
  if (step[1] == heads) return spread;
  const Tensor copy = activation_tensor(context, {step[0], heads, all[2], step[3]});
  spread.operators.push_back(
      {.name = "expand", .reads = {spread.tensor}, .writes = {copy}, .view = true});
  spread.operators.push_back({.name = "clone", .reads = {copy}, .writes = {copy}});
  spread.tensor = copy;
  return spread;
}

// Keys or values cached for every position.
CacheBytes cache_of(double width, double y) {
  const Bytes position{width * y};
  return {.per_token = position, .per_token_decompressed = position};
}

// The scores of one query against `keys` keys, or its weighted values: 2 a pair, head and width.
Flops pair_flops(const Arguments& a, std::string_view width, double keys) {
  return {2 * keys * a.number("heads") * a.number(width)};
}

WorkPerToken full_attention(Flops flops) {
  return {.attention = flops, .attention_unmasked = flops};
}

double pairs(const std::vector<Extent>& scores) {
  return static_cast<double>(scores[0]) * static_cast<double>(scores[2]) *
         static_cast<double>(scores[3]);
}

// s = q k^T / sqrt(dh)
WorkPerToken work_scores(const Arguments& a, const FormContext& context) {
  return full_attention(pair_flops(a, "head_dim", context.lengths.own));
}

CacheBytes cache_keys(const Arguments& a, double y, const Lengths&) {
  return cache_of(a.number("kv_heads") * a.number("head_dim"), y);
}

std::vector<Operator> lower_scores(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& q = context.inputs[0];
  const Tensor scores = activation_tensor(context, score_shape(context, context.outputs[0]));
  auto [operators, keys] = spread_over_heads(context, context.inputs[1], q[1]);
  operators.push_back(
      {.name = "bmm",
       .reads = {activation_tensor(context, q), keys},
       .writes = {scores},
       .work = matrix_work(scores, pair_flops(a, "head_dim", pairs(scores.shape)))});
  operators.push_back(broadcast("mul", {scores}, scores, 1));
  return std::move(operators);
}

std::vector<Issue> check_scores(const Arguments& a, const Scope&) {
  std::vector<Issue> issues;
  check_heads_divide(a, "SDPA-01", issues);
  return issues;
}

// p = softmax(s), in fp32 between two casts
constexpr double kSoftmaxOperations = 5;  // maximum, difference, exponential, sum, quotient

WorkPerToken work_softmax(const Arguments& a, const FormContext& context) {
  return {.elementwise = {kSoftmaxOperations * a.number("heads") * context.lengths.own}};
}

std::vector<Operator> lower_softmax(const Arguments& a, const LoweringContext& context) {
  const Tensor given = activation_tensor(context, score_shape(context, context.inputs[0]));
  const Tensor single = single_tensor(given.shape);
  std::vector<Operator> operators;
  if (a.flag("causal")) {
    const Tensor mask = activation_tensor(context, {given.shape[2], given.shape[3]});
    operators.push_back(broadcast("add", {given, mask}, given, 1));
  }
  operators.push_back({.name = "_to_copy", .reads = {given}, .writes = {single}});
  operators.push_back(broadcast("_softmax", {single}, single, kSoftmaxOperations));
  operators.push_back({.name = "_to_copy", .reads = {single}, .writes = {given}});
  return operators;
}

// y[h'] = sum over h of W[h, h'] x[h], at every pair
double weights_mix(const Arguments& a) { return a.number("heads") * a.number("heads"); }

WorkPerToken work_mix(const Arguments& a, const FormContext& context) {
  const double heads = a.number("heads");
  return full_attention(matmul_flops(context.lengths.own, heads, heads));
}

std::vector<Operator> lower_mix(const Arguments&, const LoweringContext& context) {
  const std::vector<Extent> shape = score_shape(context, context.inputs[0]);
  const Extent heads = shape[1];
  const std::vector<Extent> heads_last{shape[0], shape[2], shape[3], heads};
  return {view_of("permute", context, shape, heads_last),
          matmul(context, {.m = rows(heads_last), .k = heads, .n = heads}),
          view_of("permute", context, heads_last, shape)};
}

// y = p v
WorkPerToken work_values(const Arguments& a, const FormContext& context) {
  return full_attention(pair_flops(a, "v_head_dim", context.lengths.own));
}

CacheBytes cache_values(const Arguments& a, double y, const Lengths&) {
  return cache_of(a.number("kv_heads") * a.number("v_head_dim"), y);
}

std::vector<Operator> lower_values(const Arguments& a, const LoweringContext& context) {
  const Tensor weights = activation_tensor(context, score_shape(context, context.inputs[0]));
  auto [operators, values] = spread_over_heads(context, context.inputs[1], weights.shape[1]);
  operators.push_back(
      {.name = "bmm",
       .reads = {weights, values},
       .writes = {activation_tensor(context, context.outputs[0])},
       .work = matrix_work(weights, pair_flops(a, "v_head_dim", pairs(weights.shape)))});
  return std::move(operators);
}

}  // namespace

const Forms attn_scores_forms = {
    .work = work_scores, .cache = cache_keys, .lower = lower_scores, .check = check_scores};

const Forms attn_softmax_forms = {.work = work_softmax, .lower = lower_softmax};

const Forms head_mix_forms = {.weights = weights_mix, .work = work_mix, .lower = lower_mix};

const Forms attn_values_forms = {
    .work = work_values, .cache = cache_values, .lower = lower_values, .check = check_scores};

}  // namespace roofbeam
