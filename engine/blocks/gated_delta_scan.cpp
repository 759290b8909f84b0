#include "engine/base/text.h"
#include "engine/blocks/primitives.h"
#include "engine/blocks/scan.h"

namespace roofbeam {
namespace {

// S_t = alpha_t S_(t-1) (I - beta_t k_t k_t^T) + beta_t v_t k_t^T,  y_t = S_t q_t
double value_heads(const Arguments& a) {
  const double heads = a.number("value_heads");
  return heads > 0 ? heads : a.number("heads");
}

double value_dim(const Arguments& a) {
  const double v = a.number("v_head_dim");
  return v > 0 ? v : a.number("head_dim");
}

// Decay and step bias of every value head.
double weights(const Arguments& a) { return 2 * value_heads(a); }

// Decay, read, write and output touch every element of a state of head_dim by v once, at 2 each.
// One state a key head, though grouped value heads keep one each.
double flops_per_token(const Arguments& a) {
  return 8 * a.number("heads") * a.number("head_dim") * value_dim(a);
}

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.matrix = {flops_per_token(a)}};
}

CacheBytes cache(const Arguments& a, double y, const Lengths&) {
  return {.per_sequence = {a.number("heads") * a.number("head_dim") * value_dim(a) * y}};
}

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& q = context.inputs[0];
  const std::vector<Extent>& v = context.inputs[2];
  const std::vector<Extent>& gates = context.inputs[3];
  const Tensor head = weight_tensor(context, {v[1]});
  const Tensor gate = single_tensor({v[0], v[2], v[1]});
  // exp(-exp(a) softplus(x + b)) for the decay, a sigmoid for the step: eleven operations a head.
  Operator gating{.name = "fused_gdn_gating",
                  .reads = {activation_tensor(context, gates), head, head},
                  .writes = {gate, gate},
                  .work = elementwise_work(gate, 11 * elements(gate))};
  const double tokens = static_cast<double>(q[0]) * static_cast<double>(q[2]);
  return {std::move(gating),
          lowered(context, {.whole_name = "chunk_gated_delta_rule",
                            .step_name = "recurrent_gated_delta_rule",
                            .reads = {activation_tensor(context, q),
                                      activation_tensor(context, context.inputs[1]),
                                      activation_tensor(context, v), gate, gate},
                            .write = activation_tensor(context, context.outputs[0]),
                            .state = {q[0], q[1], q[3], v[3]},
                            .matrix = {tokens * flops_per_token(a)}})};
}

std::vector<Issue> check(const Arguments& a, const Scope&) {
  const double v = a.number("v_head_dim");
  if (!(v < 0)) return {};
  return {{.rule = "GDN-01",
           .param = "v_head_dim",
           .message = "a value head of width " + shortest(v),
           .hint = "0 means head_dim"}};
}

Ports ports(const Arguments& a, const Ports& declared, const Scope&) {
  Ports ports = declared;
  const std::string heads = a.number("value_heads") > 0 ? "value_heads" : "heads";
  const std::string dim = a.number("v_head_dim") > 0 ? "v_head_dim" : "head_dim";
  ports.inputs[2].shape = "B " + heads + " T " + dim;
  ports.inputs[3].shape = "B T (2 " + heads + ")";
  ports.outputs[0].shape = "B " + heads + " T " + dim;
  return ports;
}

}  // namespace

const Forms gated_delta_scan_forms = {.weights = weights,
                                      .work = work,
                                      .cache = cache,
                                      .lower = lower,
                                      .check = check,
                                      .ports = ports};

}  // namespace roofbeam
