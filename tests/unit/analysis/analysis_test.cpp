#include "engine/analysis/analysis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/documents.h"

namespace roofbeam {
namespace {

// A decoder of one layer small enough to count by hand: D 64, 4 query and 2 cache heads of 16,
// gated MLP of 128, vocabulary 100.
constexpr std::string_view kSymbols =
    R"("T":{"kind":"runtime","default":32},"D":64,"H":4,"Hkv":2,"dh":16,"F":128,"V":100,"L":3)";

Document decoder(std::string_view attention = "", std::string_view head = "") {
  return tests::design(
      kSymbols,
      R"({"id":"tokens","type":"input"},{"id":"embed","type":"embedding","params":{"vocab":"V","dim":"D"}},
         {"id":"layers","type":"repeat","params":{"count":"L"},"graph":{"nodes":[
           {"id":"_in","type":"boundary_in","params":{"ports":{"x":"B T D"}}},
           {"id":"block","type":"transformer_block","params":{"d_model":"D","heads":"H","kv_heads":"Hkv",
             "head_dim":"dh","ffn_hidden":"F","rope":{"theta":10000})" +
          std::string(attention) + R"(}},
           {"id":"_out","type":"boundary_out","params":{"ports":{"x":"B T D"}}}],
           "edges":[["_in:x","block:x"],["block:y","_out:x"]]}},
         {"id":"norm","type":"rmsnorm","params":{"dim":"D"}},
         {"id":"head","type":"lm_head","params":{"vocab":"V","dim":"D")" +
          std::string(head) + R"(}},{"id":"logits","type":"output"})",
      R"(["tokens:x","embed:ids"],["embed:y","layers:x"],["layers:x","norm:x"],["norm:y","head:x"],["head:y","logits:x"])");
}

// q and o: 64 x 64; k and v: 64 x 32; three MLP matrices; two norms.
constexpr double kLayer = 2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 128 + 2 * 64;
constexpr double kEmbedding = 100 * 64;
constexpr double kTotal = 3 * kLayer + 2 * kEmbedding + 64;

Analysis at(const Document& document, const OperatingPointOptions& options = {}) {
  return analyze(elaborate(document), options, *device_named("h100-sxm"));
}

TEST(Analysis, CountsWeights) {
  const Analysis analysis = at(decoder());
  EXPECT_EQ(analysis.params.total, kTotal);
  EXPECT_EQ(analysis.params.active, kTotal);
  EXPECT_EQ(analysis.params.embedding, kEmbedding);
  EXPECT_EQ(analysis.params.head, kEmbedding);
  EXPECT_EQ(analysis.params.non_embedding(), kTotal - kEmbedding);
}

TEST(Analysis, ATiedHeadOwnsNothingButWorksAsMuch) {
  const Analysis tied = at(decoder("", R"(,"tied":true)"));
  EXPECT_EQ(tied.params.total, kTotal - kEmbedding);
  EXPECT_EQ(tied.work.forward().value, at(decoder()).work.forward().value);
}

TEST(Analysis, CountsWork) {
  const Analysis analysis = at(decoder());
  // Two FLOPs a weight that multiplies; norms and the embedding's look-up have none.
  EXPECT_EQ(analysis.work.dense.value, 2 * (kTotal - kEmbedding - 7 * 64));
  // QK^T and PV, half of 32 keys each, 3 layers of 4 heads of 16.
  EXPECT_EQ(analysis.work.attention.value, 3 * 2 * 4 * (16 + 16) * 32 / 2);
  EXPECT_EQ(analysis.work.attention_unmasked.value, 3 * 2 * 4 * (16 + 16) * 32);
  EXPECT_EQ(analysis.work.train.value, 3 * analysis.work.forward().value);
}

TEST(Analysis, FullRecomputeCostsOneMoreForward) {
  const Analysis analysis = at(decoder(), {.recompute = Recompute::full});
  EXPECT_EQ(analysis.work.train.value, 4 * analysis.work.forward().value);
}

TEST(Analysis, CacheHeldByKeyValueHeads) {
  const Analysis analysis = at(decoder());
  EXPECT_EQ(analysis.cache.per_token.value, 3 * 2 * 2 * 16 * 2);  // layers, K and V, heads, width, bf16
  const Analysis windowed = at(decoder(R"(,"window":8)"));
  EXPECT_EQ(windowed.cache.per_token.value, 0);
  EXPECT_EQ(windowed.cache.per_sequence_fixed.value, 8 * 3 * 2 * 2 * 16 * 2);
}

TEST(Analysis, AWindowBoundsTheKeysAQueryReads) {
  const Analysis analysis = at(decoder(R"(,"window":8)"));
  // W - W^2 / 2T = 8 - 64 / 64 keys.
  EXPECT_EQ(analysis.work.attention.value, 3 * 2 * 4 * (16 + 16) * 7);
}

TEST(Analysis, AMaskThatSaysWhatCausalitySaysKeepsEverything) {
  const Analysis analysis = at(decoder(R"(,"mask":"q >= kv")"));
  EXPECT_EQ(analysis.work.attention.value, at(decoder()).work.attention.value);
}

TEST(Analysis, OptimizerBytesFollowTheTable) {
  const TrainingMemory memory = at(decoder()).training;
  EXPECT_EQ(memory.weights.value, 2 * kTotal);
  EXPECT_EQ(memory.grads.value, 2 * kTotal);
  EXPECT_EQ(memory.optimizer.value, 12 * kTotal);
  const TrainingMemory autocast = at(decoder(), {.precision = Precision::autocast}).training;
  EXPECT_EQ(autocast.weights.value + autocast.grads.value + autocast.optimizer.value, 16 * kTotal);
  // bf16 copies of every matrix, not of norms or the embedding.
  EXPECT_EQ(autocast.cast_weights.value, 2 * (kTotal - kEmbedding - 7 * 64));
}

TEST(Analysis, AutocastReproducesTheReferencesFigure) {
  // 12 layers of 12 * 768^2 weights with 13 * 768 biases less the two norms' 4 * 768, and the tied
  // head's 50257 x 768, two bytes each.
  const double matrices = 12.0 * (12 * 768 * 768 + (4 + 4 + 1) * 768) + 50257.0 * 768;
  EXPECT_EQ(2 * matrices, 247229952);
}

TEST(Analysis, ShardingDividesWhatItShards) {
  OperatingPointOptions options;
  options.parallel = {.dp = 4, .tp = 2, .pp = 2, .zero = 1, .sequence_parallel = true};
  const Analysis analysis = at(decoder(), options);
  const MemoryPerGpu& gpu = analysis.training.per_gpu;
  EXPECT_EQ(gpu.weights.value, 2 * kTotal / 4);
  EXPECT_EQ(gpu.grads.value, 2 * kTotal / 4);
  EXPECT_EQ(gpu.optimizer.value, 12 * kTotal / 16);
  EXPECT_EQ(gpu.activations.value, analysis.training.activations.value / 2);
  EXPECT_EQ(analysis.point.gpus, 16);
}

TEST(Analysis, OneDeviceHoldsEverything) {
  const Analysis analysis = at(decoder());
  EXPECT_EQ(analysis.training.per_gpu.total().value, analysis.training.total().value);
}

// Doubling the batch doubles activations and nothing else of training memory.
TEST(AnalysisLaw, BatchScalesActivationsOnly) {
  const Analysis one = at(decoder(), {.B = 1});
  const Analysis two = at(decoder(), {.B = 2});
  EXPECT_EQ(two.training.activations.value, 2 * one.training.activations.value);
  EXPECT_EQ(two.training.weights.value, one.training.weights.value);
  EXPECT_EQ(two.training.optimizer.value, one.training.optimizer.value);
  EXPECT_EQ(two.work.forward().value, one.work.forward().value);
}

TEST(AnalysisLaw, RecomputeNeverKeepsMore) {
  for (const double length : {1.0, 32.0, 4096.0}) {
    const auto kept = [&](Recompute recompute, bool flash) {
      return at(decoder(), {.T = length, .recompute = recompute, .flash = flash}).training.activations.value;
    };
    EXPECT_LE(kept(Recompute::selective, false), kept(Recompute::none, false));
    EXPECT_LE(kept(Recompute::full, true), kept(Recompute::none, true));
    EXPECT_EQ(kept(Recompute::selective, false), kept(Recompute::none, true));
  }
}

TEST(Analysis, ADesignWithErrorsAnswersWhatItCan) {
  const Elaboration design = elaborate(tests::design(
      R"("D":"Nope * 2")", R"({"id":"a","type":"rmsnorm","params":{"dim":"D"}},
                              {"id":"b","type":"rmsnorm","params":{"dim":8}})"));
  const Analysis analysis = analyze(design, {}, *device_named("h100-sxm"));
  EXPECT_TRUE(std::isnan(analysis.params.total));
  EXPECT_NE(analysis.training_verdict.find("unknown"), std::string::npos);
  EXPECT_EQ(analysis.chinchilla.verdict, "unknown");
}

}  // namespace
}  // namespace roofbeam
