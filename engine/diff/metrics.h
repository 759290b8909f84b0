#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/analysis/analysis.h"

namespace roofbeam {

enum class MetricUnit : std::uint8_t { count, flops, bytes };

// One figure of two designs.
struct MetricDifference {
  std::string_view id;     // "params"
  std::string_view label;  // "parameters"
  MetricUnit unit = MetricUnit::count;
  double a = 0;
  double b = 0;

  [[nodiscard]] double delta() const { return b - a; }
  // b / a; nothing where a is 0.
  [[nodiscard]] std::optional<double> ratio() const {
    return a == 0 ? std::nullopt : std::optional(b / a);
  }
};

// Parameters (all, active, non-embedding), FLOPs per token (training, forward), cache per token,
// memory of training (one device's and in all) and of serving, in this order. Fair only where both
// analyses have one operating point: see shared_point.
[[nodiscard]] std::vector<MetricDifference> metric_differences(const Analysis& a, const Analysis& b);

// The options with lengths and batch that were left open set to the larger of both designs'
// defaults, so that both are measured alike.
[[nodiscard]] OperatingPointOptions shared_point(OperatingPointOptions options, const Elaboration& a,
                                                 const Elaboration& b);

}  // namespace roofbeam
