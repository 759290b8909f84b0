// Expressions and patterns with the reference's results, one row a case:
// tests/goldens/expressions.json.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "engine/algebra/pattern.h"
#include "engine/json/value.h"

namespace roofbeam {
namespace {

class ExpressionGoldens : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(ROOFBEAM_SOURCE_DIR "/tests/goldens/expressions.json");
    std::stringstream text;
    text << file.rdbuf();
    Result<json::Value> parsed = json::parse(text.str());
    ASSERT_TRUE(parsed) << parsed.errors().front().message;
    goldens_ = *std::move(parsed);
    for (const auto& [name, value] : goldens_.find("symbols")->object()) {
      const bool runtime = name == "B" || name == "T";
      scope_.declare(name, value.number(), runtime ? SymbolKind::runtime : SymbolKind::design);
    }
  }

  const json::Array& rows(std::string_view section) {
    const json::Array& rows = goldens_.find(section)->array();
    EXPECT_FALSE(rows.empty()) << section;
    return rows;
  }

  static const std::string& string(const json::Value& row, std::string_view key) {
    return row.find(key)->string();
  }

  // A tensor's shape written as a pattern without "...".
  SymbolicShape shape(const std::string& text) {
    return *instantiate(*parse_pattern(text), scope_, {}, {});
  }

  json::Value goldens_;
  Scope scope_;
};

TEST_F(ExpressionGoldens, Values) {
  for (const json::Value& row : rows("values")) {
    const std::string& source = string(row, "source");
    const Result<Polynomial> value = evaluate_expression(source, scope_);
    ASSERT_TRUE(value) << source << ": " << value.errors().front().message;
    EXPECT_EQ(text(*value, scope_), string(row, "text")) << source;
    const double wanted = row.find("value")->number();
    EXPECT_NEAR(evaluated(*value, scope_), wanted, 1e-12 * std::abs(wanted)) << source;
  }
}

TEST_F(ExpressionGoldens, Errors) {
  for (const json::Value& row : rows("errors")) {
    const std::string& source = string(row, "source");
    const Result<Polynomial> value = evaluate_expression(source, scope_);
    ASSERT_FALSE(value) << source;
    ASSERT_EQ(value.errors().size(), 1u) << source;
    EXPECT_EQ(value.errors().front().code, string(row, "code")) << source;
    EXPECT_NE(value.errors().front().message.find(string(row, "message_contains")),
              std::string::npos)
        << source << ": " << value.errors().front().message;
  }
}

TEST_F(ExpressionGoldens, Shapes) {
  for (const json::Value& row : rows("shapes")) {
    const std::string& pattern = string(row, "pattern");
    const Result<SymbolicShape> made =
        instantiate(*parse_pattern(pattern), scope_, {}, shape("B T"));
    ASSERT_TRUE(made) << pattern;
    EXPECT_EQ(text(*made, scope_), string(row, "shape")) << pattern;
  }
}

TEST_F(ExpressionGoldens, PatternErrors) {
  for (const json::Value& row : rows("pattern_errors")) {
    const Result<Pattern> pattern = parse_pattern(string(row, "pattern"));
    ASSERT_FALSE(pattern) << string(row, "pattern");
    EXPECT_EQ(pattern.errors().front().code, string(row, "code")) << string(row, "pattern");
  }
}

TEST_F(ExpressionGoldens, Matches) {
  for (const json::Value& row : rows("matches")) {
    const std::string& pattern = string(row, "pattern");
    const Result<PatternMatch> found =
        match(*parse_pattern(pattern), shape(string(row, "actual")), scope_);
    ASSERT_TRUE(found) << pattern;
    EXPECT_EQ(found->mismatches.empty(), row.find("fits")->boolean()) << pattern;
    EXPECT_EQ(text(found->batch, scope_), string(row, "batch")) << pattern;
  }
}

}  // namespace
}  // namespace roofbeam
