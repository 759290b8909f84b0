#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace roofbeam {

// Calls visit(pick) for all of 0 to count - 1 where that is no more than `most`, else for one pick
// from each of `most` equal strata, rising; place(), in [0, 1), tells where in its stratum.
template <class Place, class Visit>
void visit_strata(std::int64_t count, std::int64_t most, Place place, Visit visit) {
  if (count <= most) {
    for (std::int64_t i = 0; i < count; ++i) visit(i);
    return;
  }
  const double stratum = static_cast<double>(count) / static_cast<double>(most);
  for (std::int64_t i = 0; i < most; ++i) {
    const double pick = (static_cast<double>(i) + place()) * stratum;
    visit(std::min(static_cast<std::int64_t>(pick), count - 1));  // rounding stays inside
  }
}

// Repeatable pseudo-random numbers: splitmix64, the same on every platform. What is sampled for one
// text is always sampled at the same places, so that a figure changes only with its inputs.
class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : state_(seed) {}

  // Seeded with a 64-bit hash of the text (xor, then multiply, as FNV-1a).
  explicit Sampler(std::string_view text);

  std::uint64_t bits();

  // In [0, 1), 53 bits.
  double uniform();

  // All of 0 to count - 1 where that is no more than `most`, else one pick from each of `most`
  // equal strata, rising.
  std::vector<std::int64_t> spread(std::int64_t count, std::int64_t most);

  // Calls visit(pick) for each pick of spread(count, most).
  template <class Visit>
  void visit_spread(std::int64_t count, std::int64_t most, Visit visit) {
    visit_strata(
        count, most, [this] { return uniform(); }, visit);
  }

 private:
  std::uint64_t state_;
};

}  // namespace roofbeam
