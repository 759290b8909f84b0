#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y[t, c] = sum over j < kernel of W[c, j] x[t - j, c] (+ b[c]): causal, every channel by itself
double weights(const Arguments& a) {
  const double channels = a.number("channels");
  return channels * a.number("kernel") + (a.flag("bias") ? channels : 0);
}

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.matrix = matmul_flops(1, a.number("kernel"), a.number("channels"))};
}

// The inputs that later positions still see.
CacheBytes cache(const Arguments& a, double y, const Lengths&) {
  return {.per_sequence = {a.number("channels") * (a.number("kernel") - 1) * y}};
}

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  const Extent channels = x.back();
  const Extent kernel = whole(a.number("kernel"));
  const Extent tokens = rows(x);
  const Tensor values = activation_tensor(context, x);
  const Tensor state = cache_tensor(context, {context.workload.batch, channels, kernel - 1});
  Operator convolution{
      .name = "convolution",
      .reads = {values, weight_tensor(context, {channels, 1, kernel})},
      .writes = {activation_tensor(context, context.outputs[0])},
      .work = matrix_work(values, matmul_flops(static_cast<double>(tokens), a.number("kernel"),
                                               a.number("channels")))};
  if (a.flag("bias")) {
    convolution.reads.push_back(weight_tensor(context, {channels}));
    convolution.work[0].elementwise = {elements(values)};
  }
  if (kernel > 1 && context.workload.context_tokens > 0) convolution.reads.push_back(state);
  std::vector<Operator> operators{std::move(convolution)};
  if (kernel > 1 && context.workload.keeps_cache) {
    Tensor latest = values;
    latest.touched = std::min(elements(values), elements(state));
    operators.push_back({.name = "copy_", .reads = {std::move(latest)}, .writes = {state}});
  }
  return operators;
}

}  // namespace

const Forms conv1d_forms = {.weights = weights, .work = work, .cache = cache, .lower = lower};

}  // namespace roofbeam
