#include "engine/diff/metrics.h"

#include <algorithm>

namespace roofbeam {

std::vector<MetricDifference> metric_differences(const Analysis& a, const Analysis& b) {
  std::vector<MetricDifference> metrics;
  const auto add = [&](std::string_view id, std::string_view label, MetricUnit unit, auto figure) {
    metrics.push_back({id, label, unit, figure(a), figure(b)});
  };
  using enum MetricUnit;
  add("params", "parameters", count, [](const Analysis& x) { return x.params.total; });
  add("active_params", "active parameters", count, [](const Analysis& x) { return x.params.active; });
  add("non_embedding_params", "non-embedding parameters", count,
      [](const Analysis& x) { return x.params.non_embedding(); });
  add("train_flops_per_token", "training FLOPs per token", flops,
      [](const Analysis& x) { return x.work.train.value; });
  add("forward_flops_per_token", "forward FLOPs per token", flops,
      [](const Analysis& x) { return x.work.forward().value; });
  add("kv_bytes_per_token", "cache per token", bytes,
      [](const Analysis& x) { return x.cache.per_token.value; });
  add("train_bytes_per_gpu", "training memory per GPU", bytes,
      [](const Analysis& x) { return x.training.per_gpu.total().value; });
  add("train_bytes", "training memory in all", bytes,
      [](const Analysis& x) { return x.training.total().value; });
  add("serve_bytes", "serving memory", bytes, [](const Analysis& x) { return x.serving.total().value; });
  return metrics;
}

OperatingPointOptions shared_point(OperatingPointOptions options, const Elaboration& a,
                                   const Elaboration& b) {
  const auto larger = [&](std::string_view symbol) -> std::optional<double> {
    std::optional<double> largest;
    for (const Elaboration* design : {&a, &b})
      if (const auto id = design->scope.find(symbol); id && design->scope.is_runtime(*id))
        largest = std::max(largest.value_or(0), design->scope.value(*id));
    return largest;
  };
  if (!options.T) options.T = larger("T");
  if (!options.B) options.B = larger("B");
  if (!options.S) options.S = larger("S");
  return options;
}

}  // namespace roofbeam
