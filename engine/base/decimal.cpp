#include "engine/base/decimal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/base/check.h"

namespace roofbeam {
namespace {

using Wide = unsigned __int128;

constexpr std::uint64_t high(Wide x) { return static_cast<std::uint64_t>(x >> 64); }
constexpr std::uint64_t low(Wide x) { return static_cast<std::uint64_t>(x); }

constexpr int kStep = 27;  // 5^27 is the largest power of five in 64 bits
constexpr int kFirst = -11;
constexpr int kLast = 12;

constexpr std::uint64_t power_of_five(int exponent) {
  std::uint64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 5;
  return power;
}

constexpr std::array<std::uint64_t, kStep> kSmallPowers = [] {
  std::array<std::uint64_t, kStep> powers{};
  for (int i = 0; i < kStep; ++i) powers[static_cast<std::size_t>(i)] = power_of_five(i);
  return powers;
}();

// An integer of 1024 bits, enough for 5^324 and for 2^1023 / 5^297 to 192 bits.
struct Large {
  std::array<std::uint64_t, 16> words{};  // lowest first

  constexpr void multiply(std::uint64_t factor) {
    std::uint64_t carry = 0;
    for (std::uint64_t& word : words) {
      const Wide product = Wide{word} * factor + carry;
      word = low(product);
      carry = high(product);
    }
  }

  constexpr void divide(std::uint64_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t i = words.size(); i-- > 0;) {
      const Wide part = Wide{rest} << 64 | words[i];
      words[i] = low(part / divisor);
      rest = low(part % divisor);
    }
  }

  // The 192 leading bits, lowest word first; the first of them is set.
  constexpr std::array<std::uint64_t, 3> leading() const {
    std::size_t top = words.size() - 1;
    while (words[top] == 0) --top;
    const int shift = std::countl_zero(words[top]);
    std::array<std::uint64_t, 3> bits{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t word = top >= i ? words[top - i] : 0;
      const std::uint64_t below = top >= i + 1 ? words[top - i - 1] : 0;
      bits[2 - i] = shift == 0 ? word : word << shift | below >> (64 - shift);
    }
    return bits;
  }
};

// The leading 192 bits of 5^(27 i) for i from kFirst to kLast.
constexpr auto kLargePowers = [] {
  std::array<std::array<std::uint64_t, 3>, kLast - kFirst + 1> powers{};
  Large growing;
  growing.words[0] = 1;
  for (int i = 0; i <= kLast; ++i) {
    powers[static_cast<std::size_t>(i - kFirst)] = growing.leading();
    growing.multiply(power_of_five(kStep));
  }
  Large shrinking;
  shrinking.words.back() = std::uint64_t{1} << 63;
  for (int i = -1; i >= kFirst; --i) {
    shrinking.divide(power_of_five(kStep));
    powers[static_cast<std::size_t>(i - kFirst)] = shrinking.leading();
  }
  return powers;
}();

// The leading 128 bits of 10^exponent, plus one. The error of the table is too small to reach them
// for any exponent a double needs.
Wide power_of_ten(int exponent) {
  const int index = (exponent - kFirst * kStep) / kStep;
  const auto& large = kLargePowers[static_cast<std::size_t>(index)];
  const std::uint64_t small =
      kSmallPowers[static_cast<std::size_t>(exponent - (index + kFirst) * kStep)];
  const Wide p0 = Wide{large[0]} * small;
  const Wide p1 = Wide{large[1]} * small + high(p0);
  const Wide p2 = Wide{large[2]} * small + high(p1);
  // 256 bits: p2, then the low words of p1 and p0.
  const int shift = high(p2) == 0 ? 64 : std::countl_zero(high(p2));
  if (shift == 64) return (Wide{low(p2)} << 64 | low(p1)) + 1;
  const Wide rest = Wide{low(p1)} << 64 | low(p0);
  return (shift == 0 ? p2 : p2 << shift | rest >> (128 - shift)) + 1;
}

// floor(log10(2^e)), floor(log10(3/4 * 2^e)) and floor(log2(10^e)) for the exponents of doubles.
constexpr int log10_of_power_of_two(int e) { return e * 1262611 >> 22; }
constexpr int log10_of_three_quarters(int e) { return (e * 1262611 - 524031) >> 22; }
constexpr int log2_of_power_of_ten(int e) { return e * 1741647 >> 19; }

// power * factor / 2^128, the lowest bit set where that is not exact ("round to odd").
std::uint64_t scaled(Wide power, std::uint64_t factor) {
  const Wide lower = Wide{low(power)} * factor;
  const Wide upper = Wide{high(power)} * factor + high(lower);
  return high(upper) | (low(upper) > 1 ? 1 : 0);
}

Decimal without_trailing_zeros(Decimal decimal) {
  while (decimal.digits % 10 == 0) {
    decimal.digits /= 10;
    ++decimal.exponent;
  }
  return decimal;
}

}  // namespace

Decimal shortest_decimal(double value) {
  ROOFBEAM_CHECK(std::isfinite(value) && value > 0);
  constexpr int kMantissaBits = std::numeric_limits<double>::digits - 1;  // 52
  constexpr int kBias = 1023 + kMantissaBits;
  constexpr std::uint64_t kHidden = std::uint64_t{1} << kMantissaBits;

  // value = mantissa * 2^exponent
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto biased = static_cast<int>(bits >> kMantissaBits);
  const std::uint64_t mantissa = (bits & (kHidden - 1)) | (biased > 0 ? kHidden : 0);
  const int exponent = std::max(biased, 1) - kBias;

  // In quarters of 2^exponent: the value, and the borders of what rounds to it. Below a power of
  // two doubles lie twice as dense.
  const bool is_dense_below = mantissa == kHidden && biased > 1;
  const std::uint64_t middle = 4 * mantissa;
  const std::uint64_t left = middle - (is_dense_below ? 1 : 2);
  const std::uint64_t right = middle + 2;

  // The same in quarters of 10^k, the largest power of ten that is no wider than the interval.
  const int k =
      is_dense_below ? log10_of_three_quarters(exponent) : log10_of_power_of_two(exponent);
  const int shift = exponent + log2_of_power_of_ten(-k) + 1;
  const Wide power = power_of_ten(-k);
  const std::uint64_t scaled_middle = scaled(power, middle << shift);
  // Numbers on the border round to the even mantissa.
  const std::uint64_t odd = mantissa & 1;
  const std::uint64_t lowest = scaled(power, left << shift) + odd;
  const std::uint64_t highest = scaled(power, right << shift) - odd;
  const auto is_inside = [&](std::uint64_t units) {
    return lowest <= 4 * units && 4 * units <= highest;
  };

  const std::uint64_t below = scaled_middle / 4;
  if (below >= 10) {  // one digit less, if just one such number is inside
    const std::uint64_t tens = below / 10;
    const bool down = is_inside(10 * tens);
    const bool up = is_inside(10 * tens + 10);
    if (down != up) return without_trailing_zeros({tens + (up ? 1 : 0), k + 1});
  }
  const bool down = is_inside(below);
  const bool up = is_inside(below + 1);
  if (down != up) return without_trailing_zeros({below + (up ? 1 : 0), k});
  const std::uint64_t half = 4 * below + 2;
  const bool round_up = scaled_middle > half || (scaled_middle == half && below % 2 == 1);
  return without_trailing_zeros({below + (round_up ? 1 : 0), k});
}

}  // namespace roofbeam
