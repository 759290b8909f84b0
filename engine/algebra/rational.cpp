#include "engine/algebra/rational.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace roofbeam {
namespace {

using Wide = __int128;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// The most negative integer is left out, so that every result has an opposite.
std::optional<std::int64_t> narrowed(Wide value) {
  if (value > kLargest || value < -static_cast<Wide>(kLargest)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

// Of two magnitudes, one of them a denominator: so the divisor fits, whatever the numerator.
std::int64_t shared_divisor(std::int64_t num, std::int64_t den) {
  const auto magnitude =
      num < 0 ? 0 - static_cast<std::uint64_t>(num) : static_cast<std::uint64_t>(num);
  return static_cast<std::int64_t>(std::gcd(magnitude, static_cast<std::uint64_t>(den)));
}

Wide greatest_common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

}  // namespace

std::optional<Rational> Rational::of(std::int64_t num, std::int64_t den) {
  if (den == 0) return std::nullopt;
  const Wide sign = den < 0 ? -1 : 1;
  const Wide divisor = greatest_common_divisor(num, den);
  const std::optional<std::int64_t> n = narrowed(sign * num / divisor);
  const std::optional<std::int64_t> d = narrowed(sign * den / divisor);
  if (!n || !d) return std::nullopt;
  return Rational(*n, *d);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  const Wide left = static_cast<Wide>(a.num_) * b.den_;
  const Wide right = static_cast<Wide>(b.num_) * a.den_;
  return left < right   ? std::strong_ordering::less
         : left > right ? std::strong_ordering::greater
                        : std::strong_ordering::equal;
}

std::optional<Rational> sum(const Rational& a, const Rational& b) {
  if (a.den_ == 1 && b.den_ == 1) {
    const std::optional<std::int64_t> whole = narrowed(static_cast<Wide>(a.num_) + b.num_);
    if (!whole) return std::nullopt;
    return Rational(*whole);
  }
  // Over the least common denominator, the numerator stays below 2^127.
  const std::int64_t shared = shared_divisor(a.den_, b.den_);
  const Wide num =
      static_cast<Wide>(a.num_) * (b.den_ / shared) + static_cast<Wide>(b.num_) * (a.den_ / shared);
  const Wide den = static_cast<Wide>(a.den_) * (b.den_ / shared);
  const Wide divisor = greatest_common_divisor(num, den);
  const std::optional<std::int64_t> n = narrowed(num / divisor);
  const std::optional<std::int64_t> d = narrowed(den / divisor);
  if (!n || !d) return std::nullopt;
  return Rational(*n, *d);
}

std::optional<Rational> difference(const Rational& a, const Rational& b) {
  const std::optional<Rational> opposite = product(b, Rational(-1));
  return opposite ? sum(a, *opposite) : std::nullopt;
}

std::optional<Rational> product(const Rational& a, const Rational& b) {
  // Cancelling crosswise first leaves lowest terms. Denominators are positive, so both divisors
  // are.
  const std::int64_t left = a.den_ == 1 && b.den_ == 1 ? 1 : shared_divisor(a.num_, b.den_);
  const std::int64_t right = a.den_ == 1 && b.den_ == 1 ? 1 : shared_divisor(b.num_, a.den_);
  const std::optional<std::int64_t> n =
      narrowed(static_cast<Wide>(a.num_ / left) * (b.num_ / right));
  const std::optional<std::int64_t> d =
      narrowed(static_cast<Wide>(a.den_ / right) * (b.den_ / left));
  if (!n || !d) return std::nullopt;
  return Rational(*n, *d);
}

std::optional<Rational> quotient(const Rational& a, const Rational& b) {
  const std::optional<Rational> inverse = Rational::of(b.den(), b.num());
  return inverse ? product(a, *inverse) : std::nullopt;
}

std::optional<Rational> power(Rational base, std::uint32_t exponent) {
  Rational result(1);
  for (;;) {
    if ((exponent & 1u) != 0) {
      const std::optional<Rational> next = product(result, base);
      if (!next) return std::nullopt;
      result = *next;
    }
    exponent >>= 1;
    if (exponent == 0) return result;
    const std::optional<Rational> square = product(base, base);
    if (!square) return std::nullopt;
    base = *square;
  }
}

std::optional<Rational> rational_of(double value) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(std::abs(value) < kLimit)) return std::nullopt;
  double scaled = value;
  std::int64_t scale = 1;
  for (int places = 0; places < 12 && scaled != std::floor(scaled); ++places) {
    // Scaled from the value itself each time: one rounding, not twelve.
    const double next = value * static_cast<double>(scale * 10);
    if (!(std::abs(next) < kLimit)) break;
    scale *= 10;
    scaled = next;
  }
  const auto num = static_cast<std::int64_t>(std::round(scaled));
  if (num == 0 && value != 0) return std::nullopt;
  return Rational::of(num, scale);
}

}  // namespace roofbeam
