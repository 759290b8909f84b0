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

BlockSpec conv1d_block() {
  return {
      .type = "conv1d",
      .category = Category::ssm,
      .docs = {.title = "causal convolution",
               .summary = "Mixes the last few positions of every channel by a trained filter.",
               .formula = "y_t = sum over j < kernel of W[j] x_(t - j) (+ b)",
               .references = {"Gu and Dao 2023, Mamba, arXiv:2312.00752"}},
      .params = {size_param("channels", "channels, each filtered by itself"),
                 size_param("kernel", 4, "positions a filter sees"),
                 flag_param("bias", true, "adds a trained number a channel")},
      .ports = {.inputs = {{.name = "x", .shape = "... channels", .element = ElementClass::real}},
                .outputs = {{.name = "y", .shape = "... channels", .element = ElementClass::real}}},
      .forms = {.weights = weights,
                .work = work,
                .saves = {"x"},
                .cache = cache,
                .lower = lower,
                .autocast = Autocast::half},
  };
}

}  // namespace roofbeam
