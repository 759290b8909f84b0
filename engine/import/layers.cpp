#include "engine/import/layers.h"

#include <algorithm>

namespace roofbeam {
namespace {

// How often the first `length` kinds follow one another from the start.
std::size_t repetitions(std::span<const std::size_t> kinds, std::size_t length) {
  std::size_t same = length;
  while (same < kinds.size() && kinds[same] == kinds[same - length]) ++same;
  return same / length;
}

LayerRun longest_run(std::span<const std::size_t> kinds) {
  std::size_t best_length = 1;
  std::size_t best_times = repetitions(kinds, 1);
  const std::size_t longest = std::min(kMaxPattern, kinds.size() / 2);
  for (std::size_t length = 2; length <= longest; ++length) {
    const std::size_t times = repetitions(kinds, length);
    if (times < 2 || length * times <= best_length * best_times) continue;
    best_length = length;
    best_times = times;
  }
  const auto pattern = kinds.first(best_length);
  return {.pattern = {pattern.begin(), pattern.end()}, .times = best_times, .tail = false};
}

}  // namespace

std::vector<LayerRun> layer_runs(std::span<const std::size_t> kinds) {
  std::vector<LayerRun> runs;
  while (!kinds.empty()) {
    const bool is_tail =
        !runs.empty() && runs.back().pattern.size() > kinds.size() &&
        std::ranges::equal(kinds, std::span(runs.back().pattern).first(kinds.size()));
    if (is_tail) {
      runs.push_back({.pattern = {kinds.begin(), kinds.end()}, .times = 1, .tail = true});
      break;
    }
    runs.push_back(longest_run(kinds));
    kinds = kinds.subspan(runs.back().layers());
  }
  return runs;
}

}  // namespace roofbeam
