#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "engine/algebra/attention_evaluate.h"
#include "tests/unit/algebra/random.h"

namespace roofbeam {
namespace {

// A typed expression as text with every parenthesis written out, and its value by direct
// computation as it is made: what the reader, the folding and the evaluators must agree with.
struct Sample {
  std::string text;
  double value;
};

class AttentionLaws : public testing::Test {
 protected:
  AttentionLaws() {
    scope_.declare("D", 6, SymbolKind::design);
    scope_.declare("W", 3, SymbolKind::design);
  }

  Sample number(int depth) {
    if (depth == 0 || random_.whole(0, 4) == 0) {
      switch (random_.whole(0, 7)) {
        case 0:
          return {"q", pair_.query};
        case 1:
          return {"kv", pair_.key};
        case 2:
          return {"h", pair_.head};
        case 3:
          return {"b", pair_.batch};
        case 4:
          return {"heads", 8};
        case 5:
          return {"D", 6};
        case 6:
          return {"W", 3};
        default: {
          const std::int64_t n = random_.whole(0, 9);
          return {std::to_string(n), static_cast<double>(n)};
        }
      }
    }
    if (random_.whole(0, 9) == 0) {
      const Sample position =
          random_.whole(0, 1) == 0 ? Sample{"q", pair_.query} : Sample{"kv", pair_.key};
      return {"doc(b, " + position.text + ")", std::floor(position.value / 4)};
    }
    const Sample a = number(depth - 1);
    const Sample b = number(depth - 1);
    switch (random_.whole(0, 9)) {
      case 0:
        return {"(" + a.text + " + " + b.text + ")", a.value + b.value};
      case 1:
      case 2:
        return {"(" + a.text + " - " + b.text + ")", a.value - b.value};
      case 3:
        return {"(" + a.text + " * " + b.text + ")", a.value * b.value};
      case 4: {
        const std::string divisor = "(abs(" + b.text + ") + 1)";
        const double by = std::abs(b.value) + 1;
        return {"(" + a.text + " % " + divisor + ")", a.value - by * std::floor(a.value / by)};
      }
      case 5:
        return {"min(" + a.text + ", " + b.text + ")", std::min(a.value, b.value)};
      case 6:
        return {"max(" + a.text + ", " + b.text + ")", std::max(a.value, b.value)};
      case 7:
        return {"(-" + a.text + ")", -a.value};
      case 8:
        return {"floor(" + a.text + " / 3)", std::floor(a.value / 3)};
      default: {
        const Sample choice = condition(depth - 1);
        return {"where(" + choice.text + ", " + a.text + ", " + b.text + ")",
                choice.value != 0 ? a.value : b.value};
      }
    }
  }

  Sample condition(int depth) {
    const auto truth = [](bool value) { return value ? 1.0 : 0.0; };
    if (depth > 0 && random_.whole(0, 1) == 0) {
      const Sample a = condition(depth - 1);
      const Sample b = condition(depth - 1);
      switch (random_.whole(0, 2)) {
        case 0:
          return {"(" + a.text + " and " + b.text + ")", truth(a.value != 0 && b.value != 0)};
        case 1:
          return {"(" + a.text + " || " + b.text + ")", truth(a.value != 0 || b.value != 0)};
        default:
          return {"(not " + a.text + ")", truth(a.value == 0)};
      }
    }
    const Sample a = number(depth);
    const Sample b = number(depth);
    switch (random_.whole(0, 5)) {
      case 0:
        return {"(" + a.text + " < " + b.text + ")", truth(a.value < b.value)};
      case 1:
        return {"(" + a.text + " <= " + b.text + ")", truth(a.value <= b.value)};
      case 2:
        return {"(" + a.text + " > " + b.text + ")", truth(a.value > b.value)};
      case 3:
        return {"(" + a.text + " >= " + b.text + ")", truth(a.value >= b.value)};
      case 4:
        return {"(" + a.text + " == " + b.text + ")", truth(a.value == b.value)};
      default:
        return {"(" + a.text + " != " + b.text + ")", truth(a.value != b.value)};
    }
  }

  // Documents of four tokens, as the samples assume: starts at 4, 8, ...
  DocumentRow documents() const { return {.starts = starts_}; }

