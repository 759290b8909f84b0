#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "engine/base/check.h"
#include "engine/base/decimal.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

using Wide = unsigned __int128;

// Below this, each integer is a double of its own, so that its shortest text is all its digits.
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

// From here on JavaScript writes exponents.
constexpr double kLongestInteger = 1e21;

constexpr int kMaxFixedDigits = 22;

std::string wide_text(Wide value) {
  constexpr std::uint64_t kPart = 10'000'000'000'000'000'000u;
  constexpr std::size_t kPartDigits = 19;
  std::string lower = std::to_string(static_cast<std::uint64_t>(value % kPart));
  if (value < kPart) return lower;
  return wide_text(value / kPart) + std::string(kPartDigits - lower.size(), '0') + lower;
}

}  // namespace

// ECMA-262, Number::toString, radix 10.
std::string shortest(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (std::abs(value) < kExactIntegers && value == std::floor(value))
    return std::to_string(static_cast<std::int64_t>(value));

  const Decimal decimal = shortest_decimal(std::abs(value));
  std::string digits = std::to_string(decimal.digits);
  const std::string sign = value < 0 ? "-" : "";
  const int count = static_cast<int>(digits.size());
  const int point = count + decimal.exponent;  // value = 0.digits * 10^point
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  if (count <= point && point <= 21) return sign + digits.append(size(point - count), '0');
  if (0 < point && point <= 21) return sign + digits.insert(size(point), 1, '.');
  if (-6 < point && point <= 0) return sign + "0." + std::string(size(-point), '0') + digits;
  if (count > 1) digits.insert(1, 1, '.');
  return sign + digits + (point > 0 ? "e+" : "e-") + std::to_string(std::abs(point - 1));
}

// ECMA-262, Number.prototype.toFixed: the integer n next to value * 10^digits, the larger of two
// equally near ones; computed exactly.
std::string fixed(double value, int digits) {
  ROOFBEAM_CHECK(digits >= 0 && digits <= kMaxFixedDigits);
  if (!(std::abs(value) < kLongestInteger)) return shortest(value);

  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);
  Wide n = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  exponent -= 53;  // |value| = n * 2^exponent
  if (exponent >= 0) {
    n <<= exponent;  // an integer below 1e21
  } else {
    for (int i = 0; i < digits; ++i) n *= 10;  // 2^53 * 10^22 < 2^127
    n = exponent < -127 ? 0 : ((n >> (-exponent - 1)) + 1) >> 1;
  }
  std::string text = wide_text(n);
  if (exponent >= 0) text.append(static_cast<std::size_t>(digits), '0');
  if (digits > 0) {
    const auto places = static_cast<std::size_t>(digits);
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, 1, '.');
  }
  return value < 0 ? "-" + text : text;
}

double round_half_up(double value) {
  const double below = std::floor(value);
  return value - below >= 0.5 ? below + 1 : below;  // the difference is exact, value + 0.5 is not
}

}  // namespace roofbeam
