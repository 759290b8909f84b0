#include "engine/program/settings.h"

#include <gtest/gtest.h>

namespace roofbeam {
namespace {

TEST(Modes, AreFoundByTheirNames) {
  EXPECT_EQ(linear_mode_names().size(), 9u);
  for (const std::string_view spelling : linear_mode_names()) {
    ASSERT_TRUE(linear_mode_named(spelling).has_value()) << spelling;
    EXPECT_EQ(name(*linear_mode_named(spelling)), spelling);
  }
  EXPECT_EQ(linear_mode_named("MXFP4"), LinearMode::mxfp4);
  EXPECT_EQ(linear_mode_named("W8A8_STATIC"), LinearMode::w8a8_static);
  EXPECT_EQ(linear_mode_named("w8a8_static"), std::nullopt);
  for (const std::string_view spelling : attention_mode_names())
    EXPECT_EQ(name(*attention_mode_named(spelling)), spelling);
  EXPECT_EQ(attention_mode_named("INT4"), std::nullopt);
}

}  // namespace
}  // namespace roofbeam
