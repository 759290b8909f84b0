#include <gtest/gtest.h>

#include <cmath>

#include "engine/algebra/expression.h"
#include "tests/unit/algebra/random.h"

namespace roofbeam {
namespace {

constexpr const char* kNames[] = {"B", "T", "D", "d", "H", "Hkv", "dh"};

Scope example_scope() {
  Scope scope;
  double value = 2;
  for (const char* name : kNames) {
    const bool runtime = std::string_view(name) == "B" || std::string_view(name) == "T";
    scope.declare(name, value, runtime ? SymbolKind::runtime : SymbolKind::design);
    value += 3;
  }
  return scope;
}

// An expression as text, and its value by plain double arithmetic as it was made.
struct Sample {
  std::string text;
  double value;
  double magnitude;  // the sum of absolute values, what rounding is relative to
};

Sample sample(Random& random, const Scope& scope, int depth) {
  if (depth == 0 || random.whole(0, 5) == 0) {
    if (random.whole(0, 1) == 0) {
      const char* name = kNames[random.whole(0, 6)];
      const double value = scope.value(*scope.find(name));
      return {name, value, value};
    }
    const std::int64_t number = random.whole(0, 40);
    if (random.whole(0, 1) == 0) {
      const double value = static_cast<double>(number) / 4;  // exact in both notations
      return {std::to_string(number / 4) + (number % 4 == 0   ? ".0"
                                            : number % 4 == 1 ? ".25"
                                            : number % 4 == 2 ? ".5"
                                                              : ".75"),
              value, value};
    }
    return {std::to_string(number), static_cast<double>(number), static_cast<double>(number)};
  }
  const Sample a = sample(random, scope, depth - 1);
  const Sample b = sample(random, scope, depth - 1);
  switch (random.whole(0, 5)) {
    case 0:
      return {"(" + a.text + " + " + b.text + ")", a.value + b.value, a.magnitude + b.magnitude};
    case 1:
      return {a.text + " - (" + b.text + ")", a.value - b.value, a.magnitude + b.magnitude};
    case 2:
    case 3:
      return {"(" + a.text + ")*(" + b.text + ")", a.value * b.value, a.magnitude * b.magnitude};
    case 4: {
      const std::int64_t divisor = random.whole(1, 9);
      const auto by = static_cast<double>(divisor);
      return {"(" + a.text + ")/" + std::to_string(divisor), a.value / by, a.magnitude / by};
    }
    default:
      return {"-(" + a.text + ")^2", -(a.value * a.value), a.magnitude * a.magnitude};
  }
}

class PolynomialLaws : public testing::Test {
 protected:
  // Each sample is a polynomial of a handful of terms; those that overflow are drawn anew.
  Polynomial any() {
    for (;;) {
      const Result<Polynomial> value = evaluate_expression(sample(random_, scope_, 3).text, scope_);
      if (value) return *value;
    }
  }

