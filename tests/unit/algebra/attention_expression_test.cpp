#include "engine/algebra/attention_expression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/algebra/attention_evaluate.h"

namespace roofbeam {
namespace {

class AttentionExpressions : public testing::Test {
 protected:
  AttentionExpressions() {
    scope_.declare("T", 2048, SymbolKind::runtime);
    scope_.declare("NB", 32, SymbolKind::design);
    scope_.declare("MD", 128, SymbolKind::design);
    scope_.declare("window_size", 512, SymbolKind::design);
    scope_.declare("Bad", std::nan(""), SymbolKind::design);
  }

  Result<Mask> mask(std::string_view text) { return parse_mask(text, {scope_, 32}); }
  Result<Score> score(std::string_view text) { return parse_score(text, {scope_, 32}); }

  Scope scope_;
};

TEST_F(AttentionExpressions, CanonicalSpellingAndCostPerPair) {
  struct Case {
    std::string source;
    std::string canonical;
    double cost;
  };
  for (const Case& c : {
           // ALiBi. Adding, raising, multiplying, adding, dividing, multiplying, subtracting.
           Case{"score + 2 ** (-8 * (h + 1) / heads) * (kv - q)",
                "score + 2 ** (-8 * (h + 1) / heads) * (kv - q)", 7},
           // T5. Adding, reading the table, the bucket, subtracting.
           Case{"score+bias(t5_bucket(kv-q,NB,MD,true),h)",
                "score + bias(t5_bucket(kv - q, NB, MD, true), h)", 1 + 1 + 12 + 1},
           Case{"30 * tanh(score / 30)", "30 * tanh(score / 30)", 1 + 6 + 1},
           Case{"exp(log(abs(score)))", "exp(log(abs(score)))", 4 + 4 + 1},
           Case{"sqrt(floor(score))", "sqrt(floor(score))", 2 + 1},
           Case{"min(score, 1, 2)", "min(min(score, 1), 2)", 2},
           Case{"where(q >= kv && !(h < 2), score, -1e9)",
                "where(q >= kv and not h < 2, score, -1000000000)", 1 + 1 + 1 + 1 + 1},
           // Constants, design symbols and heads are folded: one operation each is left.
           Case{"score * (2 ** 3 + NB)", "score * (2 ** 3 + NB)", 1},
           Case{"score * sqrt(heads)", "score * sqrt(heads)", 1},
           Case{"score", "score", 0},
           // Parentheses only where they change the meaning.
           Case{"((score) - (q - kv)) - h", "score - (q - kv) - h", 3},
           Case{"-score ** 2", "-score ** 2", 2},
           Case{"(-score) ** 2", "(-score) ** 2", 2},
           Case{"score ** -2 ** q", "score ** -2 ** q", 3},
           Case{"(score ** 2) ** q", "(score ** 2) ** q", 2},
           Case{"- -score", "--score", 2},
           Case{"score * (q % 2) / (h * 2)", "score * (q % 2) / (h * 2)", 4},
           Case{"score % (q % 2)", "score % (q % 2)", 2},
       }) {
    const Result<Score> read = score(c.source);
    ASSERT_TRUE(read) << c.source << ": " << read.errors().front().message;
    EXPECT_EQ(read->expression.text, c.canonical) << c.source;
    EXPECT_EQ(cost(read->expression), c.cost) << c.source;
  }
}

TEST_F(AttentionExpressions, ConditionsBindAsInPython) {
  struct Case {
    std::string source;
    std::string canonical;
  };
  for (const Case& c : {
           Case{"q<1||q>2&&!h==0", "q < 1 or q > 2 and not h == 0"},
           Case{"(q < 1 or q > 2) and h != 0", "(q < 1 or q > 2) and h != 0"},
           Case{"not (q < 1 and h < 1)", "not (q < 1 and h < 1)"},
           Case{"not not q < 1", "not not q < 1"},
           Case{"(q < 1) == (kv < 1)", "(q < 1) == (kv < 1)"},
           Case{"q < 1 and (kv < 1 and h < 1)", "q < 1 and (kv < 1 and h < 1)"},
           Case{"q<-1", "q < -1"},
           Case{"where(h < 4, q - kv < window_size, true)",
                "where(h < 4, q - kv < window_size, true)"},
           Case{"android(b, q) == android(b, kv)", "android(b, q) == android(b, kv)"},
       }) {
    const Result<Mask> read = mask(c.source);
    ASSERT_TRUE(read) << c.source << ": " << read.errors().front().message;
    EXPECT_EQ(read->expression.text, c.canonical) << c.source;
  }
}

TEST_F(AttentionExpressions, ReportsWhatIsWrong) {
  struct Case {
    bool is_mask;
    std::string source;
    std::string code;
    std::string hint_contains;
  };
  constexpr bool kMask = true;
  constexpr bool kScore = false;
  for (const Case& c : {
           Case{kMask, "", "attention.unexpected_end", ""},
           Case{kMask, "q <", "attention.unexpected_end", ""},
           Case{kMask, "q < 1 )", "attention.unexpected_character", ""},
           Case{kMask, "q < 1 and and h < 1", "attention.unexpected_character", ""},
           Case{kMask, "1 + not q", "attention.unexpected_character", ""},
           Case{kMask, "q = 1", "attention.unexpected_character", ""},
           Case{kMask, "q < kv < 3", "attention.chained_comparison", "and"},
           Case{kMask, "q == kv == 3", "attention.chained_comparison", "and"},
           Case{kMask, "q - kv < window_sise", "attention.unknown_name", "window_size"},
           Case{kMask, "q < T", "attention.unknown_name", "symbols"},
           Case{kMask, "q < True", "attention.unknown_name", "true"},
           Case{kMask, "q", "attention.type", "compare"},
           Case{kMask, "q and kv < 3", "attention.type", "compare"},
           Case{kMask, "(q < kv) + 1 > 0", "attention.type", "where"},
           Case{kMask, "(q < kv) == 1", "attention.type", ""},
           Case{kMask, "where(q, true, false)", "attention.type", "compare"},
           Case{kMask, "where(q < 1, true, 0)", "attention.type", ""},
           Case{kMask, "h(b, q) == 1", "attention.type", ""},
           Case{kMask, "score > 0", "attention.reads_score", ""},
           Case{kMask, "true", "attention.constant", ""},
           Case{kMask, "heads > 16 and NB == 32", "attention.constant", "leave it out"},
           Case{kMask, "doc(q, b) == 0", "attention.table", "doc(b, q)"},
           Case{kMask, "doc(b) == 0", "attention.argument_count", ""},
           Case{kMask, "flor(q) == 0", "attention.argument_count", "floor"},
           Case{kScore, "q - kv", "attention.ignores_score", ""},
           Case{kScore, "score > 0", "attention.type", ""},
           Case{kScore, "tanh(score, 1)", "attention.argument_count", ""},
           Case{kScore, "max(score)", "attention.argument_count", ""},
           Case{kScore, "score + t5_bucket(kv - q, h, MD, true)", "attention.not_constant", ""},
           Case{kScore, "score + t5_bucket(kv - q, NB, MD, q < kv)", "attention.not_constant", ""},
           Case{kScore, "score + t5_bucket(kv - q, NB, MD, 1)", "attention.type", ""},
           Case{kScore, "score + t5_bucket(kv - q, 3, MD, true)", "attention.range", ""},
           Case{kScore, "score + t5_bucket(kv - q, NB, 8, true)", "attention.range", ""},
           Case{kScore, "score / (2 - 2 + 0 / 0)", "attention.not_finite", ""},
           Case{kScore, "score + Bad", "attention.not_finite", ""},
       }) {
    const Diagnostics problems = c.is_mask ? mask(c.source).errors() : score(c.source).errors();
    ASSERT_EQ(problems.size(), 1u) << c.source;
    EXPECT_EQ(problems.front().code, c.code) << c.source << ": " << problems.front().message;
    EXPECT_NE(problems.front().hint.find(c.hint_contains), std::string::npos)
        << c.source << ": " << problems.front().hint;
  }
}

TEST_F(AttentionExpressions, ReportsEveryMistake) {
  const Result<Mask> read = mask("lenght > 1 and q + (q < kv) < windowsize and max(q)");
  ASSERT_FALSE(read);
  std::vector<std::string> codes;
  for (const Diagnostic& problem : read.errors()) codes.push_back(problem.code);
  EXPECT_EQ(codes,
            (std::vector<std::string>{"attention.unknown_name", "attention.type",
                                      "attention.unknown_name", "attention.argument_count"}));
}

TEST_F(AttentionExpressions, BoundsWhatHostileTextCosts) {
  const auto times = [](std::size_t count, const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < count; ++i) result += text;
    return result;
  };
  EXPECT_EQ(mask(times(5000, "(")).errors().front().code, "attention.too_deep");
  EXPECT_EQ(mask(times(5000, "!")).errors().front().code, "attention.too_deep");
  EXPECT_EQ(mask(times(5000, "-")).errors().front().code, "attention.too_deep");
  EXPECT_EQ(score("score" + times(2000, "**2")).errors().front().code, "attention.too_deep");
  EXPECT_EQ(score("score" + times(2000, "+q")).errors().front().code, "attention.too_large");
  EXPECT_EQ(mask(times(1 << 20, "+")).errors().front().code, "attention.too_large");
  EXPECT_TRUE(score("score" + times(500, "+q")));
}

TEST_F(AttentionExpressions, TablesAndSymbolsInOrderOfFirstAppearance) {
  const Result<Score> read =
      score("score + outer(inner(q, kv), MD) + NB * inner(q, h) + inner(MD, MD)");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->expression.tables, (std::vector<std::string>{"outer", "inner"}));
  EXPECT_EQ(read->expression.symbols, (std::vector<std::string>{"MD", "NB"}));
  // Without knowing any name.
  EXPECT_EQ(*tables_in("score + outer(inner(q, kv), unknown) * min(D, true)"),
            (std::vector<std::string>{"outer", "inner"}));
  EXPECT_EQ(tables_in("outer(").errors().front().code, "attention.unexpected_end");
}

