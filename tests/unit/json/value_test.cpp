#include "engine/json/value.h"

#include <gtest/gtest.h>

#include <limits>

namespace roofbeam::json {
namespace {

TEST(Value, KindsExcludeEachOther) {
  const Value values[] = {Value(),    Value(true),    Value(std::int64_t{1}), Value(1.5),
                          Value("a"), Value(Array()), Value(Object())};
  for (std::size_t i = 0; i < std::size(values); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(values[i].is_null(), i == 0);
    EXPECT_EQ(values[i].is_bool(), i == 1);
    EXPECT_EQ(values[i].is_integer(), i == 2);
    EXPECT_EQ(values[i].is_number(), i == 2 || i == 3);
    EXPECT_EQ(values[i].is_string(), i == 4);
    EXPECT_EQ(values[i].is_array(), i == 5);
    EXPECT_EQ(values[i].is_object(), i == 6);
    for (std::size_t j = 0; j < std::size(values); ++j) EXPECT_EQ(values[i] == values[j], i == j);
  }
  EXPECT_TRUE(Value(nullptr).is_null());
}

TEST(Value, IntegersStayExact) {
  const std::int64_t beyond_doubles = (std::int64_t{1} << 53) + 1;
  EXPECT_EQ(Value(beyond_doubles).integer(), beyond_doubles);
  EXPECT_EQ(Value(beyond_doubles).number(), 9007199254740992.0);
  EXPECT_EQ(Value(7).number(), 7.0);
}

TEST(Value, FindAndSet) {
  Value value = Object{{"b", 1}, {"a", 2}};
  ASSERT_NE(value.find("a"), nullptr);
  EXPECT_EQ(*value.find("a"), Value(2));
  EXPECT_EQ(value.find("c"), nullptr);
  EXPECT_EQ(Value(Array{1}).find("a"), nullptr);

  value.set("c", "new");
  value.set("b", 3);  // keeps its place
  EXPECT_EQ(value, Value(Object{{"b", 3}, {"a", 2}, {"c", "new"}}));
}

TEST(Value, Described) {
  struct Case {
    Value value;
    const char* description;
  };
  const Case kCases[] = {
      {Value(), "null"},
      {true, "true"},
      {false, "false"},
      {4096, "the number 4096"},
      {4.5, "the number 4.5"},
      {std::numeric_limits<double>::quiet_NaN(), "the number NaN"},
      {-std::numeric_limits<double>::infinity(), "the number -Infinity"},
      {"abc", "the text \"abc\""},
      {"two\nlines", "the text \"two\\nlines\""},
      {Array{1}, "a JSON array"},
      {Object{}, "a JSON object"},
  };
  for (const Case& c : kCases) EXPECT_EQ(described(c.value), c.description);
  EXPECT_LT(described(std::string(1 << 20, 'x')).size(), 100u);
}

TEST(Pointer, EscapesAndIndexes) {
  EXPECT_EQ(pointer("", "a"), "/a");
  EXPECT_EQ(pointer("/a", "b/c~d"), "/a/b~1c~0d");
  EXPECT_EQ(pointer("/a", ""), "/a/");
  EXPECT_EQ(pointer("/a", std::size_t{12}), "/a/12");
}

}  // namespace
}  // namespace roofbeam::json
