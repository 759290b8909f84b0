#include "engine/base/extent.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace roofbeam {
namespace {

constexpr Extent kMax = std::numeric_limits<Extent>::max();
constexpr Extent kMin = std::numeric_limits<Extent>::min();

TEST(Extent, ProductsThatFit) {
  EXPECT_EQ(checked_product(128256, 4096), 525336576);
  EXPECT_EQ(checked_product(0, kMax), 0);
  EXPECT_EQ(checked_product(-1, kMax), -kMax);
  EXPECT_EQ(checked_product(3037000499, 3037000499), 9223372030926249001);
}

TEST(Extent, ProductsThatDoNotFit) {
  EXPECT_EQ(checked_product(3037000500, 3037000500), std::nullopt);
  EXPECT_EQ(checked_product(kMin, -1), std::nullopt);
  EXPECT_EQ(checked_product(kMax, 2), std::nullopt);
}

TEST(Extent, ProductsOfMany) {
  EXPECT_EQ(checked_product(std::span<const Extent>()), 1);
  EXPECT_EQ(checked_product(std::array<Extent, 3>{2, 3, 5}), 30);
  EXPECT_EQ(checked_product(std::array<Extent, 3>{kMax, 2, 1}), std::nullopt);
  // A partial product that does not fit is not mended by a later zero: the order decides.
  EXPECT_EQ(checked_product(std::array<Extent, 3>{kMax, 2, 0}), std::nullopt);
  EXPECT_EQ(checked_product(std::array<Extent, 3>{0, kMax, 2}), 0);
}

TEST(Extent, Sums) {
  EXPECT_EQ(checked_sum(2, 3), 5);
  EXPECT_EQ(checked_sum(kMax, kMin), -1);
  EXPECT_EQ(checked_sum(kMax, 1), std::nullopt);
  EXPECT_EQ(checked_sum(kMin, -1), std::nullopt);
}

}  // namespace
}  // namespace roofbeam
