#include "engine/blocks/primitives.h"
#include "engine/blocks/scan.h"

namespace roofbeam {
namespace {

// h_t = exp(dt_t A) h_(t-1) + dt_t b_t x_t,  y_t = c_t . h_t + D x_t
double weights(const Arguments& a) {
  return a.number("d_inner") * a.number("state") + a.number("d_inner");
}

// Decay, input and output touch every element of the state once, at 2 each.
double flops_per_token(const Arguments& a) { return 6 * a.number("d_inner") * a.number("state"); }

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.matrix = {flops_per_token(a)}};
}

CacheBytes cache(const Arguments& a, double y, const Lengths&) {
  return {.per_sequence = {a.number("d_inner") * a.number("state") * y}};
}

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  const Extent d_inner = x.back();
  const Extent state = context.inputs[2].back();
  std::vector<Tensor> reads;
  for (const std::vector<Extent>& input : context.inputs)
    reads.push_back(activation_tensor(context, input));
  reads.push_back(weight_tensor(context, {d_inner, state}));
  reads.push_back(weight_tensor(context, {d_inner}));
  return {lowered(context, {.whole_name = "selective_scan",
                            .step_name = "selective_state_update",
                            .reads = std::move(reads),
                            .write = activation_tensor(context, context.outputs[0]),
                            .state = {context.workload.batch, d_inner, state},
                            .matrix = {static_cast<double>(rows(x)) * flops_per_token(a)}})};
}

}  // namespace

const Forms selective_scan_forms = {
    .weights = weights, .work = work, .cache = cache, .lower = lower};

}  // namespace roofbeam
