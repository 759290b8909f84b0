#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/base/text.h"
#include "engine/json/value.h"

namespace roofbeam::json {
namespace {

using std::string_view_literals::operator""sv;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string nested(std::string_view open, std::string_view inside, std::string_view close,
                   std::size_t levels) {
  return repeated(open, levels) + std::string(inside) + repeated(close, levels);
}

Value parsed(std::string_view text) {
  Result<Value> result = parse(text);
  if (result) return *std::move(result);
  ADD_FAILURE() << roofbeam::quoted(text) << ": " << result.errors().front().message;
  return {};
}

TEST(Parse, Values) {
  struct Case {
    std::string_view text;
    Value value;
  };
  const Case kCases[] = {
      {"null", Value()},
      {" true\r\n", true},
      {"\tfalse", false},
      {"0", 0},
      {"-0", 0},
      {"-0.0", -0.0},
      {"4096", 4096},
      {"4096.0", 4096.0},
      {"1e5", 1e5},
      {"1E+5", 1e5},
      {"2.5e-3", 0.0025},
      {"\"\"", ""},
      {"\"abc\"", "abc"},
      {"[]", Array{}},
      {"[1,\"a\",null]", Array{1, "a", Value()}},
      {"{}", Object{}},
      {"{\"b\":1,\"a\":{\"c\":[true]}}", Object{{"b", 1}, {"a", Object{{"c", Array{true}}}}}},
      {"{\"\":1}", Object{{"", 1}}},
      {"[[],{},[[]],[{}]]", Array{Array{}, Object{}, Array{Value(Array{})}, Array{Object{}}}},
      {"\xEF\xBB\xBF{\"a\":1}", Object{{"a", 1}}},  // a byte order mark of UTF-8
  };
  for (const Case& c : kCases) EXPECT_EQ(parsed(c.text), c.value) << c.text;
}

TEST(Parse, Strings) {
  struct Case {
    std::string_view text;
    std::string_view value;
  };
  constexpr Case kCases[] = {
      {R"("\" \\ \/ \b \f \n \r \t")", "\" \\ / \b \f \n \r \t"},
      {R"("\u0041\u00e9\u20AC")", "Aé€"},
      {R"("\ud83d\ude00")", "😀"},
      {R"("\u0000a")", "\0a"sv},
      {"\"é€😀\x7F\"", "é€😀\x7F"},
      {R"("<script>alert(1)</script>")", "<script>alert(1)</script>"},
  };
  for (const Case& c : kCases) EXPECT_EQ(parsed(c.text), Value(c.value)) << c.text;
  EXPECT_EQ(parsed(R"({"\u0061\u0000b":1})").object().front().first, "a\0b"sv);
}

TEST(Parse, NumbersAtTheLimits) {
  struct Case {
    std::string_view text;
    Value value;
  };
  const Case kCases[] = {
      {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
      {"9007199254740993", std::int64_t{9007199254740993}},
      {"9223372036854775808", 9223372036854775808.0},    // beyond 64 bits with sign: a double
      {"18446744073709551615", 18446744073709551616.0},  // the last of 64 bits without
      {"18446744073709551616", 18446744073709551616.0},  // beyond 64 bits
      {"28446744073709551616", 28446744073709551616.0},
      {"-9223372036854775809", -9223372036854775808.0},
      {"123456789012345678901234567890", 1.2345678901234568e29},
      {"1e308", 1e308},
      {"1.7976931348623157e308", std::numeric_limits<double>::max()},
      {"0.00000000000000000000000000000000000000000001e352", 1e308},
      {"5e-324", 5e-324},
      {"1e-400", 0.0},
      {"-1e-400", -0.0},
      {"0e999999999999999999999", 0.0},
      {"0.0e999", 0.0},
      {"1e-999999999999999999999", 0.0},
  };
  for (const Case& c : kCases) EXPECT_EQ(parsed(c.text), c.value) << c.text;
  EXPECT_TRUE(std::signbit(parsed("-0.0").number()));
}

TEST(Parse, IntegersBeyond64BitsKeepTheirNeighbours) {
  const Value value = parsed("[1, 123456789012345678901234567890, 2, NaN, 3, -Infinity]");
  ASSERT_EQ(value.array().size(), 6u);
  EXPECT_EQ(value.array()[0], Value(1));
  EXPECT_EQ(value.array()[1], Value(123456789012345678901234567890.0));
  EXPECT_EQ(value.array()[2], Value(2));
  EXPECT_TRUE(std::isnan(value.array()[3].number()));
  EXPECT_EQ(value.array()[4], Value(3));
  EXPECT_EQ(value.array()[5], Value(-kInfinity));
  EXPECT_EQ(parsed(repeated("1", 308)), Value(1.1111111111111111e307));
}

TEST(Parse, NonFiniteNumbersOfPython) {
  const Value value = parsed(
      R"({"a": NaN, "b": [Infinity, -Infinity], "c": 1.5, "text": "NaN and \" -Infinity", "NaN": 2})");
  EXPECT_TRUE(std::isnan(value.find("a")->number()));
  EXPECT_EQ(*value.find("b"), Value(Array{kInfinity, -kInfinity}));
  EXPECT_EQ(*value.find("c"), Value(1.5));
  EXPECT_EQ(*value.find("text"), Value("NaN and \" -Infinity"));
  EXPECT_EQ(*value.find("NaN"), Value(2));
  EXPECT_EQ(parsed("Infinity"), Value(kInfinity));
}

struct Fault {
  std::string_view text;
  std::string_view code;
  std::string_view message;
  std::string_view hint;
};

void expect_fault(const Fault& fault) {
  SCOPED_TRACE(roofbeam::quoted(fault.text));
  const Result<Value> result = parse(fault.text);
  ASSERT_FALSE(result);
  ASSERT_EQ(result.errors().size(), 1u);
  const Diagnostic& error = result.errors().front();
  EXPECT_EQ(error.code, fault.code);
  EXPECT_EQ(error.path, "");
  EXPECT_EQ(error.message, fault.message);
  EXPECT_EQ(error.hint, fault.hint);
}

TEST(ParseFaults, Empty) {
  for (const std::string_view text : {"", " \r\n\t ", "\xEF\xBB\xBF", "\xEF\xBB\xBF \n"})
    expect_fault({text, "json.empty", "found an empty text, wanted a JSON value", ""});
}

TEST(ParseFaults, Encoding) {
  constexpr std::string_view kUtf16 = "found text in UTF-16, wanted UTF-8";
  constexpr std::string_view kUtf32 = "found text in UTF-32, wanted UTF-8";
  constexpr std::string_view kSave = "save the file as UTF-8";
  constexpr std::string_view kText = "save the file as UTF-8; is it a text file at all?";
  const Fault kFaults[] = {
      {"\xFF\xFE{\0}\0"sv, "json.encoding", kUtf16, kSave},
      {"\xFE\xFF\0{\0}"sv, "json.encoding", kUtf16, kSave},
      {"{\0}\0"sv, "json.encoding", kUtf16, kSave},
      {"\0{\0}"sv, "json.encoding", kUtf16, kSave},
      {"1\0"sv, "json.encoding", kUtf16, kSave},
      {"\xFF\xFE\0\0{\0\0\0"sv, "json.encoding", kUtf32, kSave},
      {"\0\0\xFE\xFF\0\0\0{"sv, "json.encoding", kUtf32, kSave},
      {"{\0\0\0}\0\0\0"sv, "json.encoding", kUtf32, kSave},
      {"\0\0\0{\0\0\0}"sv, "json.encoding", kUtf32, kSave},
      {"{\"a\":\n \"\xC3(\"}", "json.encoding",
       "line 2, column 3: found the byte \"\\xc3\", wanted UTF-8 text", kText},
      {"{\"\xED\xA0\x80\":1}", "json.encoding",
       "line 1, column 3: found the byte \"\\xed\", wanted UTF-8 text", kText},
      {"\x1F\x8B\x08", "json.encoding",
       "line 1, column 2: found the byte \"\\x8b\", wanted UTF-8 text", kText},
      {"{\"a\": 1} \xFF", "json.encoding",
       "line 1, column 10: found the byte \"\\xff\", wanted UTF-8 text", kText},
  };
  for (const Fault& fault : kFaults) expect_fault(fault);
}

TEST(ParseFaults, Grammar) {
  constexpr std::string_view kCode = "json.syntax";
  const Fault kFaults[] = {
      {"hello", kCode, "line 1, column 1: found \"hello\", wanted a value",
       "a text needs double quotes around it"},
      {"<!doctype html>", kCode, "line 1, column 1: found \"<\", wanted a value",
       "this looks like a web page: download the file itself"},
      {"{\n  \"a\": 1,\n}", kCode, "line 3, column 1: found \"}\", wanted a key in double quotes",
       "remove the comma before it"},
      {"[1, 2, ]", kCode, "line 1, column 8: found \"]\", wanted a value",
       "remove the comma before it"},
      {"[,1]", kCode, "line 1, column 2: found \",\", wanted a value or \"]\"", ""},
      {"{,}", kCode, "line 1, column 2: found \",\", wanted a key in double quotes or \"}\"", ""},
      {"{a: 1}", kCode, "line 1, column 2: found \"a\", wanted a key in double quotes or \"}\"",
       "a text needs double quotes around it"},
      {"{'a': 1}", kCode, "line 1, column 2: found \"'\", wanted a key in double quotes or \"}\"",
       "JSON puts text in double quotes"},
      {"{\"a\" 1}", kCode, "line 1, column 6: found \"1\", wanted a colon after the key", ""},
      {"{\"a\": }", kCode, "line 1, column 7: found \"}\", wanted a value", ""},
      {"{\"a\": 1 \"b\": 2}", kCode, "line 1, column 9: found \"\"\", wanted a comma or \"}\"", ""},
      {"[1 2]", kCode, "line 1, column 4: found \"2\", wanted a comma or \"]\"", ""},
      {"[1}", kCode, "line 1, column 3: found \"}\", wanted a comma or \"]\"", ""},
      {"{\"a\": True}", kCode, "line 1, column 7: found \"True\", wanted a value",
       "JSON spells it true"},
      {"[None]", kCode, "line 1, column 2: found \"None\", wanted a value or \"]\"",
       "JSON spells it null"},
      {"truex", kCode, "line 1, column 1: found \"truex\", wanted a value",
       "a text needs double quotes around it"},
      {"[1, // one\n2]", kCode, "line 1, column 5: found \"/\", wanted a value",
       "JSON has no comments: remove them"},
      {"[1 // one\n]", kCode, "line 1, column 4: found \"/\", wanted a comma or \"]\"",
       "JSON has no comments: remove them"},
      {"{\"é€\": 1,\r\n\"b\": ?}", kCode, "line 2, column 6: found \"?\", wanted a value", ""},
      {"1 2", kCode, "line 1, column 3: found \"2\", wanted nothing after the value", ""},
      {"{}{}", kCode, "line 1, column 3: found \"{\", wanted nothing after the value",
       "give one JSON value, not several"},
      {"{}]", kCode, "line 1, column 3: found \"]\", wanted nothing after the value", ""},
      {"1\0"
       "2"sv,
       "json.encoding", "found text in UTF-16, wanted UTF-8", "save the file as UTF-8"},
      {"[1]\0"sv, kCode, "line 1, column 4: found \"\\u0000\", wanted nothing after the value", ""},
      {"]", kCode, "line 1, column 1: found \"]\", wanted a value", ""},
  };
  for (const Fault& fault : kFaults) expect_fault(fault);
}

TEST(ParseFaults, CutOff) {
  constexpr std::string_view kCode = "json.syntax";
  const Fault kFaults[] = {
      {"{", kCode,
       "line 1, column 2: found the end of the text, wanted a key in double quotes or \"}\"",
       "the object opened at line 1, column 1 is not closed; is the text cut off?"},
      {"{\"a\"", kCode, "line 1, column 5: found the end of the text, wanted a colon after the key",
       "the object opened at line 1, column 1 is not closed; is the text cut off?"},
      {"{\"a\":\n [1,", kCode, "line 2, column 5: found the end of the text, wanted a value",
       "the array opened at line 2, column 2 is not closed; is the text cut off?"},
      {"[1", kCode, "line 1, column 3: found the end of the text, wanted a comma or \"]\"",
       "the array opened at line 1, column 1 is not closed; is the text cut off?"},
      {"\"abc", kCode, "line 1, column 5: found the end of the text, wanted a closing quote",
       "the quote at line 1, column 1 is not closed; is the text cut off?"},
      {"{\"abc", kCode, "line 1, column 6: found the end of the text, wanted a closing quote",
       "the quote at line 1, column 2 is not closed; is the text cut off?"},
      {"\"abc\\", kCode,
       "line 1, column 5: found the escape \"\\\", wanted one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t "
       "\\u",
       "a backslash itself is written \\\\"},
      {"tru", kCode, "line 1, column 1: found \"tru\", wanted a value",
       "a text needs double quotes around it"},
      {"-", kCode, "line 1, column 1: found \"-\", wanted a digit after the minus sign", ""},
  };
  for (const Fault& fault : kFaults) expect_fault(fault);
}

TEST(ParseFaults, Numbers) {
  constexpr std::string_view kCode = "json.syntax";
  const Fault kFaults[] = {
      {"012", kCode, "line 1, column 1: found \"012\", wanted a number without leading zeros", ""},
      {"-01", kCode, "line 1, column 1: found \"-01\", wanted a number without leading zeros", ""},
      {"1.", kCode, "line 1, column 1: found \"1.\", wanted a digit after the decimal point", ""},
      {"[1.e5]", kCode, "line 1, column 2: found \"1.e5\", wanted a digit after the decimal point",
       ""},
      {".5", kCode, "line 1, column 1: found \".\", wanted a value",
       "a JSON number needs a digit before the point"},
      {"+1", kCode, "line 1, column 1: found \"+\", wanted a value",
       "a JSON number takes no plus sign"},
      {"1e", kCode, "line 1, column 1: found \"1e\", wanted a digit in the exponent", ""},
      {"1e+", kCode, "line 1, column 1: found \"1e+\", wanted a digit in the exponent", ""},
      {"1_000", kCode, "line 1, column 1: found \"1_000\", wanted a number", ""},
      {"0x10", kCode, "line 1, column 1: found \"0x10\", wanted a number", ""},
      {"1.2.3", kCode, "line 1, column 1: found \"1.2.3\", wanted a number", ""},
      {"--1", kCode, "line 1, column 1: found \"--1\", wanted a digit after the minus sign", ""},
      {"-NaN", kCode, "line 1, column 1: found \"-NaN\", wanted a digit after the minus sign", ""},
      {"nan", kCode, "line 1, column 1: found \"nan\", wanted a value",
       "write NaN, or better a number"},
      {"Infinityx", kCode, "line 1, column 1: found \"Infinityx\", wanted a value",
       "a text needs double quotes around it"},
      {"{NaN: 1}", kCode, "line 1, column 2: found \"NaN\", wanted a key in double quotes or \"}\"",
       "a text needs double quotes around it"},
      {"NaN NaN", kCode, "line 1, column 5: found \"NaN\", wanted nothing after the value", ""},
  };
  for (const Fault& fault : kFaults) expect_fault(fault);
}

TEST(ParseFaults, Strings) {
  constexpr std::string_view kCode = "json.syntax";
  const Fault kFaults[] = {
      {"[\"a\nb\"]", kCode,
       "line 1, column 4: found a line break inside a text, wanted its closing quote",
       "a line break inside a text is written \\n"},
      {"\"a\tb\"", kCode,
       "line 1, column 3: found the control character \"\\t\" inside a text, wanted it escaped",
       "a control character is written as \\t or \\u00XX"},
      {"\"a\0b\""sv, kCode,
       "line 1, column 3: found the control character \"\\u0000\" inside a text, wanted it escaped",
       "a control character is written as \\t or \\u00XX"},
      {R"("C:\models")", kCode,
       "line 1, column 4: found the escape \"\\m\", wanted one of \\\" \\\\ \\/ \\b \\f \\n \\r "
       "\\t "
       "\\u",
       "a backslash itself is written \\\\"},
      {R"("\u12G4")", kCode,
       "line 1, column 2: found the escape \"\\u\", wanted four hexadecimal digits after it", ""},
      {R"("\u12")", kCode,
       "line 1, column 2: found the escape \"\\u\", wanted four hexadecimal digits after it", ""},
      {R"("\ud800")", kCode,
       "line 1, column 2: found the escape \"\\ud800\", half of a surrogate pair, wanted both "
       "halves",
       ""},
      {R"("\ud83dA")", kCode,
       "line 1, column 2: found the escape \"\\ud83d\", half of a surrogate pair, wanted both "
       "halves",
       ""},
      {R"("\ud83d\u0041")", kCode,
       "line 1, column 2: found the escape \"\\ud83d\", half of a surrogate pair, wanted both "
       "halves",
       ""},
      {R"("\ude00\ud83d")", kCode,
       "line 1, column 2: found the escape \"\\ude00\", half of a surrogate pair, wanted both "
       "halves",
       ""},
  };
  for (const Fault& fault : kFaults) expect_fault(fault);
}

TEST(ParseFaults, NumberRange) {
  const std::string_view kTokens[] = {
      "1e309", "-1e309", "1.7976931348623159e308", "1e99999999999999999999", "0.01e311",
  };
  for (const std::string_view token : kTokens) {
    SCOPED_TRACE(token);
    const Result<Value> result = parse("{\"a/b\": [1, " + std::string(token) + "]}");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.errors(),
              (Diagnostics{{.code = "json.number_range",
                            .path = "/a~1b/1",
                            .message = "found the number " + std::string(token) +
                                       ", wanted one between -1.7976931348623157e+308 and "
                                       "1.7976931348623157e+308",
                            .hint = ""}}));
  }
  EXPECT_FALSE(parse(repeated("9", 400)));
  EXPECT_FALSE(parse("-" + repeated("9", 400)));
  EXPECT_LT(parse(repeated("9", 400)).errors().front().message.size(), 200u);
}

