#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace roofbeam {

// An exact fraction of 64-bit integers in lowest terms, denominator positive; so == is equality of
// numbers. Arithmetic whose exact result does not fit gives nothing.
class Rational {
 public:
  constexpr Rational() = default;                          // zero
  constexpr Rational(std::int64_t whole) : num_(whole) {}  // NOLINT: every integer is a fraction

  // num / den in lowest terms; nothing where den is zero or the result does not fit.
  [[nodiscard]] static std::optional<Rational> of(std::int64_t num, std::int64_t den);

  [[nodiscard]] constexpr std::int64_t num() const { return num_; }
  [[nodiscard]] constexpr std::int64_t den() const { return den_; }
  [[nodiscard]] constexpr bool is_zero() const { return num_ == 0; }
  [[nodiscard]] constexpr bool is_whole() const { return den_ == 1; }
  [[nodiscard]] constexpr double value() const {
    return static_cast<double>(num_) / static_cast<double>(den_);
  }

  friend constexpr bool operator==(const Rational&, const Rational&) = default;
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

  friend std::optional<Rational> sum(const Rational& a, const Rational& b);
  friend std::optional<Rational> product(const Rational& a, const Rational& b);

 private:
  constexpr Rational(std::int64_t num, std::int64_t den) : num_(num), den_(den) {}

  std::int64_t num_ = 0;
  std::int64_t den_ = 1;
};

[[nodiscard]] std::optional<Rational> sum(const Rational& a, const Rational& b);
[[nodiscard]] std::optional<Rational> difference(const Rational& a, const Rational& b);
[[nodiscard]] std::optional<Rational> product(const Rational& a, const Rational& b);

// Nothing where b is zero or the result does not fit.
[[nodiscard]] std::optional<Rational> quotient(const Rational& a, const Rational& b);

// base^exponent; 0^0 is 1.
[[nodiscard]] std::optional<Rational> power(Rational base, std::uint32_t exponent);

// A double as an exact fraction: integers exactly, decimals by scaling with ten, at most twelve
// places (fewer where more would not fit 64 bits). Nothing where it is not finite, does not fit, or
// is no zero but would round to it.
[[nodiscard]] std::optional<Rational> rational_of(double value);

}  // namespace roofbeam
