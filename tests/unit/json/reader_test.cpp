#include "engine/json/reader.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "engine/json/value.h"

namespace roofbeam::json {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array kOptimizers{"adamw"sv, "adamw8bit"sv, "sgd"sv};
constexpr std::array kOne{"only"sv};

Value parsed(std::string_view text) {
  Result<Value> result = parse(text);
  if (result) return *std::move(result);
  ADD_FAILURE() << text << ": " << result.errors().front().message;
  return {};
}

// "json.type /a: found null, wanted a text (hint)"
std::string line(const Diagnostic& problem) {
  return problem.code + " " + problem.path + ": " + problem.message +
         (problem.hint.empty() ? "" : " (" + problem.hint + ")");
}

std::vector<std::string> lines(const Diagnostics& problems) {
  std::vector<std::string> text;
  for (const Diagnostic& problem : problems) text.push_back(line(problem));
  return text;
}

TEST(Reader, TakesEveryKind) {
  const Value value = parsed(R"({
    "string": "abc", "number": -1.5, "positive": 0.5, "count": 1, "whole": 0, "least": -3, "boolean": true,
    "choice": "sgd", "value": null, "object": {"inner": 2}, "array": [1, 2]})");
  Diagnostics problems;
  Reader reader(value, "/root", problems);
  EXPECT_EQ(reader.path(), "/root");
  EXPECT_EQ(reader.path_of("a/b"), "/root/a~1b");
  EXPECT_EQ(reader.string("string"), "abc");
  EXPECT_EQ(reader.number("number"), -1.5);
  EXPECT_EQ(reader.positive_number("positive"), 0.5);
  EXPECT_EQ(reader.count("count"), 1);
  EXPECT_EQ(reader.whole("whole"), 0);
  EXPECT_EQ(reader.whole("least", -3), -3);
  EXPECT_TRUE(reader.boolean("boolean"));
  EXPECT_EQ(reader.choice("choice", kOptimizers), "sgd");
  EXPECT_TRUE(reader.value("value").is_null());
  Reader inner = reader.object("object");
  EXPECT_EQ(inner.path(), "/root/object");
  EXPECT_EQ(inner.count("inner"), 2);
  inner.done();
  EXPECT_EQ(reader.array("array"), (Array{1, 2}));
  reader.done();
  EXPECT_EQ(lines(problems), std::vector<std::string>());
}

TEST(Reader, OptionalKinds) {
  const Value value = parsed(R"({
    "string": "abc", "number": -1.5, "positive": 0.5, "count": 1, "whole": 0, "boolean": false,
    "choice": "sgd", "value": [], "object": {"inner": 2}, "array": [1, 2]})");
  Diagnostics problems;
  Reader reader(value, "", problems);
  EXPECT_EQ(reader.optional_string("string"), "abc");
  EXPECT_EQ(reader.optional_number("number"), -1.5);
  EXPECT_EQ(reader.optional_positive_number("positive"), 0.5);
  EXPECT_EQ(reader.optional_count("count"), 1);
  EXPECT_EQ(reader.optional_whole("whole"), 0);
  EXPECT_EQ(reader.optional_boolean("boolean"), false);
  EXPECT_EQ(reader.optional_choice("choice", kOptimizers), "sgd");
  ASSERT_NE(reader.optional_value("value"), nullptr);
  EXPECT_EQ(*reader.optional_value("value"), Value(Array{}));
  std::optional<Reader> inner = reader.optional_object("object");
  ASSERT_TRUE(inner.has_value());
  EXPECT_EQ(inner->count("inner"), 2);
  ASSERT_NE(reader.optional_array("array"), nullptr);
  EXPECT_EQ(*reader.optional_array("array"), (Array{1, 2}));
  reader.done();
  EXPECT_EQ(lines(problems), std::vector<std::string>());
}

// Everything that can be asked of one member "a", for the tables below.
enum class Ask {
  string,
  number,
  positive,
  count,
  whole,
  boolean,
  choice,
  one,
  value,
  object,
  array
};

constexpr Ask kEveryAsk[] = {Ask::string, Ask::number,  Ask::positive, Ask::count,
                             Ask::whole,  Ask::boolean, Ask::choice,   Ask::one,
                             Ask::value,  Ask::object,  Ask::array};

