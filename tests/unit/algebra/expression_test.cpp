#include "engine/algebra/expression.h"

#include <gtest/gtest.h>

#include <limits>

namespace roofbeam {
namespace {

Scope example_scope() {
  Scope scope;
  scope.declare("B", 4, SymbolKind::runtime);
  scope.declare("T", 2048, SymbolKind::runtime);
  scope.declare("D", 4096, SymbolKind::design);
  scope.declare("H", 32, SymbolKind::design);
  scope.declare("Hkv", 8, SymbolKind::design);
  scope.declare("dh", 128, SymbolKind::design);
  scope.declare("hidden_size", 4096, SymbolKind::design);
  return scope;
}

std::string times(std::size_t count, const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

TEST(Expression, PrintsTheValueItReads) {
  struct Case {
    std::string source;
    std::string text;
  };
  const Scope scope = example_scope();
  for (const Case& c : {
           Case{"-D^2", "-D^2"},
           Case{"2^3^2", "512"},
           Case{"(0 - 2)^3", "-8"},
           Case{"D^0", "1"},
           Case{"0^0", "1"},
           Case{"---D", "-D"},
           Case{"2 - -3", "5"},
           Case{" \tD\n* 2 ", "2*D"},
           Case{"1_000_000 * .5", "500000"},
           Case{"2.5E-1*D", "1/4*D"},
           Case{"1e+2", "100"},
           Case{"0.1 + 0.2", "3/10"},
           Case{"9223372036854775807", "9223372036854775807"},
           Case{"(D + T)*(D - T)", "D^2 - T^2"},
           Case{"(D*T + T)/T", "D + 1"},
           Case{"(D^2 + D)/D", "D + 1"},
           Case{"(D + H)/D", "129/128"},  // no polynomial: (4096 + 32)/4096
           Case{"T^2*B - 1/2", "B*T^2 - 1/2"},
           Case{"max(1, 3, 2) + min(4, 5)", "7"},
           Case{"round(5/2) + round(0 - 5/2)", "1"},  // 3 and -2: halves go up
           Case{"round_mult(5, 2) + ceil_mult(5, 2) + floor_mult(5, 2)", "16"},  // 6 + 6 + 4
           Case{"floor(T/3)", "682"},
           Case{"D^(2 + 1)", "D^3"},
       }) {
    const Result<Polynomial> value = evaluate_expression(c.source, scope);
    ASSERT_TRUE(value) << c.source << ": " << value.errors().front().message;
    EXPECT_EQ(text(*value, scope), c.text) << c.source;
  }
}

TEST(Expression, FloorOfAnExactMultipleIsThatMultiple) {
  // 1/49 as a double times 49 is below one: the numerator is multiplied first.
  Scope scope;
  scope.declare("D", 49, SymbolKind::design);
  scope.declare("E", 98, SymbolKind::design);
  EXPECT_EQ(text(*evaluate_expression("floor(1/49*D)", scope), scope), "1");
  EXPECT_EQ(text(*evaluate_expression("floor(1/49*D + 1/3*E + 1/6*E)", scope), scope), "50");
}

TEST(Expression, ReportsWhatIsWrongAndWhere) {
  struct Case {
    std::string source;
    std::string code;
    std::string message_contains;
    std::string hint;
  };
  const Scope scope = example_scope();
  for (const Case& c : {
           Case{"", "expression.unexpected_end", "position 0", ""},
           Case{"(D", "expression.unexpected_end", "position 2", ""},
           Case{"min(D,", "expression.unexpected_end", "position 6", ""},
           Case{"D D", "expression.unexpected_character", "position 2: found \"D\"", ""},
           Case{"D)", "expression.unexpected_character", "position 1: found \")\"", ""},
           Case{"+D", "expression.unexpected_character", "position 0", ""},
           Case{"D*é", "expression.unexpected_character", "position 2: found \"é\"", ""},
           Case{"1_", "expression.unexpected_character", "position 1", ""},
           Case{"1__0", "expression.unexpected_character", "position 1", ""},
           Case{"2D", "expression.unexpected_character", "position 1", ""},
           Case{"hiden_size", "expression.unknown_symbol", "\"hiden_size\"",
                "did you mean \"hidden_size\"?"},
           Case{"flor(D)", "expression.unknown_function", "\"flor\"", "did you mean \"floor\"?"},
           Case{"D(2)", "expression.unknown_function", "\"D\"", ""},
           Case{"min(D)", "expression.argument_count", "takes 2 or more, found 1", ""},
           Case{"sqrt()", "expression.argument_count", "takes 1, found 0", ""},
           Case{"D^0.5", "expression.exponent", "found 0.5", ""},
           Case{"D/(D - D)", "expression.division_by_zero", "division by zero", ""},
           Case{"D/(H*dh - D)", "expression.division_by_zero", "H*dh - D is 0", ""},
           Case{"ceil_mult(D, 0)", "expression.division_by_zero", "division by zero", ""},
           Case{"sqrt(0 - 4)", "expression.not_finite", "sqrt of -4", ""},
           Case{"log2(0)", "expression.not_finite", "log2 of 0", ""},
           Case{"2^63", "expression.overflow", "64-bit", ""},
           Case{"1e19", "expression.overflow", "\"1e19\"", ""},
           Case{"1e-13", "expression.overflow", "\"1e-13\"", ""},
       }) {
    const Result<Polynomial> value = evaluate_expression(c.source, scope);
    ASSERT_FALSE(value) << c.source;
    ASSERT_EQ(value.errors().size(), 1u) << c.source;
    const Diagnostic& problem = value.errors().front();
    EXPECT_EQ(problem.code, c.code) << c.source;
    EXPECT_NE(problem.message.find(c.message_contains), std::string::npos)
        << c.source << ": " << problem.message;
    EXPECT_EQ(problem.hint, c.hint) << c.source;
    EXPECT_EQ(problem.path, "");
  }
}

TEST(Expression, ReportsEveryMistakeOnce) {
  const Result<Polynomial> value =
      evaluate_expression("Hkw*flor(D) + 1/0 + Hkw + sqrt(Hkw)", example_scope());
  ASSERT_FALSE(value);
  std::vector<std::string> codes;
  for (const Diagnostic& problem : value.errors()) codes.push_back(problem.code);
  EXPECT_EQ(codes,
            (std::vector<std::string>{"expression.unknown_symbol", "expression.unknown_function",
                                      "expression.division_by_zero"}));
}

TEST(Expression, BoundsWhatHostileTextCosts) {
  struct Case {
    std::string source;
    std::string code;
  };
  const Scope scope = example_scope();
  for (const Case& c : {
           Case{times(10'000, "("), "expression.too_deep"},
           Case{times(201, "(") + "D" + times(201, ")"), "expression.too_deep"},
           Case{times(10'000, "abs("), "expression.too_deep"},
           Case{times(10'000, "2^") + "1", "expression.too_deep"},
           Case{times(1 << 20, "+"), "expression.too_large"},
           Case{times(60'000, "-"), "expression.unexpected_end"},
           Case{"D^1000000", "expression.too_large"},
           Case{"D^65", "expression.too_large"},
           Case{"1^1000000", "expression.too_large"},
           Case{"(D^32)*(D^33)", "expression.too_large"},
           Case{"(B + T + D + H)^40", "expression.too_large"},
           Case{"1" + times(3000, "*(B + T + D + H)"), "expression.too_large"},
           Case{"1" + times(3000, "+(B + T + D + H)^6"), "expression.too_large"},
       }) {
    const Result<Polynomial> value = evaluate_expression(c.source, scope);
    ASSERT_FALSE(value) << c.source.substr(0, 40);
    EXPECT_LE(value.errors().size(), 2u) << c.source.substr(0, 40);
    EXPECT_EQ(value.errors().front().code, c.code) << c.source.substr(0, 40);
  }
  EXPECT_TRUE(evaluate_expression(times(200, "(") + "D" + times(200, ")"), scope));
  EXPECT_TRUE(evaluate_expression(times(10'000, "1+") + "1", scope));
  EXPECT_TRUE(evaluate_expression("D^64", scope));
}

TEST(Expression, BindingsShadowSymbols) {
  const Scope scope = example_scope();
  const Polynomial heads = *evaluate_expression("2*H", scope);
  const Binding bindings[] = {{"heads", &heads}, {"D", &heads}};
  EXPECT_EQ(text(*evaluate_expression("heads*dh", scope, bindings), scope), "2*H*dh");
  EXPECT_EQ(text(*evaluate_expression("D + 1", scope, bindings), scope), "2*H + 1");
  const Result<Polynomial> mistyped = evaluate_expression("haeds", scope, bindings);
  ASSERT_FALSE(mistyped);
  EXPECT_EQ(mistyped.errors().front().hint, "did you mean \"heads\"?");
}

TEST(Expression, ASymbolThatFailedStaysSymbolic) {
  Scope scope;
  scope.declare("Bad", std::numeric_limits<double>::quiet_NaN(), SymbolKind::design);
  const Result<Polynomial> product = evaluate_expression("2*Bad", scope);
  ASSERT_TRUE(product);
  EXPECT_EQ(text(*product, scope), "2*Bad");
  EXPECT_FALSE(with_design_values(*product, scope));
  EXPECT_EQ(evaluate_expression("floor(Bad)", scope).errors().front().code,
            "expression.not_finite");
}

TEST(Expression, NamesInOrderOfFirstAppearance) {
  const auto names = [](std::string_view text) { return *names_in(text); };
  EXPECT_EQ(names("2*D + ceil_mult(E/D, x_1)^D - E"), (std::vector<std::string>{"D", "E", "x_1"}));
  EXPECT_EQ(names("42"), std::vector<std::string>{});
  EXPECT_EQ(names_in("D +").errors().front().code, "expression.unexpected_end");
}

TEST(Expression, ParenthesesOnlyWhereNeeded) {
  for (const auto& [expression, operand] : {std::pair{"D", "D"},
                                            {" D ", "D"},
                                            {"4096", "4096"},
                                            {"1.5", "1.5"},
                                            {"(a + b)", "(a + b)"},
                                            {"a + b", "(a + b)"},
                                            {"(a)*(b)", "((a)*(b))"},
                                            {"-1", "(-1)"},
                                            {"f(a)", "(f(a))"},
                                            {"1e3", "(1e3)"}}) {
    EXPECT_EQ(parenthesised_if_needed(expression), operand);
  }
}

}  // namespace
}  // namespace roofbeam
