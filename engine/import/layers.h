#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace roofbeam {

// A stretch of layers: a pattern of kinds, so many times over.
struct LayerRun {
  std::vector<std::size_t> pattern;
  std::size_t times = 1;
  bool tail = false;  // the start of the pattern before it, cut off by the model's end

  [[nodiscard]] std::size_t layers() const { return pattern.size() * times; }
  friend bool operator==(const LayerRun&, const LayerRun&) = default;
};

// The longest pattern that is looked for.
inline constexpr std::size_t kMaxPattern = 64;

// Describes a sequence of layer kinds as few runs: at each point the pattern that covers most
// layers when repeated, the shortest of those; a layer that starts none is a run of its own.
//   0 0 0 1 1 1 1 1   -> [0] x 3, [1] x 5
//   0 1 0 1 0 1 0     -> [0 1] x 3, tail [0]
[[nodiscard]] std::vector<LayerRun> layer_runs(std::span<const std::size_t> kinds);

}  // namespace roofbeam
