#include <gtest/gtest.h>

#include "engine/blocks/primitives.h"
#include "tests/unit/blocks/sample.h"

namespace roofbeam {
namespace {

// Per token of a batch of 2 sequences of 64 tokens, with a source of 24.
constexpr Workload kWorkload{.batch = 2, .query_tokens = 64, .source_tokens = 24};
constexpr Lengths kLengths{.own = 64, .source = 24, .batch = 2};

struct FormCase {
  std::string name;
  std::string_view type;
  Written written = {};
  double weights = 0;
  double matrix = 0;
  double attention = 0;
  double attention_unmasked = 0;
  double elementwise = 0;
};

void PrintTo(const FormCase& row, std::ostream* out) { *out << row.name; }

class ClosedForms : public testing::TestWithParam<FormCase> {};

TEST_P(ClosedForms, CountWeightsAndWorkPerToken) {
  const FormCase& row = GetParam();
  const Scope scope = scope_of(kWorkload);
  const Sample block(row.type, row.written, scope);
  const WorkPerToken work = block.work(scope, kLengths);
  EXPECT_EQ(block.weights(), row.weights);
  EXPECT_EQ(work.matrix.value, row.matrix);
  EXPECT_EQ(work.attention.value, row.attention);
  EXPECT_EQ(work.attention_unmasked.value, row.attention_unmasked);
  EXPECT_EQ(work.elementwise.value, row.elementwise);
}

const Written kHeads{{"heads", 8}, {"kv_heads", 2}, {"head_dim", 16}};
const Written kImage{{"in_channels", 4}, {"out_channels", 6}, {"in_h", 11}, {"in_w", 9}};
const Written kPool{{"channels", 4}, {"in_h", 11}, {"in_w", 9}};
const Written kDelta{{"heads", 4}, {"head_dim", 16}};
const Written kSsd{{"d_inner", 64}, {"heads", 8},  {"head_dim", 8},
                   {"state", 16},   {"groups", 2}, {"xbc_width", 128}};

Written with(Written written, Written more) {
  written.insert(written.end(), more.begin(), more.end());
  return written;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ClosedForms,
    testing::Values(
        FormCase{.name = "input", .type = "input"}, FormCase{.name = "output", .type = "output"},
        FormCase{.name = "boundary_in", .type = "boundary_in"},
        FormCase{.name = "boundary_out", .type = "boundary_out"},
        FormCase{.name = "embedding",
                 .type = "embedding",
                 .written = {{"vocab", 1000}, {"dim", 32}},
                 .weights = 1000 * 32},
        FormCase{.name = "embedding_tied",
                 .type = "embedding",
                 .written = {{"vocab", 1000}, {"dim", 32}, {"tied", true}}},
        FormCase{.name = "pos_embedding",
                 .type = "pos_embedding",
                 .written = {{"max_seq", 512}, {"dim", 32}},
                 .weights = 512 * 32,
                 .elementwise = 32},
        FormCase{.name = "learned_tokens",
                 .type = "learned_tokens",
                 .written = {{"dim", 32}, {"count", 3}},
                 .weights = 3 * 32},
        FormCase{.name = "learned_tokens_at_many_places",
                 .type = "learned_tokens",
                 .written = {{"dim", 32}, {"tokens", 10}},
                 .weights = 1 * 32},
        FormCase{.name = "linear",
                 .type = "linear",
                 .written = {{"in_features", 32}, {"out_features", 48}},
                 .weights = 32 * 48,
                 .matrix = 2 * 32 * 48},
        FormCase{.name = "linear_with_bias",
                 .type = "linear",
                 .written = {{"in_features", 32}, {"out_features", 48}, {"bias", true}},
                 .weights = 32 * 48 + 48,
                 .matrix = 2 * 32 * 48},
        FormCase{.name = "lm_head",
                 .type = "lm_head",
                 .written = {{"vocab", 1000}, {"dim", 32}},
                 .weights = 1000 * 32,
                 .matrix = 2 * 1000 * 32},
        FormCase{
            .name = "lm_head_tied_with_bias_and_cap",
            .type = "lm_head",
            .written =
                {{"vocab", 1000}, {"dim", 32}, {"tied", true}, {"bias", true}, {"softcap", 30}},
            .weights = 1000,
            .matrix = 2 * 1000 * 32,
            .elementwise = 8 * 1000},
        // (11 - 3) / 1 + 1 = 9 rows, (9 - 3) / 1 + 1 = 7 columns
        FormCase{.name = "conv2d",
                 .type = "conv2d",
                 .written = kImage,
                 .weights = 4 * 6 * 3 * 3 + 6,
                 .matrix = 2 * 4 * 6 * 3 * 3 * 9 * 7},
        // floor((11 + 2 - 4) / 2) + 1 = 5 rows, floor((9 + 2 - 4) / 2) + 1 = 4 columns
        FormCase{.name = "conv2d_strided_grouped_activated",
                 .type = "conv2d",
                 .written = with(kImage, {{"kernel", 4},
                                          {"stride", 2},
                                          {"padding", 1},
                                          {"groups", 2},
                                          {"bias", false},
                                          {"act", "relu"}}),
                 .weights = (4 / 2) * 6 * 4 * 4,
                 .matrix = 2 * (4 / 2) * 6 * 4 * 4 * 5 * 4,
                 .elementwise = 1 * 6 * 5 * 4},
        // floor((11 - 2) / 2) + 1 = 5 rows, floor((9 - 2) / 2) + 1 = 4 columns
        FormCase{.name = "maxpool2d",
                 .type = "maxpool2d",
                 .written = kPool,
                 .elementwise = 4 * 5 * 4 * 2 * 2},
        FormCase{.name = "flatten2d", .type = "flatten2d", .written = kPool},
        FormCase{.name = "rmsnorm",
                 .type = "rmsnorm",
                 .written = {{"dim", 32}},
                 .weights = 32,
                 .elementwise = 4 * 32},
        FormCase{.name = "rmsnorm_without_scale",
                 .type = "rmsnorm",
                 .written = {{"dim", 32}, {"scale", false}},
                 .elementwise = 4 * 32},
        FormCase{.name = "layernorm",
                 .type = "layernorm",
                 .written = {{"dim", 32}},
                 .weights = 2 * 32,
                 .elementwise = 6 * 32},
        FormCase{.name = "layernorm_without_bias",
                 .type = "layernorm",
                 .written = {{"dim", 32}, {"bias", false}},
                 .weights = 32,
                 .elementwise = 6 * 32},
        FormCase{
            .name = "silu", .type = "activation", .written = {{"dim", 32}}, .elementwise = 5 * 32},
        FormCase{.name = "relu2",
                 .type = "activation",
                 .written = {{"dim", 32}, {"kind", "relu2"}},
                 .elementwise = 2 * 32},
        FormCase{.name = "gelu_tanh",
                 .type = "activation",
                 .written = {{"dim", 32}, {"kind", "gelu_tanh"}},
                 .elementwise = 8 * 32},
        FormCase{.name = "identity",
                 .type = "activation",
                 .written = {{"dim", 32}, {"kind", "identity"}}},
        FormCase{.name = "add", .type = "add", .written = {{"dim", 32}}, .elementwise = 32},
        FormCase{.name = "mul", .type = "mul", .written = {{"dim", 32}}, .elementwise = 32},
        FormCase{.name = "gate", .type = "gate", .written = {{"dim", 32}}, .elementwise = 32},
        FormCase{.name = "mix",
                 .type = "mix",
                 .written = {{"dim", 32}},
                 .weights = 2,
                 .elementwise = 3 * 32},
        FormCase{.name = "scale",
                 .type = "scale",
                 .written = {{"dim", 32}, {"by", 0.2}},
                 .elementwise = 32},
        FormCase{.name = "diff_combine",
                 .type = "diff_combine",
                 .written = {{"heads", 8}, {"head_dim", 16}, {"dim", 32}},
                 .weights = 4 * 16,
                 .elementwise = 2 * 8 * 32},
        FormCase{.name = "attn_scores",
                 .type = "attn_scores",
                 .written = kHeads,
                 .attention = 2 * 64 * 8 * 16,
                 .attention_unmasked = 2 * 64 * 8 * 16},
        FormCase{.name = "attn_softmax",
                 .type = "attn_softmax",
                 .written = {{"heads", 8}},
                 .elementwise = 5 * 8 * 64},
        FormCase{.name = "head_mix",
                 .type = "head_mix",
                 .written = {{"heads", 8}},
                 .weights = 8 * 8,
                 .attention = 2 * 8 * 8 * 64,
                 .attention_unmasked = 2 * 8 * 8 * 64},
        FormCase{.name = "attn_values",
                 .type = "attn_values",
                 .written = {{"heads", 8}, {"kv_heads", 2}, {"v_head_dim", 24}},
                 .attention = 2 * 64 * 8 * 24,
                 .attention_unmasked = 2 * 64 * 8 * 24},
        FormCase{.name = "rearrange",
                 .type = "rearrange",
                 .written = {{"from", "B T (4 8)"}, {"to", "B 4 T 8"}}},
        FormCase{.name = "position_bias",
                 .type = "position_bias",
                 .written = {{"buckets", 32}, {"heads", 8}},
                 .weights = 32 * 8},
        FormCase{.name = "rope",
                 .type = "rope",
                 .written = {{"heads", 8}, {"head_dim", 16}},
                 .elementwise = 6 * 8 * 16},
        FormCase{.name = "topk_router",
                 .type = "topk_router",
                 .written = {{"d_model", 32}, {"experts", 8}, {"top_k", 2}},
                 .weights = 32 * 8,
                 .matrix = 2 * 32 * 8},
        FormCase{.name = "topk_router_with_bias",
                 .type = "topk_router",
                 .written = {{"d_model", 32}, {"experts", 8}, {"top_k", 2}, {"bias", true}},
                 .weights = 32 * 8 + 8,
                 .matrix = 2 * 32 * 8},
        FormCase{.name = "weighted_sum",
                 .type = "weighted_sum",
                 .written = {{"dim", 32}, {"n", 2}},
                 .elementwise = 32 * 2},
        FormCase{.name = "split",
                 .type = "split",
                 .written = {{"from", "B T 32"}, {"sizes", json::Array{20, 12}}}},
        FormCase{.name = "concat",
                 .type = "concat",
                 .written = {{"to", "B T 32"}, {"sizes", json::Array{20, 12}}}},
        FormCase{.name = "shift", .type = "shift", .written = {{"dim", 32}}},
        FormCase{
            .name = "expand_heads", .type = "expand_heads", .written = {{"heads", 8}, {"dim", 16}}},
        FormCase{.name = "kv_latent_cache", .type = "kv_latent_cache", .written = {{"dim", 40}}},
        FormCase{.name = "conv1d",
                 .type = "conv1d",
                 .written = {{"channels", 32}},
                 .weights = 32 * 4 + 32,
                 .matrix = 2 * 32 * 4},
        FormCase{.name = "conv1d_without_bias",
                 .type = "conv1d",
                 .written = {{"channels", 32}, {"kernel", 3}, {"bias", false}},
                 .weights = 32 * 3,
                 .matrix = 2 * 32 * 3},
        FormCase{.name = "gated_delta_scan",
                 .type = "gated_delta_scan",
                 .written = kDelta,
                 .weights = 2 * 4,
                 .matrix = 8 * 4 * 16 * 16},
        FormCase{.name = "gated_delta_scan_grouped",
                 .type = "gated_delta_scan",
                 .written = with(kDelta, {{"v_head_dim", 24}, {"value_heads", 12}}),
                 .weights = 2 * 12,
                 .matrix = 8 * 4 * 16 * 24},
        FormCase{.name = "selective_scan",
                 .type = "selective_scan",
                 .written = {{"d_inner", 64}, {"state", 16}},
                 .weights = 64 * 16 + 64,
                 .matrix = 6 * 64 * 16},
        FormCase{.name = "ssd_scan",
                 .type = "ssd_scan",
                 .written = kSsd,
                 .weights = 3 * 8,
                 .matrix = 6 * 64 * 16 + 4 * 64 * 256}),
    [](const auto& row) { return row.param.name; });

// 2 heads (head_dim + v) = 2 * 8 * (16 + 16) operations a pair of query and key.
INSTANTIATE_TEST_SUITE_P(
    Attention, ClosedForms,
    testing::Values(FormCase{.name = "causal",
                             .type = "sdpa",
                             .written = kHeads,
                             .attention = 2 * 8 * (16 + 16) * 32,
                             .attention_unmasked = 2 * 8 * (16 + 16) * 64},
                    FormCase{.name = "both_ways",
                             .type = "sdpa",
                             .written = with(kHeads, {{"causal", false}}),
                             .attention = 2 * 8 * (16 + 16) * 64,
                             .attention_unmasked = 2 * 8 * (16 + 16) * 64},
                    // 16 - 16^2 / (2 * 64) = 14 keys a query
                    FormCase{.name = "causal_window",
                             .type = "sdpa",
                             .written = with(kHeads, {{"window", 16}}),
                             .attention = 2 * 8 * (16 + 16) * 14,
                             .attention_unmasked = 2 * 8 * (16 + 16) * 64},
                    FormCase{.name = "causal_window_past_the_length",
                             .type = "sdpa",
                             .written = with(kHeads, {{"window", 100}}),
                             .attention = 2 * 8 * (16 + 16) * 32,
                             .attention_unmasked = 2 * 8 * (16 + 16) * 64},
                    FormCase{.name = "window_both_ways",
                             .type = "sdpa",
                             .written = with(kHeads, {{"window", 16}, {"causal", false}}),
                             .attention = 2 * 8 * (16 + 16) * 16,
                             .attention_unmasked = 2 * 8 * (16 + 16) * 64},
                    FormCase{.name = "cross",
                             .type = "sdpa",
                             .written = with(kHeads, {{"causal", false}, {"cross", true}}),
                             .attention = 2 * 8 * (16 + 16) * 24,
                             .attention_unmasked = 2 * 8 * (16 + 16) * 24},
                    FormCase{.name = "wider_values",
                             .type = "sdpa",
                             .written = with(kHeads, {{"v_head_dim", 24}}),
                             .attention = 2 * 8 * (16 + 24) * 32,
                             .attention_unmasked = 2 * 8 * (16 + 24) * 64},
                    FormCase{.name = "capped",
                             .type = "sdpa",
                             .written = with(kHeads, {{"logit_softcap", 50}}),
                             .attention = 2 * 8 * (16 + 16) * 32,
                             .attention_unmasked = 2 * 8 * (16 + 16) * 64,
                             .elementwise = 8 * 32 * 8},
                    FormCase{.name = "sinks",
                             .type = "sdpa",
                             .written = with(kHeads, {{"sinks", true}}),
                             .weights = 8,
                             .attention = 2 * 8 * (16 + 16) * 32,
                             .attention_unmasked = 2 * 8 * (16 + 16) * 64,
                             .elementwise = 8 * 16},
                    // A difference, a product and a sum, then the cap: its eight operations.
                    FormCase{.name = "score_and_cap",
                             .type = "sdpa",
                             .written = with(kHeads, {{"score", "score + 0.5 * (kv - q)"},
                                                      {"logit_softcap", 50}}),
                             .attention = 2 * 8 * (16 + 16) * 32,
                             .attention_unmasked = 2 * 8 * (16 + 16) * 64,
                             .elementwise = (3 + 8) * 32 * 8}),
    [](const auto& row) { return row.param.name; });

TEST(ClosedForms, AMaskScalesWhatCausalityLeaves) {
  const Scope scope = scope_of(kWorkload);
  const Sample block("sdpa", with(kHeads, {{"logit_softcap", 50}}), scope);
  const WorkPerToken work = block.spec().forms.work(
      block.arguments(), {.scope = scope, .lengths = kLengths, .kept_share = 0.25});
  EXPECT_EQ(work.attention.value, 2 * 8 * (16 + 16) * 0.25 * 32);
  EXPECT_EQ(work.elementwise.value, 8 * 0.25 * 32 * 8);
  EXPECT_EQ(work.attention_unmasked.value, 2 * 8 * (16 + 16) * 64);
}

struct CacheCase {
  std::string name;
  std::string_view type;
  Written written = {};
  double per_token = 0;
  double per_sequence = 0;
  double decompressed = 0;
};

void PrintTo(const CacheCase& row, std::ostream* out) { *out << row.name; }

class Caches : public testing::TestWithParam<CacheCase> {};

TEST_P(Caches, HoldTwoBytesAnElement) {
  const CacheCase& row = GetParam();
  const Sample block(row.type, row.written, scope_of(kWorkload));
  const CacheBytes cache = block.cache(2, kLengths);
  EXPECT_EQ(cache.per_token.value, row.per_token);
  EXPECT_EQ(cache.per_sequence.value, row.per_sequence);
  EXPECT_EQ(cache.per_token_decompressed.value, row.decompressed);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Caches,
    testing::Values(
        CacheCase{.name = "sdpa",
                  .type = "sdpa",
                  .written = kHeads,
                  .per_token = 2 * (16 + 16) * 2,
                  .decompressed = 2 * (16 + 16) * 2},
        CacheCase{.name = "sdpa_shared_values",
                  .type = "sdpa",
                  .written = with(kHeads, {{"shared_values", true}, {"v_head_dim", 32}}),
                  .per_token = 2 * 16 * 2,
                  .decompressed = 2 * 16 * 2},
        CacheCase{.name = "sdpa_window",
                  .type = "sdpa",
                  .written = with(kHeads, {{"window", 100}}),
                  .per_sequence = 2 * (16 + 16) * 2 * 100},
        CacheCase{.name = "sdpa_cross",
                  .type = "sdpa",
                  .written = with(kHeads, {{"cross", true}, {"causal", false}}),
                  .per_sequence = 2 * (16 + 16) * 2 * 24},
        CacheCase{
            .name = "sdpa_without", .type = "sdpa", .written = with(kHeads, {{"cache", false}})},
        CacheCase{.name = "attn_scores",
                  .type = "attn_scores",
                  .written = kHeads,
                  .per_token = 2 * 16 * 2,
                  .decompressed = 2 * 16 * 2},
        CacheCase{.name = "attn_values",
                  .type = "attn_values",
                  .written = {{"heads", 8}, {"kv_heads", 2}, {"v_head_dim", 24}},
                  .per_token = 2 * 24 * 2,
                  .decompressed = 2 * 24 * 2},
        CacheCase{.name = "latent",
                  .type = "kv_latent_cache",
                  .written = {{"dim", 40}, {"decompressed_dim", 300}},
                  .per_token = 40 * 2,
                  .decompressed = 300 * 2},
        CacheCase{.name = "latent_alone",
                  .type = "kv_latent_cache",
                  .written = {{"dim", 40}},
                  .per_token = 40 * 2,
                  .decompressed = 40 * 2},
        CacheCase{.name = "conv1d",
                  .type = "conv1d",
                  .written = {{"channels", 32}},
                  .per_sequence = 32 * (4 - 1) * 2},
        CacheCase{.name = "gated_delta_scan",
                  .type = "gated_delta_scan",
                  .written = with(kDelta, {{"v_head_dim", 24}, {"value_heads", 12}}),
                  .per_sequence = 4 * 16 * 24 * 2},
        CacheCase{.name = "selective_scan",
                  .type = "selective_scan",
                  .written = {{"d_inner", 64}, {"state", 16}},
                  .per_sequence = 64 * 16 * 2},
        CacheCase{.name = "ssd_scan",
                  .type = "ssd_scan",
                  .written = kSsd,
                  .per_sequence = 8 * 8 * 16 * 2},
        CacheCase{.name = "linear",
                  .type = "linear",
                  .written = {{"in_features", 8}, {"out_features", 8}}}),
    [](const auto& row) { return row.param.name; });

struct SavingCase {
  std::string name;
  std::string_view type;
  Written written = {};
  double fused = 0;
  double unfused = 0;
};

void PrintTo(const SavingCase& row, std::ostream* out) { *out << row.name; }

class SavesInside : public testing::TestWithParam<SavingCase> {};

TEST_P(SavesInside, BytesPerToken) {
  const SavingCase& row = GetParam();
  const Sample block(row.type, row.written, scope_of(kWorkload));
  SavingContext context{.bytes_per_element = 2, .fused_attention = true, .lengths = kLengths};
  EXPECT_EQ(block.saves_inside(context).value, row.fused);
  context.fused_attention = false;
  EXPECT_EQ(block.saves_inside(context).value, row.unfused);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SavesInside,
    testing::Values(SavingCase{.name = "logits_and_their_fp32_copy",
                               .type = "lm_head",
                               .written = {{"vocab", 1000}, {"dim", 32}},
                               .fused = 1000 * (2 + 4),
                               .unfused = 1000 * (2 + 4)},
                    SavingCase{.name = "attention",
                               .type = "sdpa",
                               .written = kHeads,
                               .fused = 8 * 16 * 2 + 4 * 8,
                               .unfused = 8 * 16 * 2 + 2 * 8 * 64 * 2},
                    SavingCase{.name = "attention_that_is_never_fused",
                               .type = "sdpa",
                               .written = with(kHeads, {{"flash", false}}),
                               .fused = 8 * 16 * 2 + 2 * 8 * 64 * 2,
                               .unfused = 8 * 16 * 2 + 2 * 8 * 64 * 2},
                    SavingCase{.name = "windowed_attention",
                               .type = "sdpa",
                               .written = with(kHeads, {{"window", 16}}),
                               .fused = 8 * 16 * 2 + 4 * 8,
                               .unfused = 8 * 16 * 2 + 2 * 8 * 16 * 2},
                    SavingCase{.name = "cross_attention",
                               .type = "sdpa",
                               .written = with(kHeads, {{"cross", true}, {"causal", false}}),
                               .fused = 8 * 16 * 2 + 4 * 8,
                               .unfused = 8 * 16 * 2 + 2 * 8 * 24 * 2},
                    SavingCase{.name = "add", .type = "add", .written = {{"dim", 32}}}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace roofbeam