  const std::vector<std::int64_t> starts_ = {4, 8, 12, 16, 20, 24, 28};
  const AttentionPair pair_{.batch = 2, .head = 5, .query = 13, .key = 7, .score = 0};
  Scope scope_;
  Random random_{11};
};

TEST_F(AttentionLaws, EvaluatorsAgreeWithDirectComputation) {
  int compared = 0;
  for (int i = 0; i < 4000; ++i) {
    const Sample sample = condition(3);
    const Result<Mask> mask = parse_mask(sample.text, {scope_, 8});
    if (!mask) {
      EXPECT_EQ(mask.errors().front().code, "attention.constant") << sample.text;
      continue;
    }
    const double value =
        evaluate(mask->expression, pair_, [&](std::size_t, double, double position) {
          return static_cast<double>(document_at(documents(), position));
        });
    EXPECT_EQ(value, sample.value) << sample.text;
    MaskEvaluator evaluator(*mask);
    evaluator.set_row(pair_.batch, pair_.head, documents());
    evaluator.set_query(static_cast<std::int64_t>(pair_.query));
    EXPECT_EQ(evaluator.keeps(static_cast<std::int64_t>(pair_.key)), sample.value != 0)
        << sample.text;
    ++compared;
  }
  EXPECT_GT(compared, 2000);
}

TEST_F(AttentionLaws, CanonicalTextMeansTheSame) {
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const Sample sample = condition(3);
    const Result<Mask> mask = parse_mask(sample.text, {scope_, 8});
    if (!mask) continue;
    const std::string& text = mask->expression.text;
    const Result<Mask> again = parse_mask(text, {scope_, 8});
    ASSERT_TRUE(again) << text << ": " << again.errors().front().message;
    EXPECT_EQ(again->expression.text, text);
    EXPECT_EQ(cost(again->expression), cost(mask->expression)) << text;
    const auto table = [](std::size_t, double, double position) {
      return std::floor(position / 4);
    };
    EXPECT_EQ(evaluate(again->expression, pair_, table), sample.value) << text;
    EXPECT_LE(text.size(), sample.text.size() + 4 * text.size() / 3);
    ++compared;
  }
  EXPECT_GT(compared, 1000);
}

TEST_F(AttentionLaws, IntervalsNeverContradictASinglePair) {
  int decided = 0;
  for (int i = 0; i < 1500; ++i) {
    const Sample sample = condition(3);
    const Result<Mask> mask = parse_mask(sample.text, {scope_, 8});
    if (!mask) continue;
    MaskEvaluator evaluator(*mask);
    evaluator.set_row(pair_.batch, pair_.head, documents());
    for (int range = 0; range < 4; ++range) {
      const std::int64_t first_query = random_.whole(0, 25);
      const std::int64_t last_query = first_query + random_.whole(0, 5);
      const std::int64_t first_key = random_.whole(0, 25);
      const std::int64_t last_key = first_key + random_.whole(0, 5);
      evaluator.set_queries(first_query, last_query);
      const Kept kept = evaluator.kept(first_key, last_key);
      if (kept == Kept::some) continue;
      ++decided;
      for (std::int64_t query = first_query; query <= last_query; ++query) {
        evaluator.set_query(query);
        for (std::int64_t key = first_key; key <= last_key; ++key) {
          ASSERT_EQ(evaluator.keeps(key), kept == Kept::all)
              << sample.text << " at query " << query << ", key " << key;
        }
      }
    }
  }
  EXPECT_GT(decided, 1000);
}

// Functions that the samples above leave out, with operands of both signs and around zero.
TEST_F(AttentionLaws, IntervalsHoldForEveryFunction) {
  for (const char* text :
       {"sqrt(q - kv) > 2", "log(q - kv) < 1", "exp(kv - q) > 0.1", "tanh(q - kv) > 0.5",
        "abs(q - kv) < 4", "(q - 9) / (kv - 9) > 1", "(q - 9) ** 2 > kv",
        "(q + 1) ** (kv / 9) > 20", "2 ** (kv - q) < 0.2", "(q - kv) % 4 == 1",
        "(kv - q) % -3 == -1", "q % (kv + 1) > 2", "t5_bucket(kv - q, 8, 16, true) > 4",
        "t5_bucket(kv - q, 8, 16, false) == 3", "not (q < kv) == (q > 9)",
        "doc(b, q - 3) == doc(b, kv + 2)", "doc(b, kv * kv) > 6"}) {
    const Result<Mask> mask = parse_mask(text, {scope_, 8});
    ASSERT_TRUE(mask) << text << ": " << mask.errors().front().message;
    MaskEvaluator evaluator(*mask);
    evaluator.set_row(0, 0, documents());
    int decided = 0;
    for (int i = 0; i < 400; ++i) {
      const std::int64_t first_query = random_.whole(0, 25);
      const std::int64_t last_query = first_query + random_.whole(0, 4);
      const std::int64_t first_key = random_.whole(0, 25);
      const std::int64_t last_key = first_key + random_.whole(0, 4);
      evaluator.set_queries(first_query, last_query);
      const Kept kept = evaluator.kept(first_key, last_key);
      decided += kept == Kept::some ? 0 : 1;
      for (std::int64_t query = first_query; query <= last_query; ++query) {
        evaluator.set_query(query);
        for (std::int64_t key = first_key; key <= last_key && kept != Kept::some; ++key) {
          ASSERT_EQ(evaluator.keeps(key), kept == Kept::all)
              << text << " at query " << query << ", key " << key;
        }
      }
    }
    const bool always_open = std::string_view(text).starts_with("t5_bucket");
    EXPECT_EQ(decided == 0, always_open) << text;
  }
}

TEST_F(AttentionLaws, DocumentsAreCountedAcrossLaps) {
  // A stream of documents of 3, 5 and 2 tokens, again and again; the row begins at its token 4.
  const std::vector<std::int64_t> starts = {0, 3, 8};
  const DocumentRow row{.starts = starts, .offset = 4, .lap = 10, .before = 2};
  const std::array<std::int64_t, 16> documents = {0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4};
  for (std::size_t position = 0; position < documents.size(); ++position) {
    EXPECT_EQ(document_at(row, static_cast<double>(position)), documents[position]) << position;
  }
  EXPECT_EQ(document_at({}, 5), 0);
}

}  // namespace
}  // namespace roofbeam