TEST_F(AttentionExpressions, EvaluatesAPair) {
  struct Case {
    std::string source;
    double value;
  };
  // b 1, h 3, q 7, kv 5, score 2.5; table(i, j) = 10 i + j.
  for (const Case& c : {
           Case{"score + b * 1000 + h * 100 + q * 10 + kv", 2.5 + 1000 + 300 + 70 + 5},
           Case{"score + 2 ** (-8 * (h + 1) / heads) * (kv - q)", 2.5 + 0.5 * (5 - 7)},
           Case{"score + bias(h, q)", 2.5 + 37},
           Case{"score * (kv - q) % 3",
                (2.5 * (5 - 7)) - 3 * std::floor(-5.0 / 3)},  // floor modulo
           Case{"score * 0 + (0 - 7) % -3", -1},
           Case{"score * 0 + -2 ** 2", -4},
           Case{"score * 0 + 2 ** 3 ** 2", 512},
           Case{"score * 0 + 2 ** -2", 0.25},
           Case{"score * 0 + where(q > kv and not h == 2, 1, 2)", 1},
           Case{"score * 0 + where(q > kv and h == 2 or false, 1, 2)", 2},
           Case{"score * 0 + min(q, kv, h) + max(q, kv, h)", 3 + 7},
           Case{"score * 0 + abs(kv - q) + floor(score)", 2 + 2},
           Case{"score * 0 + sqrt(9) + log(1) + exp(0) + tanh(0)", 4},
       }) {
    const Result<Score> read = score(c.source);
    ASSERT_TRUE(read) << c.source << ": " << read.errors().front().message;
    const double value =
        evaluate(read->expression, {.batch = 1, .head = 3, .query = 7, .key = 5, .score = 2.5},
                 [](std::size_t, double i, double j) { return 10 * i + j; });
    EXPECT_NEAR(value, c.value, 1e-11 * std::abs(c.value)) << c.source;
  }
}

