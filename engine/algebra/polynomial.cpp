#include "engine/algebra/polynomial.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/base/check.h"

namespace roofbeam {
namespace {

// A product of two polynomials visits every pair of terms; beyond this many it is refused before
// like terms are gathered. Keeps one product under a few milliseconds.
constexpr std::size_t kMaxPairs = 4 * kMaxTerms;

// The powers of a product of two terms.
std::optional<PowerList> merged(const PowerList& a, const PowerList& b) {
  if (a.degree() + b.degree() > kMaxDegree) return std::nullopt;
  PowerList result;
  const Power* left = a.begin();
  const Power* right = b.begin();
  while (left != a.end() || right != b.end()) {
    if (result.size() == PowerList::kCapacity) return std::nullopt;
    if (right == b.end() || (left != a.end() && left->symbol < right->symbol)) {
      result.push_back(*left++);
    } else if (left == a.end() || right->symbol < left->symbol) {
      result.push_back(*right++);
    } else {
      const auto exponent = static_cast<std::uint16_t>(left->exponent + right->exponent);
      result.push_back({left->symbol, exponent});
      ++left;
      ++right;
    }
  }
  return result;
}

std::optional<Term> product(const Term& a, const Term& b) {
  const std::optional<PowerList> powers = merged(a.powers, b.powers);
  if (!powers) return std::nullopt;
  const std::optional<Rational> coefficient = product(a.coefficient, b.coefficient);
  if (!coefficient) return std::nullopt;
  return Term{*powers, *coefficient};
}

// The powers of a / b, where every exponent stays non-negative.
std::optional<PowerList> divided(const PowerList& a, const PowerList& b) {
  PowerList result;
  const Power* divisor = b.begin();
  for (const Power& power : a) {
    if (divisor == b.end() || power.symbol < divisor->symbol) {
      result.push_back(power);
    } else if (power.symbol == divisor->symbol && power.exponent >= divisor->exponent) {
      const auto exponent = static_cast<std::uint16_t>(power.exponent - divisor->exponent);
      if (exponent > 0) result.push_back({power.symbol, exponent});
      ++divisor;
    } else {
      return std::nullopt;
    }
  }
  if (divisor != b.end()) return std::nullopt;
  return result;
}

std::string text(const PowerList& powers, const Scope& scope) {
  std::vector<Power> by_name(powers.begin(), powers.end());
  std::ranges::sort(by_name, {},
                    [&](Power power) { return std::string_view(scope.name(power.symbol)); });
  std::string result;
  for (const Power& power : by_name) {
    if (!result.empty()) result += '*';
    result += scope.name(power.symbol);
    if (power.exponent > 1) result += "^" + std::to_string(power.exponent);
  }
  return result;
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

double raised(double base, std::uint32_t exponent) {
  double result = 1;
  for (std::uint32_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

double evaluated(const PowerList& powers, const Scope& scope) {
  double result = 1;
  for (const Power& power : powers) result *= raised(scope.value(power.symbol), power.exponent);
  return result;
}

}  // namespace

// Gathers terms into a canonical polynomial.
class TermSum {
 public:
  explicit TermSum(std::size_t expected) { terms_.reserve(expected); }

  void add(const Term& term) { terms_.push_back(term); }

  static Polynomial of(const Term& term) {
    Polynomial result;
    if (!term.coefficient.is_zero()) result.single_ = term;
    return result;
  }

  // Terms that are sorted by powers, differ in them and are not zero.
  static std::optional<Polynomial> of_canonical(std::vector<Term> terms) {
    if (terms.size() > kMaxTerms) return std::nullopt;
    Polynomial result;
    if (terms.size() == 1) {
      result.single_ = terms.front();
    } else {
      result.many_ = std::move(terms);
    }
    return result;
  }

  // Nothing where a coefficient overflows or too many terms remain.
  std::optional<Polynomial> total() && {
    std::ranges::sort(terms_, {}, &Term::powers);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < terms_.size();) {
      Term term = terms_[i];
      for (++i; i < terms_.size() && terms_[i].powers == term.powers; ++i) {
        const std::optional<Rational> both = sum(term.coefficient, terms_[i].coefficient);
        if (!both) return std::nullopt;
        term.coefficient = *both;
      }
      if (!term.coefficient.is_zero()) terms_[kept++] = term;
    }
    terms_.resize(kept);
    return of_canonical(std::move(terms_));
  }

 private:
  std::vector<Term> terms_;
};

std::uint32_t PowerList::degree() const {
  std::uint32_t degree = 0;
  for (const Power& power : *this) degree += power.exponent;
  return degree;
}

void PowerList::push_back(Power power) {
  ROOFBEAM_CHECK(size_ < kCapacity && (size_ == 0 || items_[size_ - 1u].symbol < power.symbol));
  items_[size_++] = power;
}

bool operator==(const PowerList& a, const PowerList& b) { return std::ranges::equal(a, b); }

std::strong_ordering operator<=>(const PowerList& a, const PowerList& b) {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

Polynomial::Polynomial(Rational constant) { single_.coefficient = constant; }

Polynomial Polynomial::symbol(SymbolId id) {
  Polynomial result;
  result.single_.coefficient = Rational(1);
  result.single_.powers.push_back({id, 1});
  return result;
}

std::optional<Rational> Polynomial::as_constant() const {
  if (!many_.empty() || !single_.powers.empty()) return std::nullopt;
  return single_.coefficient;
}

std::uint32_t Polynomial::degree() const {
  std::uint32_t degree = 0;
  for (const Term& term : terms()) degree = std::max(degree, term.powers.degree());
  return degree;
}

bool operator==(const Polynomial& a, const Polynomial& b) {
  return std::ranges::equal(a.terms(), b.terms());
}

std::optional<Polynomial> sum(const Polynomial& a, const Polynomial& b) {
  // Both are sorted: one merge.
  std::vector<Term> terms;
  terms.reserve(a.terms().size() + b.terms().size());
  auto left = a.terms().begin();
  auto right = b.terms().begin();
  while (left != a.terms().end() && right != b.terms().end()) {
    const std::strong_ordering order = left->powers <=> right->powers;
    if (order < 0) {
      terms.push_back(*left++);
    } else if (order > 0) {
      terms.push_back(*right++);
    } else {
      const std::optional<Rational> both = sum(left->coefficient, right->coefficient);
      if (!both) return std::nullopt;
      if (!both->is_zero()) terms.push_back({left->powers, *both});
      ++left;
      ++right;
    }
  }
  terms.insert(terms.end(), left, a.terms().end());
  terms.insert(terms.end(), right, b.terms().end());
  return TermSum::of_canonical(std::move(terms));
}

std::optional<Polynomial> difference(const Polynomial& a, const Polynomial& b) {
  const std::optional<Polynomial> opposite = product(b, Polynomial(Rational(-1)));
  return opposite ? sum(a, *opposite) : std::nullopt;
}

std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b) {
  const std::span<const Term> left = a.terms();
  const std::span<const Term> right = b.terms();
  if (left.empty() || right.empty()) return Polynomial();
  if (left.size() == 1 && right.size() == 1) {
    const std::optional<Term> term = product(left.front(), right.front());
    if (!term) return std::nullopt;
    return TermSum::of(*term);
  }
  const std::size_t pairs = left.size() * right.size();
  if (pairs > kMaxPairs) return std::nullopt;
  TermSum terms(pairs);
  for (const Term& l : left) {
    for (const Term& r : right) {
      const std::optional<Term> term = product(l, r);
      if (!term) return std::nullopt;
      terms.add(*term);
    }
  }
  return std::move(terms).total();
}

std::optional<Polynomial> power(const Polynomial& base, std::uint32_t exponent) {
  if (const std::optional<Rational> constant = base.as_constant()) {
    const std::optional<Rational> value = power(*constant, exponent);
    if (!value) return std::nullopt;
    return Polynomial(*value);
  }
  if (exponent > kMaxDegree) return std::nullopt;
  Polynomial result(Rational(1));
  Polynomial square = base;
  for (;;) {
    if ((exponent & 1u) != 0) {
      std::optional<Polynomial> next = product(result, square);
      if (!next) return std::nullopt;
      result = std::move(*next);
    }
    exponent >>= 1;
    if (exponent == 0) return result;
    std::optional<Polynomial> next = product(square, square);
    if (!next) return std::nullopt;
    square = std::move(*next);
  }
}

std::optional<Polynomial> quotient(const Polynomial& a, const Polynomial& b) {
  if (b.terms().size() != 1) return std::nullopt;
  const Term& divisor = b.terms().front();
  TermSum terms(a.terms().size());
  for (const Term& term : a.terms()) {
    const std::optional<PowerList> powers = divided(term.powers, divisor.powers);
    const std::optional<Rational> coefficient = quotient(term.coefficient, divisor.coefficient);
    if (!powers || !coefficient) return std::nullopt;
    if (a.terms().size() == 1) return TermSum::of({*powers, *coefficient});
    terms.add({*powers, *coefficient});
  }
  return std::move(terms).total();
}

double evaluated(const Polynomial& polynomial, const Scope& scope) {
  // 1/3*D + 2/3*D' must give a whole number where it is one: numerators are summed over the least
  // common denominator and divided once.
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  std::int64_t common = 1;
  for (const Term& term : polynomial.terms()) {
    const std::int64_t den = term.coefficient.den();
    const std::int64_t factor = den / std::gcd(common, den);
    if (factor > kExact / common) {
      common = 0;
      break;
    }
    common *= factor;
  }
  double total = 0;
  for (const Term& term : polynomial.terms()) {
    const double num = static_cast<double>(term.coefficient.num());
    const double den = static_cast<double>(term.coefficient.den());
    const double value = num * evaluated(term.powers, scope);
    total += common == 0 ? value / den : value * (static_cast<double>(common) / den);
  }
  return common == 0 ? total : total / static_cast<double>(common);
}

std::optional<Polynomial> with_design_values(const Polynomial& polynomial, const Scope& scope) {
  TermSum terms(polynomial.terms().size());
  for (const Term& term : polynomial.terms()) {
    Term reduced{{}, term.coefficient};
    for (const Power& factor : term.powers) {
      if (scope.is_runtime(factor.symbol)) {
        reduced.powers.push_back(factor);
        continue;
      }
      const std::optional<Rational> value = rational_of(scope.value(factor.symbol));
      const std::optional<Rational> raised = value ? power(*value, factor.exponent) : value;
      const std::optional<Rational> scaled =
          raised ? product(reduced.coefficient, *raised) : raised;
      if (!scaled) return std::nullopt;
      reduced.coefficient = *scaled;
    }
    if (polynomial.terms().size() == 1) return TermSum::of(reduced);
    terms.add(reduced);
  }
  return std::move(terms).total();
}

std::string text(const Polynomial& polynomial, const Scope& scope) {
  struct Written {
    std::uint32_t degree;
    std::string key;      // names in lower case
    std::string factors;  // "H*dh", empty for a constant
    Rational coefficient;
  };
  std::vector<Written> written;
  written.reserve(polynomial.terms().size());
  for (const Term& term : polynomial.terms()) {
    std::string factors = text(term.powers, scope);
    written.push_back({term.powers.degree(), lower_case(factors), factors, term.coefficient});
  }
  std::ranges::sort(written, [](const Written& a, const Written& b) {
    if (a.degree != b.degree) return a.degree > b.degree;
    return std::tie(a.key, a.factors) < std::tie(b.key, b.factors);
  });

  std::string result;
  for (const Written& term : written) {
    const bool negative = term.coefficient.num() < 0;
    if (result.empty()) {
      if (negative) result += '-';
    } else {
      result += negative ? " - " : " + ";
    }
    std::string coefficient = std::to_string(term.coefficient.num());
    if (negative) coefficient.erase(0, 1);
    if (!term.coefficient.is_whole()) {
      coefficient += "/" + std::to_string(term.coefficient.den());
    }
    if (term.factors.empty()) {
      result += coefficient;
    } else {
      if (coefficient != "1") result += coefficient + "*";
      result += term.factors;
    }
  }
  return result.empty() ? "0" : result;
}

}  // namespace roofbeam
