#include <gtest/gtest.h>

#include "engine/blocks/primitives.h"
#include "tests/unit/blocks/sample.h"

namespace roofbeam {
namespace {

// Names of the operators that take time, in order.
std::string priced(const std::vector<Operator>& operators) {
  std::string names;
  for (const Operator& op : operators)
    if (!op.view) names += (names.empty() ? "" : " ") + std::string(op.name);
  return names;
}

double moved(const std::vector<Operator>& operators) {
  double sum = 0;
  for (const Operator& op : operators) {
    if (op.view) continue;
    for (const Tensor& tensor : op.reads) sum += traffic(tensor).value;
    for (const Tensor& tensor : op.writes) sum += traffic(tensor).value;
  }
  return sum;
}

constexpr Workload kPrefill{.batch = 2, .query_tokens = 64, .source_tokens = 24};
constexpr Workload kDecode{
    .batch = 2, .query_tokens = 1, .context_tokens = 63, .source_tokens = 24};
constexpr Workload kTraining{
    .batch = 2, .query_tokens = 64, .source_tokens = 24, .keeps_cache = false};

struct LoweringCase {
  std::string name;
  std::string_view type;
  Written written;
  Workload workload;
  std::string operators;
};

void PrintTo(const LoweringCase& row, std::ostream* out) { *out << row.name; }

class EagerOperators : public testing::TestWithParam<LoweringCase> {};

TEST_P(EagerOperators, AreTheFrameworksInOrder) {
  const LoweringCase& row = GetParam();
  const Sample block(row.type, row.written, scope_of(row.workload));
  EXPECT_EQ(priced(block.lowered(row.workload)), row.operators);
}

const Written kHeads{{"heads", 8}, {"kv_heads", 2}, {"head_dim", 16}};
const Written kCross{
    {"heads", 8}, {"kv_heads", 2}, {"head_dim", 16}, {"causal", false}, {"cross", true}};
const Written kDelta{{"heads", 4}, {"head_dim", 16}};

INSTANTIATE_TEST_SUITE_P(
    Cases, EagerOperators,
    testing::Values(
        LoweringCase{
            "embedding", "embedding", {{"vocab", 1000}, {"dim", 32}}, kPrefill, "embedding"},
        LoweringCase{"positions",
                     "pos_embedding",
                     {{"max_seq", 512}, {"dim", 32}},
                     kPrefill,
                     "embedding add"},
        LoweringCase{
            "linear", "linear", {{"in_features", 32}, {"out_features", 48}}, kPrefill, "mm"},
        LoweringCase{"linear_with_bias",
                     "linear",
                     {{"in_features", 32}, {"out_features", 48}, {"bias", true}},
                     kPrefill,
                     "addmm"},
        LoweringCase{"capped_head",
                     "lm_head",
                     {{"vocab", 1000}, {"dim", 32}, {"softcap", 30}},
                     kPrefill,
                     "mm div tanh mul"},
        LoweringCase{"rmsnorm",
                     "rmsnorm",
                     {{"dim", 32}},
                     kPrefill,
                     "_to_copy pow mean add rsqrt mul _to_copy mul"},
        LoweringCase{"rmsnorm_without_scale",
                     "rmsnorm",
                     {{"dim", 32}, {"scale", false}},
                     kPrefill,
                     "_to_copy pow mean add rsqrt mul _to_copy"},
        LoweringCase{"layernorm", "layernorm", {{"dim", 32}}, kPrefill, "native_layer_norm"},
        LoweringCase{"swish", "activation", {{"dim", 32}, {"kind", "swish"}}, kPrefill, "silu"},
        LoweringCase{"relu2", "activation", {{"dim", 32}, {"kind", "relu2"}}, kPrefill, "relu pow"},
        LoweringCase{"identity", "activation", {{"dim", 32}, {"kind", "identity"}}, kPrefill, ""},
        LoweringCase{"mix", "mix", {{"dim", 32}}, kPrefill, "mul mul add"},
        LoweringCase{
            "rope", "rope", {{"heads", 8}, {"head_dim", 16}}, kPrefill, "mul neg cat mul add"},
        LoweringCase{"attention", "sdpa", kHeads, kPrefill, "reshape_and_cache attention"},
        LoweringCase{"attention_in_training", "sdpa", kHeads, kTraining, "attention"},
        LoweringCase{"cross_attention", "sdpa", kCross, kPrefill, "reshape_and_cache attention"},
        LoweringCase{"cross_attention_later", "sdpa", kCross, kDecode, "attention"},
        LoweringCase{"scores", "attn_scores", kHeads, kPrefill, "reshape_and_cache clone bmm mul"},
        LoweringCase{"scores_of_equal_heads",
                     "attn_scores",
                     {{"heads", 8}, {"kv_heads", 8}, {"head_dim", 16}},
                     kPrefill,
                     "reshape_and_cache bmm mul"},
        LoweringCase{
            "softmax", "attn_softmax", {{"heads", 8}}, kPrefill, "add _to_copy _softmax _to_copy"},
        LoweringCase{"softmax_both_ways",
                     "attn_softmax",
                     {{"heads", 8}, {"causal", false}},
                     kPrefill,
                     "_to_copy _softmax _to_copy"},
        LoweringCase{"router",
                     "topk_router",
                     {{"d_model", 32}, {"experts", 8}, {"top_k", 2}},
                     kPrefill,
                     "mm _to_copy _softmax topk sum div_ _to_copy"},
        LoweringCase{"router_as_is",
                     "topk_router",
                     {{"d_model", 32}, {"experts", 8}, {"top_k", 2}, {"normalize", false}},
                     kPrefill,
                     "mm _to_copy _softmax topk _to_copy"},
        LoweringCase{"weighted_sum", "weighted_sum", {{"dim", 32}, {"n", 2}}, kPrefill, "mul sum"},
        LoweringCase{
            "conv2d",
            "conv2d",
            {{"in_channels", 4}, {"out_channels", 6}, {"in_h", 8}, {"in_w", 8}, {"act", "relu"}},
            kPrefill,
            "convolution relu"},
        LoweringCase{"conv1d", "conv1d", {{"channels", 32}}, kPrefill, "convolution copy_"},
        LoweringCase{"latent", "kv_latent_cache", {{"dim", 32}}, kPrefill, "reshape_and_cache"},
        LoweringCase{"delta_rule", "gated_delta_scan", kDelta, kPrefill,
                     "fused_gdn_gating chunk_gated_delta_rule"},
        LoweringCase{"delta_rule_step", "gated_delta_scan", kDelta, kDecode,
                     "fused_gdn_gating recurrent_gated_delta_rule"},
        LoweringCase{
            "scan", "selective_scan", {{"d_inner", 64}, {"state", 16}}, kPrefill, "selective_scan"},
        LoweringCase{"scan_step",
                     "selective_scan",
                     {{"d_inner", 64}, {"state", 16}},
                     kDecode,
                     "selective_state_update"}),
    [](const auto& row) { return row.param.name; });

// Of the table only the rows looked up move; it is stored whole.
TEST(Lowering, ALookupMovesItsRows) {
  const Sample block("embedding", {{"vocab", 1000}, {"dim", 32}}, scope_of(kPrefill));
  const std::vector<Operator> operators = block.lowered(kPrefill);
  EXPECT_EQ(bytes(operators[0].reads[0]).value, 1000 * 32 * 2);
  const double rows = 2 * 64;
  EXPECT_EQ(moved(operators), rows * 32 * 2 + rows * 8 + rows * 32 * 2);  // table, ids, result
}

// A tied head reads the embedding's matrix and owns none of it.
TEST(Lowering, ATiedHeadReadsWhatAnotherStores) {
  const Sample block("lm_head", {{"vocab", 1000}, {"dim", 32}, {"tied", true}}, scope_of(kPrefill));
  const std::vector<Operator> operators = block.lowered(kPrefill);
  const Tensor& matrix = operators[1].reads[1];
  EXPECT_EQ(matrix.role, TensorRole::weight);
  EXPECT_TRUE(matrix.tied);
  EXPECT_EQ(matrix.shape, (std::vector<Extent>{32, 1000}));
}

// Two sequences of 3500 tokens, 64 query heads and 8 key heads of 128, two bytes an element:
// queries and result, keys and values of every position, and a page table of ceil(3500 / 128) = 28
// columns.
TEST(Lowering, PrefillAttentionMovesQueriesKeysAndPages) {
  const Workload workload{.batch = 2, .query_tokens = 3500};
  const Sample block("sdpa", {{"heads", 64}, {"kv_heads", 8}, {"head_dim", 128}},
                     scope_of(workload));
  const std::vector<Operator> operators = block.lowered(workload);
  const double tokens = 2 * 3500;
  EXPECT_EQ(moved({operators[0]}), tokens * (2 * 1024 * 2 + 8) + tokens * 2 * 1024 * 2);
  EXPECT_EQ(moved({operators[1]}),
            2 * tokens * 8192 * 2 + tokens * 2 * 1024 * 2 + 8 * (2 * 28 + (2 + 1) + 2 + 2));
  EXPECT_EQ(matrix_flops(operators[1]).value, 4 * tokens * 3500 * 64 * 128);
  EXPECT_EQ(elementwise_flops(operators[1]).value, 4 * tokens * 3500 * 64);
}

// One new token reads what 4096 earlier ones cached, in the cache's own format.
TEST(Lowering, DecodeReadsTheWholeContext) {
  const Workload workload{
      .batch = 3, .query_tokens = 1, .context_tokens = 4095, .cache = Dtype::fp8};
  const Sample block("sdpa", {{"heads", 32}, {"kv_heads", 8}, {"head_dim", 128}},
                     scope_of(workload));
  const Operator attention = block.lowered(workload)[1];
  EXPECT_EQ(attention.reads[1].shape, (std::vector<Extent>{3, 8, 4096, 128}));
  EXPECT_EQ(attention.reads[1].role, TensorRole::cache);
  EXPECT_EQ(bytes(attention.reads[1]).value, 3 * 8 * 4096 * 128 * 1);
  EXPECT_EQ(matrix_flops(attention).value, 4.0 * 3 * 4096 * 32 * 128);
}

// Score expressions and sinks add vector work: 3 operations a pair and 8 for the cap, beside the
// softmax's 4, and one an element of the result.
TEST(Lowering, ScoreExpressionsCostVectorWork) {
  Written written = kHeads;
  written.insert(written.end(),
                 {{"score", "score + 0.5 * (kv - q)"}, {"logit_softcap", 50}, {"sinks", true}});
  const Sample block("sdpa", written, scope_of(kPrefill));
  const Operator attention = block.lowered(kPrefill)[1];
  const double pairs = 2 * 64 * 64;
  EXPECT_EQ(elementwise_flops(attention).value, (4 + 3 + 8) * pairs * 8 + 2 * 64 * 8 * 16);
}

TEST(Lowering, TablesAreOperandsOfTheAttention) {
  Written written = kHeads;
  written.emplace_back("score", "score + bias(h, abs(q - kv) % 8)");
  const Sample block("sdpa", written, scope_of(kPrefill));
  const Operator attention = block.lowered(kPrefill, {8, 32})[1];
  EXPECT_EQ(attention.reads.back().shape, (std::vector<Extent>{8, 32}));
}

// A score matrix covers the cached positions, too.
TEST(Lowering, WrittenOutAttentionSpansTheContext) {
  const Sample scores("attn_scores", kHeads, scope_of(kDecode));
  EXPECT_EQ(scores.lowered(kDecode).back().writes[0].shape, (std::vector<Extent>{2, 8, 1, 64}));
  const Sample values("attn_values", {{"heads", 8}, {"kv_heads", 2}, {"v_head_dim", 24}},
                      scope_of(kDecode));
  EXPECT_EQ(values.lowered(kDecode).back().reads[1].shape, (std::vector<Extent>{2, 8, 64, 24}));
}

// Norms compute in fp32 between two casts; the weight is as wide as the others.
TEST(Lowering, RmsNormWidensToFp32) {
  const Sample block("rmsnorm", {{"dim", 32}}, scope_of(kPrefill));
  const double n = 2 * 64 * 32;
  const double r = 2 * 64;
  const double wide = 4;
  const double narrow = 2;
  EXPECT_EQ(moved(block.lowered(kPrefill)), n * (narrow + wide)            // cast
                                                + 2 * n * wide             // square
                                                + (n + r) * wide           // mean
                                                + 2 * 2 * r * wide         // add, rsqrt
                                                + (2 * n + r) * wide       // scale by it
                                                + n * (wide + narrow)      // cast
                                                + (32 + 2 * n) * narrow);  // scale by the weight
}

// The state of a scan is read where there are steps before, and written where there are some after.
TEST(Lowering, AScanCarriesItsState) {
  const Sample block("selective_scan", {{"d_inner", 64}, {"state", 16}}, scope_of(kDecode));
  const std::vector<Extent> state{2, 64, 16};
  const auto cached = [](const std::vector<Tensor>& tensors) {
    return tensors.back().role == TensorRole::cache ? tensors.back().shape : std::vector<Extent>{};
  };
  const Operator first = block.lowered(kPrefill)[0];
  EXPECT_EQ(cached(first.reads), std::vector<Extent>{});
  EXPECT_EQ(cached(first.writes), state);
  const Operator later = block.lowered(kDecode)[0];
  EXPECT_EQ(cached(later.reads), state);
  EXPECT_EQ(cached(later.writes), state);
}

TEST(Lowering, ConvolutionsCountTheirGroups) {
  const Written written{
      {"in_channels", 4}, {"out_channels", 6}, {"in_h", 8}, {"in_w", 8}, {"groups", 2}};
  const Workload image{.batch = 5};
  const Sample block("conv2d", written, scope_of(image));
  const Operator convolution = block.lowered(image)[0];
  EXPECT_EQ(convolution.reads[1].shape, (std::vector<Extent>{6, 4 / 2, 3, 3}));
  EXPECT_EQ(convolution.writes[0].shape, (std::vector<Extent>{5, 6, 6, 6}));
  EXPECT_EQ(matrix_flops(convolution).value, 5 * 2 * (4 / 2) * 6 * 3 * 3 * 6 * 6);
}

}  // namespace
}  // namespace roofbeam