// Asks for a member that is not there or wrong, and checks what stands in for it.
void ask_required(Reader& reader, Ask what) {
  switch (what) {
    case Ask::string: {
      EXPECT_EQ(reader.string("a"), "");
      break;
    }
    case Ask::number: {
      EXPECT_EQ(reader.number("a"), 0);
      break;
    }
    case Ask::positive: {
      EXPECT_EQ(reader.positive_number("a"), 1);
      break;
    }
    case Ask::count: {
      EXPECT_EQ(reader.count("a"), 1);
      break;
    }
    case Ask::whole: {
      EXPECT_EQ(reader.whole("a", 3), 3);
      break;
    }
    case Ask::boolean: {
      EXPECT_FALSE(reader.boolean("a"));
      break;
    }
    case Ask::choice: {
      EXPECT_EQ(reader.choice("a", kOptimizers), "adamw");
      break;
    }
    case Ask::one: {
      EXPECT_EQ(reader.choice("a", kOne), "only");
      break;
    }
    case Ask::value: {
      EXPECT_TRUE(reader.value("a").is_null());
      break;
    }
    case Ask::object: {
      Reader inner = reader.object("a");  // what is not there has no members to miss
      EXPECT_EQ(inner.path(), "/a");
      EXPECT_EQ(inner.count("b"), 1);
      EXPECT_TRUE(inner.members().empty());
      inner.done();
      break;
    }
    case Ask::array: {
      EXPECT_TRUE(reader.array("a").empty());
      break;
    }
  }
}

bool optional_is_there(Reader& reader, Ask what) {
  switch (what) {
    case Ask::string:
      return reader.optional_string("a").has_value();
    case Ask::number:
      return reader.optional_number("a").has_value();
    case Ask::positive:
      return reader.optional_positive_number("a").has_value();
    case Ask::count:
      return reader.optional_count("a").has_value();
    case Ask::whole:
      return reader.optional_whole("a", 3).has_value();
    case Ask::boolean:
      return reader.optional_boolean("a").has_value();
    case Ask::choice:
      return reader.optional_choice("a", kOptimizers).has_value();
    case Ask::one:
      return reader.optional_choice("a", kOne).has_value();
    case Ask::value:
      return reader.optional_value("a") != nullptr;
    case Ask::object:
      return reader.optional_object("a").has_value();
    case Ask::array:
      return reader.optional_array("a") != nullptr;
  }
  return false;
}

TEST(Reader, AbsentAndNullOptionalsAreNothing) {
  for (const std::string_view text : {R"({})", R"({"a": null})"}) {
    const Value value = parsed(text);
    Diagnostics problems;
    Reader reader(value, "", problems);
    EXPECT_FALSE(reader.has("a"));
    for (const Ask what : kEveryAsk) EXPECT_FALSE(optional_is_there(reader, what));
    reader.done();
    EXPECT_EQ(lines(problems), std::vector<std::string>());
  }
}

struct Wrong {
  std::string_view value;
  Ask ask;
  std::string_view problem;  // but for the path
};

constexpr Wrong kWrong[] = {
    {"1", Ask::string, "json.type: found the number 1, wanted a text"},
    {"[]", Ask::string, "json.type: found a JSON array, wanted a text"},
    {"\"x\"", Ask::number, "json.type: found the text \"x\", wanted a finite number"},
    {"\"4.5\"", Ask::number,
     "json.type: found the text \"4.5\", wanted a finite number (write the number without quotes)"},
    {"true", Ask::number, "json.type: found true, wanted a finite number"},
    {"NaN", Ask::number, "json.not_finite: found the number NaN, wanted a finite number"},
    {"-Infinity", Ask::number,
     "json.not_finite: found the number -Infinity, wanted a finite number"},
    {"0", Ask::positive, "json.range: found the number 0, wanted a number greater than 0"},
    {"-0.5", Ask::positive, "json.range: found the number -0.5, wanted a number greater than 0"},
    {"Infinity", Ask::positive,
     "json.not_finite: found the number Infinity, wanted a number greater than 0"},
    {"{}", Ask::positive, "json.type: found a JSON object, wanted a number greater than 0"},
    {"\"abc\"", Ask::count,
     "json.type: found the text \"abc\", wanted a whole number of at least 1"},
    {"\"32\"", Ask::count,
     "json.type: found the text \"32\", wanted a whole number of at least 1 (write the number "
     "without "
     "quotes)"},
    {"0", Ask::count, "json.range: found the number 0, wanted a whole number of at least 1"},
    {"-32", Ask::count, "json.range: found the number -32, wanted a whole number of at least 1"},
    {"1.5", Ask::count,
     "json.not_whole: found the number 1.5, wanted a whole number of at least 1"},
    {"NaN", Ask::count,
     "json.not_finite: found the number NaN, wanted a whole number of at least 1"},
    {"Infinity", Ask::count,
     "json.not_finite: found the number Infinity, wanted a whole number of at least 1"},
    {"1e308", Ask::count, "json.range: found the number 1e+308, wanted a whole number below 2^63"},
    {"9223372036854775808", Ask::count,
     "json.range: found the number 9223372036854776000, wanted a whole number below 2^63"},
    {"-1e308", Ask::count,
     "json.range: found the number -1e+308, wanted a whole number of at least 1"},
    {"2", Ask::whole, "json.range: found the number 2, wanted a whole number of at least 3"},
    {"1", Ask::boolean, "json.type: found the number 1, wanted true or false"},
    {"\"true\"", Ask::boolean, "json.type: found the text \"true\", wanted true or false"},
    {"\"adam\"", Ask::choice,
     "json.choice: found the text \"adam\", wanted \"adamw\", \"adamw8bit\" or \"sgd\" (did you "
     "mean "
     "\"adamw\"?)"},
    {"\"lion\"", Ask::choice,
     "json.choice: found the text \"lion\", wanted \"adamw\", \"adamw8bit\" or \"sgd\""},
    {"\"<script>\"", Ask::one, "json.choice: found the text \"<script>\", wanted \"only\""},
    {"3", Ask::one, "json.type: found the number 3, wanted \"only\""},
    {"[]", Ask::object, "json.type: found a JSON array, wanted a JSON object"},
    {"{}", Ask::array, "json.type: found a JSON object, wanted a JSON array"},
};

