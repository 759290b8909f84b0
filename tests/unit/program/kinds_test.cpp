#include "engine/program/kinds.h"

#include <gtest/gtest.h>

namespace roofbeam {
namespace {

Tensor tensor(Dtype dtype, std::vector<Extent> shape) {
  return {.dtype = dtype, .shape = std::move(shape)};
}

double read(const Operator& op) {
  double sum = op.beside.read.value;
  for (const Tensor& operand : op.reads)
    if (!operand.updated) sum += traffic(operand).value;
  return sum;
}

double written(const Operator& op) {
  double sum = op.beside.written.value;
  for (const Tensor& result : op.writes) sum += traffic(result).value;
  return sum;
}

TEST(Kinds, QuantizedProductsAreNamedByTheWeightsFormat) {
  const auto product = [](Dtype weight, std::vector<Extent> shape) {
    return quantized_linear({.x = tensor(Dtype::int8, {3, 8}),
                             .w = tensor(weight, std::move(shape)),
                             .x_scale = tensor(Dtype::fp32, {}),
                             .w_scale = tensor(Dtype::fp32, {}),
                             .y = tensor(Dtype::fp16, {3, 4})});
  };
  EXPECT_EQ(product(Dtype::int8, {8, 4}).name, "static_quant_linear");
  EXPECT_EQ(product(Dtype::fp8, {8, 4}).name, "fp8_linear");
  EXPECT_EQ(product(Dtype::int4, {8, 4}).name, "mxfp4_linear");
  const Operator packed = product(Dtype::uint8, {4, 4});
  EXPECT_EQ(packed.name, "static_quant_linear_int4");
  EXPECT_EQ(matrix_flops(packed).value, 2 * 3 * 8 * 4);
  EXPECT_EQ(packed.work[0].dtype, Dtype::int8);
  EXPECT_EQ(packed.work[1].dtype, Dtype::fp32);
  EXPECT_EQ(packed.work[1].elementwise.value, 8 * 4);
  EXPECT_EQ(read(packed), 3 * 8 + 4 * 4 + 4 + 4);
}

TEST(Kinds, ABiasCostsOneOperationAnElement) {
  const Operator op = quantized_linear({.x = tensor(Dtype::int8, {3, 8}),
                                        .w = tensor(Dtype::int8, {8, 4}),
                                        .x_scale = tensor(Dtype::fp32, {}),
                                        .w_scale = tensor(Dtype::fp32, {}),
                                        .y = tensor(Dtype::fp16, {3, 4}),
                                        .bias = tensor(Dtype::fp16, {4})});
  EXPECT_EQ(elementwise_flops(op).value, 12);
  EXPECT_EQ(op.arguments, "%,%,%,None,%,None,%,torch.float16");
}

TEST(Kinds, LookupsReadTheRowsTheyFind) {
  const Operator op = index_select(tensor(Dtype::fp16, {1000, 16}), 0, tensor(Dtype::int64, {5}),
                                   tensor(Dtype::fp16, {5, 16}));
  EXPECT_EQ(read(op), 5 * 16 * 2 + 5 * 8);
  const Operator last = index_select(tensor(Dtype::fp16, {1, 70, 16}), 1, tensor(Dtype::int64, {2}),
                                     tensor(Dtype::fp16, {1, 2, 16}));
  EXPECT_EQ(read(last), 2 * 16 * 2 + 2 * 8);
}

PagedAttention attention(Dtype queries, Dtype cache) {
  return {.q = tensor(queries, {6, 4 * 8}),
          .keys = tensor(cache, {1, 128, 2, 8}),
          .values = tensor(cache, {1, 128, 2, 8}),
          .y = tensor(Dtype::fp16, {6, 4 * 8}),
          .indices = {tensor(Dtype::int64, {2, 1})},
          .heads = 4,
          .width = 8,
          .lengths = {.sequences = 2, .query = 3, .context = 7}};
}

// 2 sequences of 3 queries and 10 keys: 60 pairs.
TEST(Kinds, AttentionCountsEveryPairAndReadsItsPartOfTheCache) {
  const Operator op = paged_attention(attention(Dtype::fp16, Dtype::fp16));
  EXPECT_EQ(op.name, "attention");
  EXPECT_EQ(matrix_flops(op).value, 4 * 60 * 4 * 8);
  EXPECT_EQ(elementwise_flops(op).value, 4 * 60 * 4);
  EXPECT_EQ(read(op), 6 * 32 * 2 + 2 * 8 + 2 * 10 * 2 * 2 * 8 * 2);
}

TEST(Kinds, QuantizedAttentionRescalesInHalfPrecision) {
  const Operator fp8 = paged_attention(attention(Dtype::fp8, Dtype::fp8));
  EXPECT_EQ(fp8.name, "attention_quant");
  EXPECT_EQ(fp8.work[0].dtype, Dtype::fp8);
  EXPECT_EQ(fp8.work[1].dtype, Dtype::fp16);
  EXPECT_EQ(elementwise_flops(fp8).value, (4 + 2) * 60 * 4 + 6 * 32);
  const Operator int8 = paged_attention(attention(Dtype::int8, Dtype::int8));
  EXPECT_EQ(elementwise_flops(int8).value, (4 + 4) * 60 * 4 + 2 * 6 * 32);
}

LatentAttentionKernel latent(Extent query) {
  return {.q = tensor(Dtype::fp16, {2 * query, 4, 12}),
          .cache = tensor(Dtype::fp16, {1, 128, 20}),
          .y = tensor(Dtype::fp16, {2 * query, 4, 6}),
          .indices = {},
          .key_absorb = tensor(Dtype::fp16, {4, 8, 16}),
          .value_absorb = tensor(Dtype::fp16, {4, 16, 6}),
          .up = tensor(Dtype::fp16, {16, 4 * 14}),
          .heads = 4,
          .nope_dim = 8,
          .rope_dim = 4,
          .rank = 16,
          .v_dim = 6,
          .lengths = {.sequences = 2, .query = query, .context = 0}};
}

TEST(Kinds, LatentAttentionAbsorbsItsProjectionsForFewTokens) {
  const Operator few = latent_attention(latent(1));
  EXPECT_EQ(matrix_flops(few).value, 2 * 2 * 4 * (8 * 16 + 16 * 6) + 2 * 2 * 4 * (20 + 16));
  EXPECT_EQ(read(few), (2 * 48 + 4 * 8 * 16 + 4 * 16 * 6) * 2 + 2 * (20 * 2 + 8));
  const Operator many = latent_attention(latent(10));
  EXPECT_EQ(matrix_flops(many).value, 2 * 20 * 4 * 14 * 16 + 2 * 200 * 4 * (12 + 6));
  EXPECT_EQ(read(many), (20 * 48 + 16 * 4 * 14) * 2 + 2 * (10 * 20 * 2 + 8));
}

TEST(Kinds, CacheWritesCountWhatIsNew) {
  const Operator op =
      reshape_and_cache(tensor(Dtype::fp8, {6, 16}), tensor(Dtype::fp8, {6, 16}),
                        tensor(Dtype::fp8, {2, 9, 128, 2, 8}), tensor(Dtype::int64, {6}));
  EXPECT_EQ(read(op), 2 * 6 * 16 + 6 * 8);
  EXPECT_EQ(written(op), 2 * 6 * 16);
}

TEST(Kinds, CollectivesSayWhoTakesPartAndWhatMoves) {
  const std::vector<std::int64_t> ranks{4, 5, 6, 7};
  const Operator op = all_to_all(tensor(Dtype::fp16, {6, 8}), tensor(Dtype::fp16, {8, 8}),
                                 {2, 2, 2, 2}, {2, 2, 1, 1}, ranks, 1);
  ASSERT_TRUE(op.collective.has_value());
  EXPECT_EQ(op.collective->kind, CollectiveKind::all_to_all);
  EXPECT_EQ(op.collective->in_splits, (std::vector<std::int64_t>{2, 2, 1, 1}));
  EXPECT_EQ(op.arguments, "%,(2;2;2;2),(2;2;1;1),5,(4;5;6;7)");
}

TEST(Kinds, NumbersAreWrittenAsTheFrameworkPrintsThem) {
  EXPECT_EQ(number_argument(1e-6), "1e-06");
  EXPECT_EQ(number_argument(12), "12.0");
  EXPECT_EQ(number_argument(0.22), "0.22");
  EXPECT_EQ(number_argument(2.5), "2.5");
}

}  // namespace
}  // namespace roofbeam