  const Scope scope_ = example_scope();
  Random random_{42};
};

TEST_F(PolynomialLaws, RingLaws) {
  const Polynomial zero;
  const Polynomial one{Rational(1)};
  int compared = 0;
  for (int i = 0; i < 1000; ++i) {
    const Polynomial a = any();
    const Polynomial b = any();
    const Polynomial c = any();
    EXPECT_EQ(sum(a, b), sum(b, a));
    EXPECT_EQ(product(a, b), product(b, a));
    EXPECT_EQ(*sum(a, zero), a);
    EXPECT_EQ(*product(a, one), a);
    EXPECT_EQ(*product(a, zero), zero);
    EXPECT_EQ(*difference(a, a), zero);
    const std::optional<Polynomial> ab = product(a, b);
    const std::optional<Polynomial> bc = product(b, c);
    const std::optional<Polynomial> ac = product(a, c);
    const std::optional<Polynomial> b_and_c = sum(b, c);
    if (!ab || !bc || !ac || !b_and_c) continue;
    const std::optional<Polynomial> left = product(*ab, c);
    const std::optional<Polynomial> right = product(a, *bc);
    if (left && right) {
      EXPECT_EQ(*left, *right);
    }
    const std::optional<Polynomial> together = product(a, *b_and_c);
    const std::optional<Polynomial> apart = sum(*ab, *ac);
    if (together && apart) {
      EXPECT_EQ(*together, *apart);
      ++compared;
    }
  }
  EXPECT_GT(compared, 800);
}

TEST_F(PolynomialLaws, PowersAreRepeatedProducts) {
  for (int i = 0; i < 300; ++i) {
    const Polynomial base = any();
    std::optional<Polynomial> repeated = Polynomial(Rational(1));
    for (std::uint32_t n = 0; n <= 3 && repeated; ++n) {
      const std::optional<Polynomial> direct = power(base, n);
      if (direct) {
        EXPECT_EQ(*direct, *repeated);
      }
      repeated = product(*repeated, base);
    }
  }
}

TEST_F(PolynomialLaws, QuotientUndoesProduct) {
  for (int i = 0; i < 500; ++i) {
    const Polynomial a = any();
    const Polynomial monomial = *evaluate_expression(
        std::to_string(random_.whole(1, 9)) + "/" + std::to_string(random_.whole(1, 9)) + "*" +
            kNames[random_.whole(0, 6)] + "^" + std::to_string(random_.whole(0, 2)),
        scope_);
    const std::optional<Polynomial> both = product(a, monomial);
    if (!both) continue;
    ASSERT_TRUE(quotient(*both, monomial));
    EXPECT_EQ(*quotient(*both, monomial), a);
  }
}

TEST_F(PolynomialLaws, TextReadsBackAsTheSamePolynomial) {
  for (int i = 0; i < 2000; ++i) {
    const Polynomial value = any();
    const Result<Polynomial> again = evaluate_expression(text(value, scope_), scope_);
    ASSERT_TRUE(again) << text(value, scope_) << ": " << again.errors().front().message;
    EXPECT_EQ(*again, value) << text(value, scope_);
  }
}

TEST_F(PolynomialLaws, EvaluationAgreesWithPlainArithmetic) {
  int compared = 0;
  for (int i = 0; i < 5000; ++i) {
    const Sample made = sample(random_, scope_, 4);
    const Result<Polynomial> value = evaluate_expression(made.text, scope_);
    if (!value) {
      for (const Diagnostic& problem : value.errors()) {
        EXPECT_TRUE(problem.code == "expression.overflow" || problem.code == "expression.too_large")
            << made.text << ": " << problem.message;
      }
      continue;
    }
    EXPECT_NEAR(evaluated(*value, scope_), made.value, 1e-11 * made.magnitude) << made.text;
    ++compared;
  }
  EXPECT_GT(compared, 4000);
}

TEST_F(PolynomialLaws, DesignValuesLeaveRuntimeSymbolsAndTheValue) {
  int compared = 0;
  for (int i = 0; i < 1000; ++i) {
    const Polynomial value = any();
    const std::optional<Polynomial> reduced = with_design_values(value, scope_);
    if (!reduced) continue;
    for (const Term& term : reduced->terms()) {
      for (const Power& factor : term.powers) EXPECT_TRUE(scope_.is_runtime(factor.symbol));
    }
    double magnitude = 0;
    for (const Term& term : value.terms()) {
      double product_of_term = std::abs(term.coefficient.value());
      for (const Power& factor : term.powers) {
        product_of_term *= std::pow(scope_.value(factor.symbol), factor.exponent);
      }
      magnitude += product_of_term;
    }
    EXPECT_NEAR(evaluated(*reduced, scope_), evaluated(value, scope_), 1e-11 * magnitude);
    ++compared;
  }
  EXPECT_GT(compared, 800);
}

TEST(Polynomial, TermsAreOrderedByDegreeThenNameIgnoringCase) {
  const Scope scope = example_scope();
  EXPECT_EQ(text(*evaluate_expression("1 + d + T + D*d + Hkv*dh + H*dh + B", scope), scope),
            "D*d + H*dh + Hkv*dh + B + d + T + 1");
  EXPECT_EQ(text(*evaluate_expression("0 - T - 2*B*T", scope), scope), "-2*B*T - T");
}

TEST(Polynomial, HoldsNoMoreThanItsLimits) {
  Scope scope;
  std::string product_text = "1";
  for (int i = 0; i < 16; ++i) {
    scope.declare("x" + std::to_string(i), 2, SymbolKind::design);
    product_text += "*x" + std::to_string(i);
  }
  EXPECT_EQ(evaluate_expression(product_text, scope).errors().front().code, "expression.too_large");
  const Polynomial x = Polynomial::symbol(0);
  EXPECT_TRUE(power(x, kMaxDegree));
  EXPECT_FALSE(power(x, kMaxDegree + 1));
}

}  // namespace
}  // namespace roofbeam