TEST(Reader, WrongValues) {
  for (const Wrong& wrong : kWrong)
    for (const bool optional : {false, true}) {
      SCOPED_TRACE(std::string(wrong.value) + (optional ? ", optional" : ""));
      const Value value = parsed("{\"a\": " + std::string(wrong.value) + "}");
      Diagnostics problems;
      Reader reader(value, "", problems);
      if (optional)
        EXPECT_FALSE(optional_is_there(reader, wrong.ask));
      else
        ask_required(reader, wrong.ask);
      reader.done();
      ASSERT_EQ(problems.size(), 1u);
      EXPECT_EQ(problems.front().path, "/a");
      problems.front().path = "";
      std::string expected(wrong.problem);
      expected.insert(expected.find(':'), " ");
      EXPECT_EQ(line(problems.front()), expected);
    }
}

TEST(Reader, WholeNumbersInOtherSpellings) {
  struct Case {
    std::string_view text;
    std::int64_t value;
  };
  constexpr Case kCases[] = {
      {"4096", 4096},
      {"4096.0", 4096},
      {"4.096e3", 4096},
      {"9007199254740993", 9007199254740993},
      {"9223372036854775807", 9223372036854775807},
      {"9.2e18", 9200000000000000000},
  };
  for (const Case& c : kCases) {
    const Value value = parsed("{\"a\": " + std::string(c.text) + "}");
    Diagnostics problems;
    EXPECT_EQ(Reader(value, "", problems).count("a"), c.value);
    EXPECT_EQ(lines(problems), std::vector<std::string>());
  }
  const Value value = parsed(R"({"a": -9223372036854775808, "b": -9.3e18})");
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  Diagnostics problems;
  Reader reader(value, "", problems);
  EXPECT_EQ(reader.whole("a", kLeast), kLeast);
  EXPECT_EQ(reader.whole("b", kLeast), kLeast);
  EXPECT_EQ(lines(problems), std::vector<std::string>{
                                 "json.range /b: found the number -9300000000000000000, wanted a "
                                 "whole number of at least -9223372036854775808"});
}

TEST(Reader, MissingAndNullRequiredMembers) {
  struct Case {
    Ask ask;
    std::string_view wanted;
  };
  constexpr Case kCases[] = {
      {Ask::string, "a text"},
      {Ask::number, "a finite number"},
      {Ask::positive, "a number greater than 0"},
      {Ask::count, "a whole number of at least 1"},
      {Ask::whole, "a whole number of at least 3"},
      {Ask::boolean, "true or false"},
      {Ask::choice, "\"adamw\", \"adamw8bit\" or \"sgd\""},
      {Ask::value, "a value"},
      {Ask::object, "a JSON object"},
      {Ask::array, "a JSON array"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.wanted);
    const Value empty = Object{};
    Diagnostics problems;
    Reader missing(empty, "", problems);
    ask_required(missing, c.ask);
    EXPECT_EQ(lines(problems),
              std::vector<std::string>{"json.missing /a: the key \"a\" is missing, wanted " +
                                       std::string(c.wanted)});
    const Value null = Object{{"a", Value()}};
    problems.clear();
    Reader reader(null, "", problems);
    ask_required(reader, c.ask);
    if (c.ask == Ask::value)
      EXPECT_EQ(lines(problems), std::vector<std::string>());
    else
      EXPECT_EQ(lines(problems), std::vector<std::string>{"json.type /a: found null, wanted " +
                                                          std::string(c.wanted)});
  }
}

