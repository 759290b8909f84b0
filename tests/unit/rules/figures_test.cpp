// Rules about numbers: each speaks at its threshold and not before.
#include "tests/unit/rules/judged.h"

namespace roofbeam {
namespace {

using tests::wired;
using tests::judged;
using tests::of_rule;
using tests::point;

// tokens -> embedding -> attention over heads of width `head_dim` -> head -> output.
Document decoder(double head_dim, std::string_view attention = "", std::string_view vocab = "1024",
                 std::string_view more = "") {
  const std::string width = std::to_string(static_cast<int>(head_dim));
  return wired(R"([
    { "id": "tokens", "type": "input" },
    { "id": "embed", "type": "embedding", "params": { "vocab": "V", "dim": "4*dh" } },
    { "id": "attn", "type": "gqa_attention", "params": { "d_model": "4*dh", "heads": 4, "kv_heads": 4, "head_dim": "dh")" +
                    std::string(attention) + R"( } },
    { "id": "head", "type": "lm_head", "params": { "vocab": "V", "dim": "4*dh" } },
    { "id": "out", "type": "output" }])",
                R"([["tokens:x", "embed:ids"], ["embed:y", "attn:x"], ["attn:y", "head:x"], ["head:y", "out:x"]])",
                R"({ "T": { "kind": "runtime", "default": 512 }, "V": )" + std::string(vocab) + R"(, "dh": )" + width + "}",
                more);
}

struct HeadWidth {
  double width;
  std::string hint;  // "" where the width is supported
};

TEST(FlashHeadDim, NamesTheNearestSupportedWidth) {
  const HeadWidth widths[] = {{16, "the nearest is 32"},   {32, ""},  {33, "the nearest is 32"},
                              {64, ""},                    {96, ""},  {80, "the nearest is 64 or 96"},
                              {128, ""},                   {160, ""}, {192, ""},
                              {200, "the nearest is 192"}, {256, ""}, {512, "the nearest is 256"}};
  for (const HeadWidth& width : widths) {
    const Findings findings = of_rule(judged(decoder(width.width)), "flash-head-dim");
    ASSERT_EQ(findings.size(), width.hint.empty() ? 0u : 1u) << width.width;
    if (findings.empty()) continue;
    EXPECT_EQ(findings[0].hint, width.hint);
    EXPECT_EQ(findings[0].path, "attn/attn");
    EXPECT_EQ(findings[0].severity, Severity::warning);
  }
}

TEST(FlashHeadDim, LooksAtValueHeadsOfTheirOwnWidth) {
  const Document document = wired(R"([
    { "id": "q", "type": "input", "params": { "shape": "B 2 T 64", "dtype": "bf16" } },
    { "id": "v", "type": "input", "params": { "shape": "B 2 T 72", "dtype": "bf16" } },
    { "id": "attn", "type": "sdpa", "params": { "heads": 2, "kv_heads": 2, "head_dim": 64, "v_head_dim": 72 } },
    { "id": "out", "type": "output" }])",
                                   R"([["q:x", "attn:q"], ["q:x", "attn:k"], ["v:x", "attn:v"], ["attn:y", "out:x"]])");
  const Findings findings = of_rule(judged(document), "flash-head-dim");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].param, "v_head_dim");
}