// 2^1024 - 2^970 lies half way between the largest double and 2^1024.
TEST(ParseFaults, TheFirstNumberBeyondDoubles) {
  const std::string limit =
      "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
      "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
      "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704"
      "342711559699508093042880177904174497792";
  const std::string just_below = limit.substr(0, limit.size() - 1) + "1";
  EXPECT_FALSE(parse(limit));
  EXPECT_FALSE(parse(limit + ".0"));
  EXPECT_FALSE(parse("1." + limit.substr(1) + "e308"));
  EXPECT_EQ(parsed(just_below), Value(std::numeric_limits<double>::max()));
  EXPECT_EQ(parsed("-1." + just_below.substr(1) + "e308"),
            Value(-std::numeric_limits<double>::max()));
}

TEST(ParseFaults, DuplicateKeysAreAllReported) {
  const Result<Value> result = parse(
      R"({"a": 1, "b": {"c": 1, "d": 2, "c": 3, "d": 4, "c": 5}, "a": 2, "x/y": 1, "x\/y": 2, "z": 1e999})");
  ASSERT_FALSE(result);
  std::vector<std::string> found;
  for (const Diagnostic& error : result.errors())
    found.push_back(error.code + " " + error.path + ": " + error.message);
  EXPECT_EQ(
      found,
      (std::vector<std::string>{
          "json.number_range /z: found the number 1e999, wanted one between "
          "-1.7976931348623157e+308 and 1.7976931348623157e+308",
          "json.duplicate_key /b/c: found the key \"c\" 3 times in one object, wanted it once",
          "json.duplicate_key /b/d: found the key \"d\" 2 times in one object, wanted it once",
          "json.duplicate_key /a: found the key \"a\" 2 times in one object, wanted it once",
          "json.duplicate_key /x~1y: found the key \"x/y\" 2 times in one object, wanted it "
          "once"}));
  EXPECT_FALSE(parse(R"([{}, {"a": 1, "a": 1}])"));
  EXPECT_TRUE(parse(R"([{"a": 1}, {"a": 1}, {"b": {"a": 1}, "a": 1, "A": 2, "": 3}])"));
}

