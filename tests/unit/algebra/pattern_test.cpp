#include "engine/algebra/pattern.h"

#include <gtest/gtest.h>

#include "tests/unit/algebra/random.h"

namespace roofbeam {
namespace {

Scope example_scope() {
  Scope scope;
  scope.declare("B", 1, SymbolKind::runtime);
  scope.declare("T", 32, SymbolKind::runtime);
  scope.declare("S", 32, SymbolKind::runtime);
  scope.declare("D", 4096, SymbolKind::design);
  scope.declare("H", 32, SymbolKind::design);
  scope.declare("dh", 128, SymbolKind::design);
  return scope;
}

SymbolicShape shape(const Scope& scope, std::string_view text) {
  return *instantiate(*parse_pattern(text), scope, {}, {});
}

TEST(Pattern, ReadsAtomsAndGroups) {
  struct Case {
    std::string pattern;
    std::string shape;
  };
  const Scope scope = example_scope();
  for (const Case& c : {
           Case{"", "scalar"},
           Case{"  B\tT  ", "B T"},
           Case{"B (H dh T)", "B H*T*dh"},
           Case{"((H dh) T)", "H*T*dh"},
           Case{"(H + 2*H)*dh", "3*H*dh"},  // an expression that starts with a parenthesis
           Case{"T (D + 1)", "T D + 1"},    // and one wholly in parentheses
           Case{"((D + 1) T)", "D*T + T"},
           Case{"(floor(D / 3) H)", "1365*H"},
           Case{"ceil_mult(D, 1000)", "5000"},
           Case{"(D)", "D"},
       }) {
    const Result<Pattern> pattern = parse_pattern(c.pattern);
    ASSERT_TRUE(pattern) << c.pattern;
    const Result<SymbolicShape> made = instantiate(*pattern, scope, {}, {});
    ASSERT_TRUE(made) << c.pattern << ": " << made.errors().front().message;
    EXPECT_EQ(text(*made, scope), c.shape) << c.pattern;
  }
}

TEST(Pattern, ReportsWhatIsWrong) {
  struct Case {
    std::string pattern;
    std::vector<std::string> codes;
  };
  for (const Case& c : {
           Case{"B)", {"pattern.unbalanced"}},
           Case{")B(", {"pattern.unbalanced"}},
           Case{"B (( ) T)", {"pattern.empty_group"}},
           Case{"* D", {"pattern.star_not_alone"}},
           Case{"... () ... *",
                {"pattern.empty_group", "pattern.two_ellipses", "pattern.star_not_alone"}},
       }) {
    const Result<Pattern> pattern = parse_pattern(c.pattern);
    ASSERT_FALSE(pattern) << c.pattern;
    std::vector<std::string> codes;
    for (const Diagnostic& problem : pattern.errors()) codes.push_back(problem.code);
    EXPECT_EQ(codes, c.codes) << c.pattern;
  }
  // Every wrong axis is told when the pattern meets a scope.
  const Result<SymbolicShape> made =
      instantiate(*parse_pattern("Q (H R) D"), example_scope(), {}, {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.errors().size(), 2u);
}

TEST(Pattern, DeepGroupsAreRefusedNotFollowed) {
  const std::string deep = std::string(5000, '(') + "D" + std::string(5000, ')');
  const Result<Pattern> pattern = parse_pattern(deep);
  ASSERT_TRUE(pattern);
  const Result<SymbolicShape> made = instantiate(*pattern, example_scope(), {}, {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.errors().front().code, "expression.too_deep");
}

TEST(Pattern, MismatchesNameAxisActualAndExpected) {
  const Scope scope = example_scope();
  const PatternMatch axes =
      *match(*parse_pattern("B S (H dh)"), shape(scope, "B T (D + 1)"), scope);
  ASSERT_EQ(axes.mismatches.size(), 2u);
  EXPECT_EQ(axes.mismatches[0].axis, 1);
  EXPECT_EQ(axes.mismatches[0].actual, "T");
  EXPECT_EQ(axes.mismatches[0].expected, "S");
  EXPECT_EQ(axes.mismatches[1].axis, 2);
  EXPECT_EQ(axes.mismatches[1].actual, "D + 1");
  EXPECT_EQ(axes.mismatches[1].expected, "(H dh)");
  const PatternMatch rank = *match(*parse_pattern("B D"), shape(scope, "D"), scope);
  ASSERT_EQ(rank.mismatches.size(), 1u);
  EXPECT_EQ(rank.mismatches[0].axis, -1);
  EXPECT_EQ(rank.mismatches[0].actual, "D");
  EXPECT_EQ(rank.mismatches[0].expected, "B D");
}

TEST(Pattern, RuntimeSymbolsEqualOnlyThemselves) {
  const Scope scope = example_scope();  // T and S are 32 by default, and so is H
  const auto fits = [&](std::string_view pattern, std::string_view actual) {
    return match(*parse_pattern(pattern), shape(scope, actual), scope)->mismatches.empty();
  };
  EXPECT_TRUE(fits("T", "T"));
  EXPECT_FALSE(fits("T", "S"));
  EXPECT_FALSE(fits("T", "32"));
  EXPECT_FALSE(fits("T", "H"));
  EXPECT_TRUE(fits("H*T", "32*T"));
  EXPECT_TRUE(fits("(H dh)", "D"));
  EXPECT_TRUE(fits("*", "B T D"));
  EXPECT_TRUE(fits("*", ""));
  EXPECT_TRUE(fits("B ... dh", "B dh"));
  EXPECT_FALSE(fits("B ... dh", "B"));
}

TEST(Pattern, WhatAPatternMakesItMatches) {
  const Scope scope = example_scope();
  constexpr const char* kAtoms[] = {"B", "T", "D", "(H dh)", "2*D", "(T + 1)", "7", "(B T dh)"};
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    std::string pattern;
    const std::int64_t count = random.whole(0, 5);
    const std::int64_t ellipsis = random.whole(0, 2 * count);
    for (std::int64_t a = 0; a < count; ++a) {
      if (a == ellipsis) pattern += "... ";
      pattern += kAtoms[random.whole(0, 7)];
      pattern += ' ';
    }
    const bool open = ellipsis < count;
    SymbolicShape batch;
    for (std::int64_t a = open ? random.whole(0, 3) : 0; a > 0; --a) {
      batch.push_back(shape(scope, kAtoms[random.whole(0, 7)])[0]);
    }
    const Pattern read = *parse_pattern(pattern);
    const SymbolicShape made = *instantiate(read, scope, {}, batch);
    const PatternMatch found = *match(read, made, scope);
    EXPECT_TRUE(found.mismatches.empty()) << pattern;
    EXPECT_EQ(found.batch, batch) << pattern;
    // One axis more, where none is left open, cannot fit.
    SymbolicShape longer = made;
    longer.push_back(Polynomial(Rational(7)));
    if (!open) {
      EXPECT_FALSE(match(read, longer, scope)->mismatches.empty()) << pattern;
    }
  }
}

}  // namespace
}  // namespace roofbeam
