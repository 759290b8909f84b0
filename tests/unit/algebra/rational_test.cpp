#include "engine/algebra/rational.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/algebra/random.h"

namespace roofbeam {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

TEST(Rational, IsKeptInLowestTermsWithAPositiveDenominator) {
  const Rational value = *Rational::of(-6, -8);
  EXPECT_EQ(value.num(), 3);
  EXPECT_EQ(value.den(), 4);
  EXPECT_EQ(*Rational::of(6, -8), *Rational::of(-3, 4));
  EXPECT_EQ(Rational::of(0, -5)->den(), 1);
}

TEST(Rational, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(Rational::of(1, 0));
  EXPECT_FALSE(sum(Rational(kLargest), Rational(1)));
  EXPECT_FALSE(difference(Rational(-kLargest), Rational(1)));
  EXPECT_FALSE(product(Rational(kLargest), Rational(2)));
  EXPECT_FALSE(quotient(Rational(1), Rational(0)));
  EXPECT_FALSE(power(Rational(2), 63));
  // Cancelled before it is multiplied: (2^62/3) * (3/2^62) fits although its parts do not.
  const Rational large = *Rational::of(std::int64_t{1} << 62, 3);
  EXPECT_EQ(*product(large, *quotient(Rational(1), large)), Rational(1));
  EXPECT_EQ(*power(Rational(2), 62), Rational(std::int64_t{1} << 62));
  EXPECT_EQ(*power(Rational(0), 0), Rational(1));
}

TEST(Rational, IsOrderedExactly) {
  // As doubles both are 1.
  EXPECT_LT(*Rational::of(kLargest - 1, kLargest), *Rational::of(kLargest, kLargest - 1));
  EXPECT_LT(*Rational::of(-1, 2), *Rational::of(-1, 3));
  EXPECT_GT(Rational(1), *Rational::of(2, 3));
}

TEST(Rational, OfADoubleScalesByTen) {
  struct Case {
    double value;
    std::int64_t num;
    std::int64_t den;
  };
  for (const Case& c : {Case{0, 0, 1}, Case{-3, -3, 1}, Case{1.3, 13, 10}, Case{0.1 + 0.2, 3, 10},
                        Case{1.0 / 512, 1, 512}, Case{1e-12, 1, 1'000'000'000'000},
                        Case{1.0 / 3, 333'333'333'333, 1'000'000'000'000},
                        Case{0x1p62, std::int64_t{1} << 62, 1}}) {
    const std::optional<Rational> fraction = rational_of(c.value);
    ASSERT_TRUE(fraction) << c.value;
    EXPECT_EQ(*fraction, *Rational::of(c.num, c.den)) << c.value;
  }
  // Fewer places where twelve would not fit, still to the double's precision.
  EXPECT_NEAR(rational_of(1e8 / 3)->value(), 1e8 / 3, 1e-8);
  EXPECT_FALSE(rational_of(0x1p63));
  EXPECT_FALSE(rational_of(1e-13));
  EXPECT_FALSE(rational_of(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(rational_of(std::numeric_limits<double>::infinity()));
}

TEST(Rational, ObeysTheLawsOfAField) {
  Random random(1);
  const auto any = [&] { return *Rational::of(random.whole(-60, 60), random.whole(1, 60)); };
  for (int i = 0; i < 2000; ++i) {
    const Rational a = any();
    const Rational b = any();
    const Rational c = any();
    EXPECT_EQ(*sum(a, b), *sum(b, a));
    EXPECT_EQ(*product(a, *sum(b, c)), *sum(*product(a, b), *product(a, c)));
    EXPECT_EQ(*sum(*difference(a, b), b), a);
    if (!b.is_zero()) {
      EXPECT_EQ(*product(*quotient(a, b), b), a);
    }
    EXPECT_EQ(a < b, a.value() < b.value());
  }
}

}  // namespace
}  // namespace roofbeam