// Raffel et al. 2020, with 32 buckets and a largest distance of 128.
TEST_F(AttentionExpressions, BucketsAreThoseOfT5) {
  struct Case {
    double rel;  // key minus query
    double both_ways;
    double backwards;
  };
  for (const Case& c : {
           Case{0, 0, 0},
           Case{-1, 1, 1},
           Case{1, 17, 0},
           Case{-7, 7, 7},
           Case{7, 23, 0},
           Case{-8, 8, 8},
           Case{-11, 8, 11},   // 8 + floor(8 log(11/8) / log(16)) = 8 + floor(0.92)
           Case{-12, 9, 12},   // 8 + floor(1.17)
           Case{-16, 10, 16},  // 8 + 8 log(2)/log(16): a border, exactly 2
           Case{-20, 10, 17},  // 16 + floor(16 log(20/16) / log(8)) = 16 + floor(1.72)
           Case{-32, 12, 21},  // 16 + floor(5.33)
           Case{-64, 14, 26},  // 16 + floor(10.67)
           Case{-127, 15, 31},
           Case{-128, 15, 31},
           Case{-5000, 15, 31},
           Case{16, 26, 0},
           Case{5000, 31, 0},
       }) {
    EXPECT_EQ(t5_bucket(c.rel, 32, 128, true), c.both_ways) << c.rel;
    EXPECT_EQ(t5_bucket(c.rel, 32, 128, false), c.backwards) << c.rel;
  }
}

}  // namespace
}  // namespace roofbeam
