#include "engine/algebra/sampling.h"

namespace roofbeam {

Sampler::Sampler(std::string_view text) : state_(1469598103934665603u) {
  for (const char c : text) {
    state_ ^= static_cast<unsigned char>(c);
    state_ *= 1099511628211u;
  }
}

std::uint64_t Sampler::bits() {
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

double Sampler::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

std::vector<std::int64_t> Sampler::spread(std::int64_t count, std::int64_t most) {
  std::vector<std::int64_t> picks;
  picks.reserve(static_cast<std::size_t>(std::min(count, most)));
  visit_spread(count, most, [&](std::int64_t pick) { picks.push_back(pick); });
  return picks;
}

}  // namespace roofbeam
