#include <algorithm>

#include "engine/base/text.h"
#include "engine/blocks/attention.h"
#include "engine/blocks/constraints.h"
#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// Maximum, difference, exponential, sum: the fused kernel divides once a row, not once a pair.
constexpr double kSoftmaxOperations = 4;

double heads(const Arguments& a) { return a.number("heads"); }

// Width of a value head; 0 stands for head_dim.
double value_dim(const Arguments& a) {
  const double v = a.number("v_head_dim");
  return v > 0 ? v : a.number("head_dim");
}

double weights(const Arguments& a) { return a.flag("sinks") ? heads(a) : 0; }

// QK^T and PV over `keys` keys per query: 2 (dh + v) a pair and head.
Flops score_flops(const Arguments& a, double keys) {
  return {2 * heads(a) * (a.number("head_dim") + value_dim(a)) * keys};
}

WorkPerToken work(const Arguments& a, const FormContext& context) {
  const double all = a.flag("cross") ? context.lengths.source : context.lengths.own;
  const double keys = context.kept_share * keys_per_query({.length = context.lengths.own,
                                                           .source = context.lengths.source,
                                                           .causal = a.flag("causal"),
                                                           .window = a.number("window"),
                                                           .cross = a.flag("cross")});
  const double sinks = a.flag("sinks") ? heads(a) * value_dim(a) : 0;
  return {.attention = score_flops(a, keys),
          .attention_unmasked = score_flops(a, all),
          .elementwise = {score_cost(a, context.scope) * keys * heads(a) + sinks}};
}

// A fused kernel keeps its output and one fp32 log-sum-exp a head; an unfused one also the score
// matrix twice, before and after the softmax.
Bytes saves_inside(const Arguments& a, const SavingContext& context) {
  const double y = context.bytes_per_element;
  const double output = heads(a) * value_dim(a) * y;
  if (context.fused_attention && a.flag("flash")) return {output + 4 * heads(a)};
  const double window = a.number("window");
  double keys = a.flag("cross") ? context.lengths.source : context.lengths.own;
  if (!a.flag("cross") && window > 0) keys = std::min(keys, window);
  return {output + 2 * heads(a) * keys * y};
}

// Keys and values of every position (keys alone where the values are another block's); a window
// bounds them per sequence, cross-attention keeps the source's.
CacheBytes cache(const Arguments& a, double y, const Lengths& lengths) {
  if (!a.flag("cache")) return {};
  const double width = a.number("head_dim") + (a.flag("shared_values") ? 0 : value_dim(a));
  const Bytes position{a.number("kv_heads") * width * y};
  if (a.flag("cross")) return {.per_sequence = lengths.source * position};
  if (const double window = a.number("window"); window > 0)
    return {.per_sequence = window * position};
  return {.per_token = position, .per_token_decompressed = position};
}

// In the shapes of a step T is the number of new positions; attention also reads what earlier steps
// cached. Cross-attention reads the source's keys and values, cached by the step that made them.
std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const Workload& workload = context.workload;
  const std::vector<Extent>& q = context.inputs[0];
  const std::vector<Extent>& k = context.inputs[1];
  const std::vector<Extent>& v = context.inputs[2];
  const bool cross = a.flag("cross");
  const bool cached = a.flag("cache") && workload.keeps_cache;
  const Extent keys = k[2] + (cross ? 0 : workload.context_tokens);

  std::vector<Operator> operators;
  const bool brings_keys = !cross || workload.context_tokens == 0;
  if (cached && brings_keys) {
    std::vector<std::vector<Extent>> step{k};
    if (!a.flag("shared_values")) step.push_back(v);
    operators.push_back(cache_write(context, step));
  }

  const auto over_all_keys = [&](const std::vector<Extent>& step) {
    const std::vector<Extent> shape{step[0], step[1], keys, step[3]};
    return cached ? cache_tensor(context, shape) : activation_tensor(context, shape);
  };
  const double pairs =
      static_cast<double>(q[0]) * static_cast<double>(q[2]) * static_cast<double>(keys);
  const Tensor output = activation_tensor(context, context.outputs[0]);
  // Beside the softmax a pair costs what its score expression does; sinks rescale the output.
  const double pair_operations = kSoftmaxOperations + score_cost(a, context.scope);
  const double sink_operations = a.flag("sinks") ? elements(output) : 0;
  Operator attention{.name = "attention",
                     .reads = {activation_tensor(context, q), over_all_keys(k), over_all_keys(v)},
                     .writes = {output},
                     .work = {{output.dtype,
                               score_flops(a, pairs),
                               {pair_operations * pairs * heads(a) + sink_operations}}}};
  if (cached)
    for (Tensor& table : page_tables(context, keys)) attention.reads.push_back(std::move(table));
  if (a.flag("sinks")) attention.reads.push_back(weight_tensor(context, {q[1]}));
  // The tables that the mask and score expressions read.
  for (std::size_t port = 3; port < context.inputs.size(); ++port)
    attention.reads.push_back(activation_tensor(context, context.inputs[port]));
  operators.push_back(std::move(attention));
  return operators;
}

std::vector<Issue> check(const Arguments& a, const Scope& scope) {
  std::vector<Issue> issues = check_attention_expressions(a, scope);
  check_heads_divide(a, "SDPA-01", issues);
  const double window = a.number("window");
  const bool expressions = !a.text("mask").empty() || !a.text("score").empty();
  const bool capped = a.number("logit_softcap") > 0;
  if (window < 0)
    issues.push_back({.rule = "SDPA-02",
                      .param = "window",
                      .message = "a window of " + shortest(window) + " positions",
                      .hint = "0 means no window"});
  if (capped && !expressions && !a.flag("sinks"))
    issues.push_back({.rule = "SDPA-03",
                      .severity = Severity::info,
                      .param = "logit_softcap",
                      .message = "a score cap needs FlashAttention 2.6 or newer to stay fused"});
  if (expressions || a.flag("sinks"))
    issues.push_back({.rule = "SDPA-06",
                      .severity = Severity::info,
                      .message = "counted as a fused kernel of the FlexAttention kind"});
  if (a.flag("cross") &&
      (a.flag("causal") || window > 0 || capped || expressions || a.flag("sinks")))
    issues.push_back({.rule = "SDPA-07",
                      .param = "cross",
                      .message =
                          "cross-attention takes no causal mask, window, cap, mask, score or "
                          "sinks",
                      .hint = "leave them out where cross is true"});
  return issues;
}

Ports ports(const Arguments& a, const Ports& declared, const Scope& scope) {
  Ports ports = declared;
  if (a.flag("cross")) {
    ports.inputs[1].shape = "B kv_heads S head_dim";
    ports.inputs[2].shape = "B kv_heads S v_head_dim";
  }
  if (a.number("v_head_dim") == 0) {
    ports.inputs[2].shape = a.flag("cross") ? "B kv_heads S head_dim" : "B kv_heads T head_dim";
    ports.outputs[0].shape = "B heads T head_dim";
  }
  add_table_ports(a, scope, ports);
  return ports;
}

}  // namespace

const Forms sdpa_forms = {.weights = weights,
                          .work = work,
                          .saves_inside = saves_inside,
                          .cache = cache,
                          .lower = lower,
                          .check = check,
                          .ports = ports};

}  // namespace roofbeam
