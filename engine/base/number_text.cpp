#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "engine/base/check.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

// Below this, each integer is a double of its own, so that its shortest text is all its digits.
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

// JavaScript's Number.prototype.toString turns to exponents here.
constexpr double kLongestInteger = 1e21;

struct Decimal {
  std::string digits;  // no leading or trailing zeros
  int point;           // value = 0.digits * 10^point
};

// The shortest digits that only this double lies next to. Requires a finite value above zero.
Decimal shortest_digits(double value) {
  std::array<char, 32> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
  ROOFBEAM_CHECK(error == std::errc());
  const std::string_view written(text.data(), static_cast<std::size_t>(end - text.data()));
  const std::size_t e = written.find('e');
  Decimal decimal{.digits = std::string(1, written[0]), .point = 0};
  if (e > 2) decimal.digits += written.substr(2, e - 2);
  const std::string_view exponent = written.substr(written[e + 1] == '+' ? e + 2 : e + 1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.point);
  ++decimal.point;
  return decimal;
}

}  // namespace

// ECMA-262, Number::toString, radix 10.
std::string shortest(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (std::abs(value) < kExactIntegers && value == std::floor(value))
    return std::to_string(static_cast<std::int64_t>(value));

  auto [digits, point] = shortest_digits(std::abs(value));
  const std::string sign = value < 0 ? "-" : "";
  const auto size = [](int count) { return static_cast<std::size_t>(count); };
  const int count = static_cast<int>(digits.size());
  if (count <= point && point <= 21) return sign + digits.append(size(point - count), '0');
  if (0 < point && point <= 21) return sign + digits.insert(size(point), 1, '.');
  if (-6 < point && point <= 0) return sign + "0." + std::string(size(-point), '0') + digits;
  if (count > 1) digits.insert(1, 1, '.');
  return sign + digits + (point > 0 ? "e+" : "e-") + std::to_string(std::abs(point - 1));
}

// ECMA-262, Number.prototype.toFixed: the larger of two equally near numbers.
std::string fixed(double value, int digits) {
  ROOFBEAM_CHECK(digits >= 0 && digits <= 100);
  if (!(std::abs(value) < kLongestInteger)) return shortest(value);

  const auto printed = [magnitude = std::abs(value)](int decimals) {
    std::array<char, 128> text{};  // 21 digits, the point, 101 decimals
    const int length = std::snprintf(text.data(), text.size(), "%.*f", decimals, magnitude);
    ROOFBEAM_CHECK(length > 0 && static_cast<std::size_t>(length) < text.size());
    return std::string(text.data(), static_cast<std::size_t>(length));
  };
  std::string text = printed(digits);
  // printf rounds the exact binary value, and a tie to the even digit. A tie has just one decimal
  // more, a 5, hence no more than digits + 1 binary places after the point.
  if (const double scaled = std::ldexp(value, digits + 1); scaled == std::floor(scaled)) {
    std::string exact = printed(digits + 1);
    if (exact.back() == '5') {
      exact.pop_back();
      if (digits == 0) exact.pop_back();  // the point
      auto digit = exact.rbegin();
      for (; digit != exact.rend() && (*digit == '9' || *digit == '.'); ++digit)
        if (*digit == '9') *digit = '0';
      if (digit == exact.rend())
        exact.insert(0, 1, '1');
      else
        ++*digit;
      text = std::move(exact);
    }
  }
  return value < 0 ? "-" + text : text;
}

double round_half_up(double value) {
  const double below = std::floor(value);
  return value - below >= 0.5 ? below + 1 : below;  // the difference is exact, value + 0.5 is not
}

}  // namespace roofbeam