TEST(Reader, WhatIsNoObject) {
  const Value value = parsed("[1]");
  Diagnostics problems;
  Reader reader(value, "/options", problems);
  EXPECT_FALSE(reader.has("a"));
  EXPECT_EQ(reader.count("a"), 1);  // one problem is enough
  EXPECT_EQ(reader.optional_count("a"), std::nullopt);
  EXPECT_EQ(reader.object("b").string("c"), "");
  EXPECT_TRUE(reader.members().empty());
  reader.ignore("d");
  reader.done();
  EXPECT_EQ(lines(problems), std::vector<std::string>{
                                 "json.type /options: found a JSON array, wanted a JSON object"});
}

TEST(Reader, UnknownMembersInDocumentOrder) {
  const Value value =
      parsed(R"({"hiden_size": 1, "heads": 2, "zzz": 3, "HEADS2": 4, "ignored": 5})");
  Diagnostics problems;
  Reader reader(value, "/m", problems);
  reader.optional_count("hidden_size");
  reader.count("heads");
  reader.ignore("ignored");
  EXPECT_TRUE(problems.empty());  // nothing is unknown before done()
  reader.done();
  EXPECT_EQ(
      lines(problems),
      (std::vector<std::string>{
          "json.unknown_key /m/hiden_size: found the unknown key \"hiden_size\" (did you mean "
          "\"hidden_size\"?)",
          "json.unknown_key /m/zzz: found the unknown key \"zzz\" (known here: hidden_size, heads, "
          "ignored)",
          "json.unknown_key /m/HEADS2: found the unknown key \"HEADS2\" (did you mean "
          "\"heads\"?)"}));
}

TEST(Reader, EveryProblemAtOnce) {
  const Value value = parsed(R"({"layers": -1, "heads": "8", "sub": {"dim": 1.5, "dmi": 2}})");
  Diagnostics problems;
  Reader reader(value, "", problems);
  reader.count("layers");
  reader.count("heads");
  Reader sub = reader.object("sub");
  sub.count("dim");
  sub.done();
  reader.count("vocab_size");
  reader.done();
  std::vector<std::string> paths;
  for (const Diagnostic& problem : problems) paths.push_back(problem.code + " " + problem.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"json.range /layers", "json.type /heads",
                                             "json.not_whole /sub/dim", "json.unknown_key /sub/dmi",
                                             "json.missing /vocab_size"}));
}

TEST(Reader, MembersOfMapsWithFreeKeys) {
  const Value value = parsed(R"({"b": 1, "a": 2})");
  Diagnostics problems;
  Reader reader(value, "", problems);
  std::vector<std::string> keys;
  for (const Member& member : reader.members()) keys.push_back(member.first);
  EXPECT_EQ(keys, (std::vector<std::string>{"b", "a"}));
  reader.done();
  EXPECT_TRUE(problems.empty());
}

TEST(Reader, ProblemsOfTheCaller) {
  const Value value = parsed(R"({"heads": 7})");
  Diagnostics problems;
  Reader reader(value, "/attention", problems);
  reader.problem("heads", "import.heads", "7 does not divide 4096", "use 8");
  reader.problem("", "import.shape", "no attention at all");
  EXPECT_EQ(lines(problems), (std::vector<std::string>{
                                 "import.heads /attention/heads: 7 does not divide 4096 (use 8)",
                                 "import.shape /attention: no attention at all"}));
}

TEST(Reader, AMillionUnknownMembersAreCounted) {
  Object members;
  for (int i = 0; i < 1'000'000; ++i) members.emplace_back("key_" + std::to_string(i), i);
  const Value value = std::move(members);
  Diagnostics problems;
  Reader reader(value, "", problems);
  for (int i = 0; i < 50; ++i) reader.optional_count("known_" + std::to_string(i));
  reader.done();
  ASSERT_EQ(problems.size(), 1001u);
  EXPECT_EQ(line(problems[999]), "json.unknown_key /key_999: found the unknown key \"key_999\"");
  EXPECT_EQ(line(problems[1000]), "json.unknown_key : found 999000 more unknown keys");
}

}  // namespace
}  // namespace roofbeam::json
