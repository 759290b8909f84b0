#include "engine/base/units.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace roofbeam {
namespace {

TEST(Units, SameUnitsAddSubtractAndCompare) {
  EXPECT_EQ(Bytes{3} + Bytes{4}, Bytes{7});
  EXPECT_EQ(Bytes{3} - Bytes{4}, Bytes{-1});
  EXPECT_LT(Seconds{1}, Seconds{2});
  EXPECT_GE(Flops{2}, Flops{2});
  Bytes total;
  EXPECT_EQ(total, Bytes{0});
  total += Bytes{5};
  total += Bytes{6};
  EXPECT_EQ(total, Bytes{11});
}

TEST(Units, RatiosScale) {
  EXPECT_EQ(2 * Bytes{8}, Bytes{16});
  EXPECT_EQ(Bytes{8} * 0.5, Bytes{4});
  EXPECT_EQ(Bytes{8} / 2, Bytes{4});
  EXPECT_DOUBLE_EQ(Bytes{8} / Bytes{2}, 4);
}

TEST(Units, QuotientsOfUnitsHaveTheirOwnUnit) {
  static_assert(std::is_same_v<decltype(Bytes{} / BytesPerSecond{}), Seconds>);
  static_assert(std::is_same_v<decltype(Flops{} / FlopsPerSecond{}), Seconds>);
  static_assert(std::is_same_v<decltype(FlopsPerSecond{} / BytesPerSecond{}), FlopsPerByte>);
  EXPECT_EQ(Bytes{6e12} / BytesPerSecond{3e12}, Seconds{2});
  EXPECT_EQ(Flops{5e15} / FlopsPerSecond{1e15}, Seconds{5});
  EXPECT_EQ(FlopsPerSecond{989.5e12} / BytesPerSecond{3.35e12}, FlopsPerByte{989.5 / 3.35});
}

TEST(Units, AQuantityIsNoMoreThanItsDouble) {
  static_assert(sizeof(Bytes) == sizeof(double));
  static_assert(std::is_trivially_copyable_v<Bytes>);
}

}  // namespace
}  // namespace roofbeam
