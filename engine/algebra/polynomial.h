#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/algebra/rational.h"
#include "engine/algebra/scope.h"

namespace roofbeam {

// What a polynomial may grow to, so that hostile expressions cost a bounded time. Real designs have
// a handful of terms of degree below ten.
inline constexpr std::size_t kMaxTerms = 4096;
inline constexpr std::uint32_t kMaxDegree = 64;

// symbol^exponent, exponent >= 1.
struct Power {
  SymbolId symbol;
  std::uint16_t exponent;
  friend auto operator<=>(const Power&, const Power&) = default;
};

// The powers of one term, sorted by symbol id; held in place, since almost every term has fewer
// than six and polynomials are made by the thousand.
class PowerList {
 public:
  static constexpr std::size_t kCapacity = 15;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const Power* begin() const { return items_.data(); }
  [[nodiscard]] const Power* end() const { return items_.data() + size_; }
  [[nodiscard]] const Power& operator[](std::size_t index) const { return items_[index]; }
  [[nodiscard]] std::uint32_t degree() const;

  // Requires a symbol above the last one, and fewer than kCapacity so far.
  void push_back(Power power);

  friend bool operator==(const PowerList& a, const PowerList& b);
  friend std::strong_ordering operator<=>(const PowerList& a, const PowerList& b);

 private:
  std::array<Power, kCapacity> items_{};
  std::uint8_t size_ = 0;
};

// coefficient * product of powers (none for a constant).
struct Term {
  PowerList powers;
  Rational coefficient;
  friend bool operator==(const Term&, const Term&) = default;
};

// A multivariate polynomial over the symbols of one scope with exact rational coefficients; the
// value of every expression. Canonical: terms sorted by powers, none zero, so == is equality of
// polynomials. Operations give nothing where a coefficient would overflow 64 bits, or the result
// would pass kMaxTerms, kMaxDegree or PowerList::kCapacity.
class Polynomial {
 public:
  Polynomial() = default;  // zero
  explicit Polynomial(Rational constant);
  static Polynomial symbol(SymbolId id);

  [[nodiscard]] std::span<const Term> terms() const {
    return many_.empty() ? std::span(&single_, single_.coefficient.is_zero() ? 0u : 1u)
                         : std::span(many_);
  }
  [[nodiscard]] bool is_zero() const { return terms().empty(); }
  [[nodiscard]] std::optional<Rational> as_constant() const;  // nothing where a symbol remains
  [[nodiscard]] std::uint32_t degree() const;                 // highest of its terms; 0 for zero

  friend bool operator==(const Polynomial& a, const Polynomial& b);

 private:
  friend class TermSum;
  Term single_;             // zero, or the only term: most polynomials need no memory of their own
  std::vector<Term> many_;  // two terms or more, else empty
};

[[nodiscard]] std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b);
[[nodiscard]] std::optional<Polynomial> difference(const Polynomial& a, const Polynomial& b);
[[nodiscard]] std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b);
[[nodiscard]] std::optional<Polynomial> power(const Polynomial& base, std::uint32_t exponent);

// a / b where that is a polynomial: b a constant, or one term that divides every term of a.
[[nodiscard]] std::optional<Polynomial> quotient(const Polynomial& a, const Polynomial& b);

// Every symbol by its value in the scope (runtime symbols by their defaults). Whole-numbered
// symbols give the correctly rounded value as long as whole intermediate results stay below 2^53.
[[nodiscard]] double evaluated(const Polynomial& polynomial, const Scope& scope);

// Design symbols by their values; runtime symbols stay. This is what shapes are compared by.
// A design value that is not finite, or an overflow, gives nothing.
[[nodiscard]] std::optional<Polynomial> with_design_values(const Polynomial& polynomial,
                                                           const Scope& scope);

// "H*dh + 2*Hkv*dh", "52/15*D", "0": terms by falling degree, then by name ignoring case.
[[nodiscard]] std::string text(const Polynomial& polynomial, const Scope& scope);

}  // namespace roofbeam
