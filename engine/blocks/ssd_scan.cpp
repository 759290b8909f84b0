#include <cmath>

#include "engine/base/text.h"
#include "engine/blocks/primitives.h"
#include "engine/blocks/scan.h"

namespace roofbeam {
namespace {

// h_t = exp(dt_t a) h_(t-1) + dt_t b_t x_t^T,  y_t = c_t h_t + D x_t, one number a for each head

// a, D and the bias of dt.
double weights(const Arguments& a) { return 3 * a.number("heads"); }

// The recurrence between chunks (decay, input and output of the state, at 2 each) and, inside a
// chunk, the products of c b^T and of its result with x.
double flops_per_token(const Arguments& a) {
  const double d_inner = a.number("d_inner");
  return 6 * d_inner * a.number("state") + 4 * d_inner * a.number("chunk");
}

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.matrix = {flops_per_token(a)}};
}

CacheBytes cache(const Arguments& a, double y, const Lengths&) {
  return {.per_sequence = {a.number("heads") * a.number("head_dim") * a.number("state") * y}};
}

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& xbc = context.inputs[0];
  const std::vector<Extent>& dt = context.inputs[1];
  const Extent heads = dt.back();
  const Tensor head = weight_tensor(context, {heads});
  return {lowered(context, {.whole_name = "mamba_chunk_scan_combined",
                            .step_name = "selective_state_update",
                            .reads = {activation_tensor(context, xbc),
                                      activation_tensor(context, dt), head, head, head},
                            .write = activation_tensor(context, context.outputs[0]),
                            .state = {context.workload.batch, heads, whole(a.number("head_dim")),
                                      whole(a.number("state"))},
                            .matrix = {static_cast<double>(rows(xbc)) * flops_per_token(a)}})};
}

std::vector<Issue> check(const Arguments& a, const Scope&) {
  std::vector<Issue> issues;
  const double heads = a.number("heads");
  const double head_dim = a.number("head_dim");
  const double d_inner = a.number("d_inner");
  const double groups = a.number("groups");
  if (heads * head_dim < d_inner || heads * head_dim > d_inner)
    issues.push_back({.rule = "SSD-01",
                      .param = "heads",
                      .message = shortest(heads) + " heads of " + shortest(head_dim) +
                                 " make no width of " + shortest(d_inner),
                      .hint = "heads * head_dim must be d_inner"});
  if (std::fmod(heads, groups) > 0)
    issues.push_back(
        {.rule = "SSD-02",
         .param = "groups",
         .message = shortest(groups) + " groups do not divide " + shortest(heads) + " heads",
         .hint = "groups must divide heads"});
  return issues;
}

}  // namespace

const Forms ssd_scan_forms = {
    .weights = weights, .work = work, .cache = cache, .lower = lower, .check = check};

}  // namespace roofbeam