Document linear(int in, int out) {
  return wired(R"([{ "id": "x", "type": "input", "params": { "shape": "B T )" + std::to_string(in) + R"(", "dtype": "bf16" } },
    { "id": "fc", "type": "linear", "params": { "in_features": )" + std::to_string(in) + R"(, "out_features": )" +
                    std::to_string(out) + R"( } }, { "id": "out", "type": "output" }])",
                R"([["x:x", "fc:x"], ["fc:y", "out:x"]])");
}

TEST(TensorCoreMultiples, ListsEachWidthOfABlockOnce) {
  const auto hints = [](const Document& document) {
    std::vector<std::string> all;
    for (const Finding& finding : of_rule(judged(document), "tensor-core-multiples")) all.push_back(finding.hint);
    return all;
  };
  EXPECT_EQ(hints(linear(64, 128)), std::vector<std::string>{});
  EXPECT_EQ(hints(linear(64, 65)), std::vector<std::string>{"65 -> 128"});
  EXPECT_EQ(hints(linear(100, 100)), std::vector<std::string>{"100 -> 128"});
  EXPECT_EQ(hints(linear(100, 300)), (std::vector<std::string>{"100 -> 128", "300 -> 320"}));
}

TEST(VocabPadding, CountsTheParametersOfThePadding) {
  const Findings findings = of_rule(judged(decoder(64, "", "1000")), "vocab-padding");
  ASSERT_EQ(findings.size(), 1u);
  // (1024 - 1000) rows of 4 * 64
  EXPECT_EQ(findings[0].hint, "padding it to 1024 adds 6.1K parameters");
  EXPECT_TRUE(of_rule(judged(decoder(64, "", "1024")), "vocab-padding").empty());
}

TEST(WindowVsContext, SpeaksFromTheWindowThatReachesTheWholeContext) {
  EXPECT_EQ(of_rule(judged(decoder(64, R"(, "window": 512)")), "window-vs-context").size(), 1u);
  EXPECT_TRUE(of_rule(judged(decoder(64, R"(, "window": 511)")), "window-vs-context").empty());
  EXPECT_TRUE(of_rule(judged(decoder(64)), "window-vs-context").empty());
  EXPECT_TRUE(of_rule(judged(decoder(64, R"(, "window": 512)"), point([](auto& p) { p.T = 513; })), "window-vs-context").empty());
}

TEST(EagerAttention, StatesTheBytesOfTheScoreMatrix) {
  const Findings findings = of_rule(judged(decoder(64, R"(, "written_out": true)")), "eager-attention");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].path, "attn/attn");
  // The softmax's output, which attn_values reads: 4 heads x 512 x 512 x 2 bytes.
  EXPECT_NE(findings[0].message.find("2.00 MiB"), std::string::npos) << findings[0].message;
  EXPECT_TRUE(of_rule(judged(decoder(64)), "eager-attention").empty());
}

TEST(EagerAttention, CountsTheMatricesThatTalkingHeadsKeepToo) {
  const Findings findings = of_rule(judged(decoder(64, R"(, "talking_heads": true)")), "eager-attention");
  ASSERT_EQ(findings.size(), 1u);
  // What enters each of the two mixtures, and what enters attn_values.
  EXPECT_NE(findings[0].message.find("6.00 MiB"), std::string::npos) << findings[0].message;
}

Document preset(std::string_view name) { return tests::document_of(embedded_file("designs", name)->text); }

TEST(InferenceFits, BlamesWeightsOrCaches) {
  const Findings weights = of_rule(judged(preset("llama-3-70b")), "inference-fits");
  ASSERT_EQ(weights.size(), 1u);
  EXPECT_NE(weights[0].hint.find("quantise"), std::string::npos) << weights[0].hint;
  // 1.2 x (141.1 GB + 2.7 GB) over 80 GiB
  EXPECT_NE(weights[0].hint.find("split over 3 devices"), std::string::npos) << weights[0].hint;

  const Findings cache = of_rule(judged(preset("llama-3-8b"), point([](auto& p) { p.concurrency = 64; })), "inference-fits");
  ASSERT_EQ(cache.size(), 1u);
  EXPECT_NE(cache[0].hint.find("fewer sequences"), std::string::npos) << cache[0].hint;
  EXPECT_TRUE(of_rule(judged(preset("llama-3-8b")), "inference-fits").empty());
}

struct TrainingCase {
  std::string preset;
  OperatingPointOptions options;
  std::string hint;  // a part; "" where it fits
};

TEST(TrainingFits, SaysWhatToDoAboutTheLargestPart) {
  const TrainingCase cases[] = {
      {"gpt2-small", {}, ""},
      {"llama-3-8b", {}, "ZeRO-1"},
      {"llama-3-8b", point([](auto& p) { p.B = 4; }), "recompute"},
      {"llama-3-8b", point([](auto& p) { p.B = 64; p.recompute = Recompute::full; }), "smaller batches"},
      {"llama-3-8b", point([](auto& p) { p.B = 64; p.parallel.tp = 8; p.recompute = Recompute::full; }), "sequence parallelism"},
      {"llama-3-70b", point([](auto& p) { p.parallel.dp = 64; p.parallel.zero = 3; p.parallel.sequence_parallel = true; }), "recompute"},
      {"llama-3.1-405b", point([](auto& p) { p.parallel.dp = 64; p.parallel.zero = 2; p.recompute = Recompute::full; }), "ZeRO-3"},
      {"llama-3.1-405b", point([](auto& p) { p.parallel.dp = 4; p.parallel.zero = 1; p.recompute = Recompute::full; }), "8 bits"},
  };
  for (const TrainingCase& one : cases) {
    const Findings findings = of_rule(judged(preset(one.preset), one.options), "training-fits");
    ASSERT_EQ(findings.size(), one.hint.empty() ? 0u : 1u) << one.preset;
    if (findings.empty()) continue;
    EXPECT_NE(findings[0].hint.find(one.hint), std::string::npos) << one.preset << ": " << findings[0].hint;
  }
}