// Keys of equal ends and lengths look alike to the fingerprint that comes before the comparison.
TEST(ParseFaults, DuplicateKeysThatLookAlike) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i)
    text += "\"layers_0_" + std::to_string(1000 + i) + "_weight_scale\":0,";
  EXPECT_TRUE(parse(text + "\"last\":0}"));
  const Result<Value> result = parse(text + "\"layers_0_1500_weight_scale\":0}");
  ASSERT_FALSE(result);
  ASSERT_EQ(result.errors().size(), 1u);
  EXPECT_EQ(result.errors().front().path, "/layers_0_1500_weight_scale");
}

TEST(ParseFaults, Depth) {
  EXPECT_TRUE(parse(nested("[", "", "]", kMaxDepth)));
  EXPECT_TRUE(parse(nested("[", "1", "]", kMaxDepth)));
  EXPECT_TRUE(parse(nested("{\"a\":", "1", "}", kMaxDepth)));
  EXPECT_TRUE(parse(nested("{\"a\":[", "NaN", "]}", kMaxDepth / 2)));

  const std::string message = "found more than 256 nested levels, wanted fewer";
  for (const std::size_t levels :
       {kMaxDepth + 1, kMaxDepth + 2, std::size_t{10'000}, std::size_t{5'000'000}}) {
    SCOPED_TRACE(levels);
    expect_fault(
        {nested("[", "", "]", levels), "json.too_deep", "line 1, column 257: " + message, ""});
  }
  expect_fault(
      {nested("[\n", "{}", "]", kMaxDepth), "json.too_deep", "line 257, column 1: " + message, ""});
  expect_fault({nested("{\"a\":", "1", "}", 10'000), "json.too_deep",
                "line 1, column 1281: " + message, ""});
  expect_fault({repeated("[", 10'000), "json.too_deep", "line 1, column 257: " + message, ""});
}

TEST(ParseFaults, Size) {
  std::string text = "\"" + std::string(kMaxTextBytes - 2, 'a') + "\"";
  EXPECT_TRUE(parse(text));
  text += ' ';
  expect_fault(
      {text, "json.too_large", "found a text of 16777217 bytes, wanted at most 16777216", ""});
}

// Each takes a moment, and more than the time limit of a test if any step were quadratic.
TEST(ParseCost, HostileTexts) {
  struct Case {
    const char* name;
    std::string text;
    bool valid;
  };
  std::string many_keys = "{";
  for (int i = 0; i < 700'000; ++i) many_keys += "\"key_" + std::to_string(i) + "\":0,";
  std::string pairs = "[";
  for (int i = 0; i < 300'000; ++i) pairs += R"({"a":0,"a":1},)";
  const std::string long_key = "{\"" + std::string(1 << 20, 'k') + "\":{";
  std::string below_long_key = long_key;
  for (int i = 0; i < 50'000; ++i) below_long_key += "\"" + std::to_string(i / 2) + "\":0,";

  const Case kCases[] = {
      {"700,000 keys", many_keys + "\"z\":0}", true},
      {"700,000 keys, a duplicate", many_keys + "\"key_7\":0}", false},
      {"one key a million times", "{" + repeated("\"a\":0,", 1'000'000) + "\"a\":0}", false},
      {"300,000 objects with duplicates", pairs + "0]", false},
      {"duplicates below a key of 1 MiB", below_long_key + "\"z\":0}}", false},
      {"a million NaN", "[" + repeated("NaN,", 1'000'000) + "0]", true},
      {"500,000 numbers beyond 64 bits", "[" + repeated("99999999999999999999,", 500'000) + "0]",
       true},
      {"a million numbers beyond doubles", "[" + repeated("1e309,", 1'000'000) + "0]", false},
      {"a number of 16 million digits", "0." + std::string(16'000'000, '7'), true},
      {"a million lines before the fault", repeated("\n", 1'000'000) + "?", false},
      {"a million empty arrays", "[" + repeated("[],", 1'000'000) + "[]]", true},
      {"a million open quotes", repeated("\"", 1'000'001), false},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const Result<Value> result = parse(c.text);
    EXPECT_EQ(static_cast<bool>(result), c.valid);
    EXPECT_LE(result.errors().size(), 1001u);
    std::size_t bytes = 0;
    for (const Diagnostic& error : result.errors())
      bytes += error.path.size() + error.message.size();
    EXPECT_LT(bytes, std::size_t{4} << 20);
  }
}

TEST(ParseCost, WhatIsNotListedIsCounted) {
  std::string text = "{";
  for (int i = 0; i < 3000; ++i) text += "\"" + std::to_string(i / 2) + "\":0,";
  const Result<Value> result = parse(text + "\"z\":0}");
  ASSERT_FALSE(result);
  ASSERT_EQ(result.errors().size(), 1001u);
  EXPECT_EQ(result.errors()[999].path, "/999");
  EXPECT_EQ(result.errors()[1000].code, "json.duplicate_key");
  EXPECT_EQ(result.errors()[1000].message, "and 500 more of this kind");
}

}  // namespace
}  // namespace roofbeam::json
