#include "engine/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace roofbeam {
namespace {

const Diagnostic kError{.code = "json.type", .path = "/a", .message = "found 1", .hint = ""};

TEST(ResultOf, AValue) {
  Result<std::string> result = std::string("abc");
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "abc");
  EXPECT_EQ(result->size(), 3u);
  EXPECT_TRUE(result.errors().empty());
  *result += "d";
  EXPECT_EQ(*result, "abcd");
}

TEST(ResultOf, OneError) {
  const Result<int> result = kError;
  EXPECT_FALSE(result);
  EXPECT_EQ(result.errors(), Diagnostics{kError});
}

TEST(ResultOf, AllErrorsInTheirOrder) {
  const Diagnostics errors{kError, {.code = "json.range", .path = "/b", .message = "", .hint = ""}};
  const Result<int> result = errors;
  EXPECT_FALSE(result);
  EXPECT_EQ(result.errors(), errors);
}

TEST(ResultOf, ValuesMoveOut) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 7);
}

#if GTEST_HAS_DEATH_TEST
TEST(ResultDeathTest, MisuseIsAnEngineBug) {
  const Result<int> failed = kError;
  EXPECT_DEATH(static_cast<void>(*failed), "internal check failed: value_.has_value()");
  EXPECT_DEATH(Result<int>{Diagnostics()}, "internal check failed: !errors_.empty()");
}
#endif

}  // namespace
}  // namespace roofbeam