TEST(RecomputeHint, IsForThoseWhoRecomputeNothing) {
  EXPECT_EQ(of_rule(judged(preset("llama-3-8b"), point([](auto& p) { p.B = 8; })), "recompute-hint").size(), 1u);
  EXPECT_TRUE(of_rule(judged(preset("llama-3-8b"), point([](auto& p) { p.B = 1; })), "recompute-hint").empty());
  for (const Recompute recompute : {Recompute::selective, Recompute::full})
    EXPECT_TRUE(of_rule(judged(preset("llama-3-8b"), point([&](auto& p) { p.B = 8; p.recompute = recompute; })), "recompute-hint").empty());
}

TEST(LogitsMemory, SpeaksFromAQuarterOfTheActivations) {
  EXPECT_EQ(of_rule(judged(preset("gpt2-small")), "logits-memory").size(), 1u);
  EXPECT_TRUE(of_rule(judged(preset("llama-3-8b")), "logits-memory").empty());
}

TEST(AttentionShare, GrowsWithTheContext) {
  EXPECT_TRUE(of_rule(judged(preset("llama-3-8b"), point([](auto& p) { p.T = 8192; })), "attention-share").empty());
  EXPECT_EQ(of_rule(judged(preset("llama-3-8b"), point([](auto& p) { p.T = 131072; })), "attention-share").size(), 1u);
}

TEST(Chinchilla, JudgesOnlyAnExplicitBudget) {
  const auto found = [](std::optional<double> tokens) {
    return of_rule(judged(preset("llama-3-8b"), point([&](auto& p) { p.tokens = tokens; })), "chinchilla").size();
  };
  EXPECT_EQ(found(std::nullopt), 0u);
  EXPECT_EQ(found(1e9), 1u);    // 20 x 7.5e9 would be optimal
  EXPECT_EQ(found(1.5e11), 0u);
  EXPECT_EQ(found(2.9e12), 0u);
  EXPECT_EQ(found(15e12), 1u);
}

TEST(PublishedDrift, ToleratesHalfAPercentByDefault) {
  const auto found = [](std::string_view params, std::string_view tolerance) {
    const Document document = tests::document_of(
        R"({"version":1,"meta":{"name":"d","published":{"params":)" + std::string(params) + std::string(tolerance) +
        R"(}},"graph":{"nodes":[{"id":"x","type":"input","params":{"shape":"B T 1000","dtype":"bf16"}},
        {"id":"n","type":"rmsnorm","params":{"dim":1000}},{"id":"o","type":"output"}],"edges":[["x:x","n:x"],["n:y","o:x"]]}})");
    return of_rule(judged(document), "published-drift").size();
  };
  EXPECT_EQ(found("1000", ""), 0u);
  EXPECT_EQ(found("1004", ""), 0u);
  EXPECT_EQ(found("1006", ""), 1u);
  EXPECT_EQ(found("994", ""), 1u);
  EXPECT_EQ(found("800", R"(,"tolerance":0.25)"), 1u);  // exactly at it
  EXPECT_EQ(found("1006", R"(,"tolerance":0.01)"), 0u);
}

TEST(Packing, IsUnusedWithoutAMaskThatReadsDocuments) {
  const Packing packing{.mean = 128, .spread = 0};
  EXPECT_EQ(of_rule(judged(decoder(64), point([&](auto& p) { p.packing = packing; })), "packing-unused").size(), 1u);
  EXPECT_TRUE(of_rule(judged(decoder(64)), "packing-unused").empty());
}

// A design whose sizes have no value still gets an answer about everything else.
TEST(Rules, KeepSilentAboutFiguresThatAreUnknown) {
  const RuleReport report = judged(decoder(64, "", "\"1/0\"",
                                           R"(, "rules": {})"));
  EXPECT_FALSE(report.ok());
  for (const char* rule : {"inference-fits", "training-fits", "logits-memory", "recompute-hint", "chinchilla",
                           "vocab-padding", "published-drift"})
    EXPECT_TRUE(of_rule(report, rule).empty()) << rule;
}

}  // namespace
}  // namespace roofbeam
