#include "engine/json/writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace roofbeam::json {
namespace {

using std::string_view_literals::operator""sv;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(WriteCompact, Values) {
  struct Case {
    Value value;
    std::string_view text;
  };
  const Case kCases[] = {
      {Value(), "null"},
      {true, "true"},
      {false, "false"},
      {-7, "-7"},
      {std::numeric_limits<std::int64_t>::min(), "-9223372036854775808"},
      {0.1, "0.1"},
      {-0.0, "0"},
      {4096.0, "4096"},
      {1e21, "1e+21"},
      {kNan, "null"},
      {kInfinity, "null"},
      {-kInfinity, "null"},
      {"", "\"\""},
      {Array{}, "[]"},
      {Object{}, "{}"},
      {Array{1, Array{}, Object{}, Array{2, 3}}, "[1,[],{},[2,3]]"},
      {Object{{"b", 1}, {"a", Object{{"", Value()}}}}, "{\"b\":1,\"a\":{\"\":null}}"},
  };
  for (const Case& c : kCases) EXPECT_EQ(write(c.value, Layout::compact), c.text);
}

TEST(WriteCompact, Strings) {
  struct Case {
    std::string_view value;
    std::string_view text;
  };
  constexpr Case kCases[] = {
      {"a\"b\\c/d", R"("a\"b\\c/d")"},
      {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
      {"\0\x01\x1F"sv, R"("\u0000\u0001\u001f")"},
      {"é€😀\x7F", "\"é€😀\x7F\""},
      {"<script>", "\"<script>\""},
      {"a\xFFz", "\"a\uFFFDz\""},  // bytes that are no UTF-8 must not get out
      {"\xC3", "\"\uFFFD\""},      //
      {"\xED\xA0\x80", "\"\uFFFD\uFFFD\uFFFD\""},
      {"\xE2\x82\"", "\"\uFFFD\uFFFD\\\"\""},  // nor swallow what follows them
  };
  for (const Case& c : kCases) EXPECT_EQ(write(Value(c.value), Layout::compact), c.text);
  EXPECT_EQ(write(Object{{"a\n", 1}}, Layout::compact), R"({"a\n":1})");
}

TEST(WriteReadable, SmallValuesStayOnOneLine) {
  struct Case {
    std::string_view compact;
    std::string_view readable;
  };
  constexpr Case kCases[] = {
      {"1", "1\n"},
      {"[]", "[]\n"},
      {"{}", "{}\n"},
      {"[1,2]", "[1, 2]\n"},
      {R"({"a":1})", "{ \"a\": 1 }\n"},
      {R"({"a":1,"b":[1,{"c":{}}]})", "{ \"a\": 1, \"b\": [1, { \"c\": {} }] }\n"},
  };
  for (const Case& c : kCases) EXPECT_EQ(write(*parse(c.compact), Layout::readable), c.readable);
}

TEST(WriteReadable, WhatDoesNotFitIsBroken) {
  const std::string x(94, 'x');
  const Value value = Object{
      {"short", Array{1, 2, 3}},
      {"long", Array{x, Object{{"a", 1}}}},
      {"empty", Array{}},
      {"deep", Object{{"deeper", Object{{"deepest", x}, {"b", Value()}}}}},
  };
  EXPECT_EQ(write(value, Layout::readable), R"({
  "short": [1, 2, 3],
  "long": [
    ")" + x + R"(",
    { "a": 1 }
  ],
  "empty": [],
  "deep": {
    "deeper": {
      "deepest": ")" + x + R"(",
      "b": null
    }
  }
}
)");
}

// A line holds 100 columns: its indent, what stands before the value, and the comma after it.
TEST(WriteReadable, TheHundredthColumn) {
  const auto first_line = [](const Value& value) {
    const std::string text = write(value, Layout::readable);
    return text.substr(0, text.find('\n')).size();
  };
  EXPECT_EQ(first_line(Value(Object{{"k", std::string(89, 'x')}})), 100u);
  EXPECT_EQ(first_line(Value(Object{{"k", std::string(90, 'x')}})), 1u);
  // Columns, not bytes.
  std::string euros;
  for (int i = 0; i < 89; ++i) euros += "€";
  EXPECT_EQ(first_line(Value(Object{{"k", euros}})), 100u + 2 * 89);

  // Two spaces before and a comma after: 86 characters fill the line, without the comma 87.
  const auto broken = [](std::size_t first, std::size_t second) {
    const Value value =
        Array{Object{{"k", std::string(first, 'x')}}, Object{{"k", std::string(second, 'x')}}};
    const std::string text = write(value, Layout::readable);
    return std::pair(text.starts_with("[\n  {\n"), text.ends_with("\n  }\n]\n"));
  };
  EXPECT_EQ(broken(86, 87), std::pair(false, false));
  EXPECT_EQ(broken(87, 87), std::pair(true, false));
  EXPECT_EQ(broken(86, 88), std::pair(false, true));
}

TEST(Write, DeepAndWideValues) {
  Array many;
  for (int i = 0; i < 2'000; ++i) many.push_back(Object{{"name", i}, {"values", Array{0.1, 0.2}}});
  Value value = std::move(many);
  for (std::size_t level = 3; level < kMaxDepth; ++level)
    value = Array{std::string(200, 'x'), std::move(value)};
  for (const Layout layout : {Layout::compact, Layout::readable}) {
    const Result<Value> again = parse(write(value, layout));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, value);
  }
}

TEST(Writer, Streams) {
  Writer writer;
  writer.begin_object()
      .key("name")
      .string("a\"b")
      .key("numbers")
      .begin_array()
      .number(0.5)
      .number(kNan)
      .integer(7)
      .end_array()
      .key("flags")
      .begin_array()
      .boolean(true)
      .boolean(false)
      .null()
      .end_array()
      .key("empty")
      .begin_object()
      .end_object()
      .key("nested")
      .begin_array()
      .begin_array()
      .end_array()
      .begin_object()
      .end_object()
      .end_array()
      .key("tree")
      .value(Object{{"x", Array{1, 2}}})
      .key("last")
      .integer(std::numeric_limits<std::int64_t>::max())
      .end_object();
  EXPECT_EQ(writer.take(),
            R"({"name":"a\"b","numbers":[0.5,null,7],"flags":[true,false,null],"empty":{},)"
            R"("nested":[[],{}],"tree":{"x":[1,2]},"last":9223372036854775807})");
  writer.integer(1);  // it starts anew
  EXPECT_EQ(writer.take(), "1");
}

#if GTEST_HAS_DEATH_TEST
TEST(WriterDeathTest, CallsMustNest) {
  constexpr auto kFailed = "internal check failed";
  EXPECT_DEATH(Writer().end_object(), kFailed);
  EXPECT_DEATH(Writer().begin_array().end_object(), kFailed);
  EXPECT_DEATH(Writer().begin_object().integer(1), kFailed);
  EXPECT_DEATH(Writer().begin_object().key("a").key("b"), kFailed);
  EXPECT_DEATH(Writer().begin_object().key("a").end_object(), kFailed);
  EXPECT_DEATH(Writer().begin_array().key("a"), kFailed);
  EXPECT_DEATH(Writer().key("a"), kFailed);
  EXPECT_DEATH(Writer().integer(1).integer(2), kFailed);
  EXPECT_DEATH(static_cast<void>(Writer().begin_array().take()), kFailed);
  EXPECT_DEATH(static_cast<void>(Writer().take()), kFailed);
}
#endif

}  // namespace
}  // namespace roofbeam::json
