#include "engine/program/fuse.h"

#include <gtest/gtest.h>

#include "engine/program/decompose.h"
#include "engine/program/products.h"
#include "tests/unit/program/segment.h"

namespace roofbeam {
namespace {

using tests::SegmentBuilder;
using Names = std::vector<std::string_view>;

constexpr Dtype kHalf = Dtype::fp16;

// The norm as an eager Llama writes it.
Tensor eager_norm(SegmentBuilder& b, const Tensor& x, const std::string& eps = "1e-06") {
  std::vector<Extent> row = x.shape;
  row.back() = 1;
  const Tensor single = b.apply("_to_copy", {x}, Dtype::fp32, x.shape);
  const Tensor mean = b.apply("mean", {b.apply("pow", {single}, "%,2")}, Dtype::fp32, row);
  const Tensor factor = b.apply("rsqrt", {b.apply("add", {mean}, "%," + eps)});
  const Tensor y = b.apply("mul", {single, factor});
  const Tensor half = b.apply("_to_copy", {y}, kHalf, x.shape);
  return b.apply("mul", {b.weight(kHalf, {x.shape.back()}), half}, kHalf, x.shape);
}

// What `run` leaves of a segment whose `results` are read elsewhere.
template <class Run>
const std::vector<Operator>& rewritten(SegmentBuilder& b, const std::vector<Tensor>& results,
                                       Run run) {
  decompose(b.program(), b.segment());
  Rewriter graph = b.graph(results);
  run(graph);
  graph.tidy();
  graph.finish();
  return b.segment().operators;
}

double read(const Operator& op) {
  double sum = 0;
  for (const Tensor& operand : op.reads) sum += traffic(operand).value;
  return sum;
}

TEST(Decompose, WritesCompositesAsTheirParts) {
  SegmentBuilder b;
  const Tensor x = b.given(Dtype::fp32, {8, 16});
  const Tensor y = b.apply("_softmax", {x}, "%,-1,False");
  decompose(b.program(), b.segment());
  EXPECT_EQ(b.names(), (Names{"amax", "sub", "exp", "sum", "div"}));
  const std::vector<Operator>& ops = b.segment().operators;
  EXPECT_EQ(ops[0].arguments, "%,(-1),True");
  EXPECT_EQ(ops[0].writes[0].shape, (std::vector<Extent>{8, 1}));
  EXPECT_EQ(ops[4].writes[0].value, y.value);
}

TEST(Decompose, LookupsReadTheWholeTable) {
  SegmentBuilder b;
  const Tensor table = b.weight(kHalf, {100, 8});
  const Tensor ids = b.given(Dtype::int64, {3});
  b.add(index_select(table, 0, ids, b.given(kHalf, {3, 8})));
  decompose(b.program(), b.segment());
  const Operator& op = b.segment().operators.front();
  EXPECT_EQ(op.name, "index");
  EXPECT_EQ(read(op), 100 * 8 * 2 + 3 * 8);
  EXPECT_EQ(signature_of_inputs(op), "f16[100,8],(i64[3])");
}

TEST(Decompose, WhatIsChangedInPlaceIsANewTensorUnderItsName) {
  SegmentBuilder b;
  const Tensor x = b.given(Dtype::fp32, {8});
  const Tensor y = b.apply("neg", {x});
  Operator divide = plain("div_", {y, x}, y);
  divide.reads.front().updated = true;
  b.add(divide);
  decompose(b.program(), b.segment());
  EXPECT_EQ(b.names(), (Names{"neg", "div"}));
  const std::vector<Operator>& ops = b.segment().operators;
  EXPECT_EQ(ops[1].writes[0].value, y.value);
  EXPECT_NE(ops[0].writes[0].value, y.value);
  EXPECT_EQ(ops[1].reads[0].value, ops[0].writes[0].value);
  EXPECT_FALSE(ops[1].reads[0].updated);
}

TEST(Fuse, AnRmsNormIsOneOperatorOfFiveOperationsAnElement) {
  SegmentBuilder b;
  const Tensor x = b.given(kHalf, {1, 4, 32});
  const Tensor y = eager_norm(b, x, "1e-05");
  const auto& ops = rewritten(b, {y}, fuse_chains);
  ASSERT_EQ(b.names(), (Names{"rms_norm"}));
  EXPECT_EQ(elementwise_flops(ops[0]).value, 5 * 4 * 32);
  EXPECT_EQ(ops[0].work.front().dtype, Dtype::fp32);
  EXPECT_EQ(signature_of_inputs(ops[0]), "f16[1,4,32],f16[32],1e-05");
}

TEST(Fuse, ANormWhoseInsideIsReadElsewhereStays) {
  SegmentBuilder b;
  const Tensor x = b.given(kHalf, {1, 4, 32});
  const Tensor y = eager_norm(b, x);
  const Tensor inside = b.segment().operators.front().writes.front();
  rewritten(b, {y, inside}, fuse_chains);
  EXPECT_EQ(b.names().size(), 8);
}

TEST(Fuse, TheSumBeforeANormJoinsIt) {
  for (const bool reads_sum : {true, false}) {
    SegmentBuilder b;
    const Tensor x = b.given(kHalf, {1, 4, 32});
    const Tensor sum = b.apply("add", {x, b.given(kHalf, {1, 4, 32})});
    const Tensor y = eager_norm(b, sum);
    std::vector<Tensor> results{y};
    if (reads_sum) results.push_back(sum);
    const auto& ops = rewritten(b, results, fuse_chains);
    ASSERT_EQ(b.names(), (Names{reads_sum ? "add_rms_norm2" : "add_rms_norm"}));
    EXPECT_EQ(ops[0].writes.size(), reads_sum ? 2 : 1);
    EXPECT_EQ(ops[0].writes[0].value, y.value);
    EXPECT_TRUE(ops[0].work.empty());
  }
}

TEST(Fuse, OnlyNormsOfOneEpsJoinTheQuantizationBehindThem) {
  const auto names = [](const std::string& eps) {
    SegmentBuilder b;
    const Tensor x = b.given(kHalf, {1, 4, 32});
    const Tensor y = eager_norm(b, x, eps);
    const Tensor values = b.given(Dtype::int8, {1, 4, 32});
    const Tensor scale = b.given(Dtype::fp32, {});
    b.add(dynamic_quantize_symmetric(y, values, scale));
    rewritten(b, {values, scale}, fuse_chains);
    return b.names();
  };
  EXPECT_EQ(names("1e-06"), (Names{"rms_norm_dynamic_quant_symmetric"}));
  EXPECT_EQ(names("1e-05"), (Names{"rms_norm", "dynamic_quantize_symmetric"}));
}

TEST(Fuse, AQuantizedNormOfASumGivesTheSumToo) {
  SegmentBuilder b;
  const Tensor sum = b.apply("add", {b.given(kHalf, {1, 4, 32}), b.given(kHalf, {1, 4, 32})});
  const Tensor y = eager_norm(b, sum);
  const Tensor scale = b.weight(Dtype::fp32, {});
  const Tensor values = b.given(Dtype::int8, {1, 4, 32});
  b.add(quantize(y, scale, values));
  const auto& ops = rewritten(b, {values, sum}, fuse_chains);
  ASSERT_EQ(b.names(), (Names{"add_rms_norm_quant2"}));
  EXPECT_EQ(signature_of_inputs(ops[0]), "f16[1,4,32],f16[1,4,32],f16[32],f32[],None,1e-06");
  EXPECT_EQ(signature_of_outputs(ops[0]), "(i8[1,4,32];f16[1,4,32])");
}

TEST(Fuse, AGateInEitherOrderIsASwiglu) {
  for (const bool gate_first : {true, false}) {
    SegmentBuilder b;
    const Tensor gate = b.given(kHalf, {4, 8});
    const Tensor up = b.given(kHalf, {4, 8});
    const Tensor open = b.apply("silu", {gate});
    const Tensor y = b.apply("mul", gate_first ? std::vector{open, up} : std::vector{up, open});
    const auto& ops = rewritten(b, {y}, fuse_chains);
    ASSERT_EQ(b.names(), (Names{"swiglu"}));
    EXPECT_EQ(ops[0].reads[0].value, gate.value);
    EXPECT_EQ(ops[0].reads[1].value, up.value);
  }
}

TEST(Fuse, ActivationsAloneAreCounted) {
  SegmentBuilder b;
  const Tensor x = b.given(kHalf, {4, 8});
  const Tensor silu = b.apply("silu", {x});
  const Tensor tanh = b.apply("gelu", {x}, "%,{approximate=tanh}");
  const Tensor erf = b.apply("gelu", {x});
  const auto& ops = rewritten(b, {silu, tanh, erf}, fuse_chains);
  ASSERT_EQ(b.names(), (Names{"fused_silu", "fused_gelu", "fused_gelu"}));
  EXPECT_EQ(elementwise_flops(ops[0]).value, 6 * 32);
  EXPECT_EQ(elementwise_flops(ops[1]).value, 13 * 32);
  EXPECT_EQ(elementwise_flops(ops[2]).value, 16 * 32);
}

TEST(Fuse, LayerNormsLoseWhatTheBackwardPassWouldNeed) {
  SegmentBuilder b;
  const Tensor x = b.given(kHalf, {1, 4, 32});
  Operator norm = plain("native_layer_norm", {x, b.weight(kHalf, {32}), b.weight(kHalf, {32})},
                        b.given(kHalf, {1, 4, 32}), "%,(32),%,%,1e-05");
  norm.writes.push_back(b.given(Dtype::fp32, {1, 4, 1}));
  norm.writes.push_back(b.given(Dtype::fp32, {1, 4, 1}));
  b.add(norm);
  const auto& ops = rewritten(b, {norm.writes.front()}, fuse_chains);
  ASSERT_EQ(b.names(), (Names{"layer_norm"}));
  EXPECT_EQ(elementwise_flops(ops[0]).value, (6 + 1 + 1) * 4 * 32);
  EXPECT_EQ(signature_of_inputs(ops[0]), "f16[1,4,32],f16[32],f16[32],1e-05");
}

TEST(Fuse, RotationsOfQueriesAndKeysAreOneThatLeavesTokensFirst) {
  SegmentBuilder b;
  const Tensor cos = b.given(kHalf, {1, 4, 16});
  const Tensor sin = b.given(kHalf, {1, 4, 16});
  const Tensor cosines = b.view("unsqueeze", cos, {1, 1, 4, 16});
  const Tensor sines = b.view("unsqueeze", sin, {1, 1, 4, 16});
  std::vector<Tensor> flat;
  for (const Extent heads : {8, 2}) {
    const Tensor x = b.view("transpose", b.given(kHalf, {1, 4, heads, 16}), {1, heads, 4, 16});
    const Tensor straight = b.apply("mul", {x, cosines}, kHalf, x.shape);
    const Tensor first = b.view("slice", x, {1, heads, 4, 8});
    const Tensor second = b.view("slice", x, {1, heads, 4, 8});
    const Tensor turned = b.apply("cat", {b.apply("neg", {second}), first}, kHalf, x.shape);
    const Tensor y = b.apply("add", {straight, b.apply("mul", {turned, sines}, kHalf, x.shape)});
    const Tensor back = b.view("transpose", y, {1, 4, heads, 16});
    flat.push_back(b.view("view", back, {4, heads * 16}));
  }
  const auto& ops = rewritten(b, flat, fuse_rotations);
  ASSERT_EQ(b.names(), (Names{"permute", "permute", "apply_rope", "view", "view"}));
  EXPECT_EQ(signature_of_inputs(ops[2]), "f16[1,2,4,16],f16[1,8,4,16],f16[1,4,16],f16[1,4,16]");
  EXPECT_EQ(signature_of_outputs(ops[2]), "(f16[1,4,2,16];f16[1,4,8,16])");
  EXPECT_EQ(elementwise_flops(ops[2]).value, 3 * (2 + 8) * 4 * 16);
}

TEST(Fuse, QuantizationsOfEqualViewsAreOneAboveThem) {
  SegmentBuilder b;
  const Tensor x = b.apply("neg", {b.given(kHalf, {1, 4, 32})});
  std::vector<Tensor> results;
  for (int i = 0; i < 2; ++i) {
    const Tensor flat = b.view("view", x, {4, 32});
    results.push_back(b.given(Dtype::int8, {4, 32}));
    const Tensor scale = b.given(Dtype::fp32, {});
    b.add(dynamic_quantize_symmetric(flat, results.back(), scale));
    results[static_cast<std::size_t>(i)] = b.apply("mul", {results.back(), scale});
  }
  const auto& ops = rewritten(b, results, [](Rewriter& graph) {
    lift_quantizations(graph);
    merge_views(graph);
  });
  ASSERT_EQ(b.names(), (Names{"neg", "dynamic_quantize_symmetric", "view", "mul", "mul"}));
  EXPECT_EQ(ops[1].reads[0].shape, (std::vector<Extent>{1, 4, 32}));
  EXPECT_EQ(ops[2].writes[0].shape, (std::vector<Extent>{4, 32}));
}

TEST(Fuse, AnAllReduceRunsBelowTheViewOfAProductAndSoDoesTheSum) {
  SegmentBuilder b;
  const Tensor flat = b.apply("mm", {b.given(kHalf, {4, 32}), b.weight(kHalf, {32, 32})});
  const Tensor x = b.view("view", flat, {1, 4, 32});
  const Tensor sum = b.given(kHalf, {1, 4, 32});
  const std::vector<std::int64_t> ranks{0, 1};
  b.add(all_reduce(x, sum, ranks, 0));
  const Tensor y = b.apply("add", {b.given(kHalf, {1, 4, 32}), sum});
  const auto& ops = rewritten(b, {y}, reduce_below_views);
  ASSERT_EQ(b.names(), (Names{"mm", "all_reduce", "add"}));
  EXPECT_EQ(ops[1].collective->message.shape, (std::vector<Extent>{4, 32}));
  EXPECT_EQ(signature_of_inputs(ops[2]), "f16[1,4,32],f16[4,32]");
}

TEST(Fuse, LinearsOfOneInputAreOneWhoseOutputIsSplit) {
  SegmentBuilder b;
  const Tensor x = b.given(Dtype::int8, {4, 32});
  const Tensor scale = b.given(Dtype::fp32, {});
  const Tensor weight_scale = b.weight(Dtype::fp32, {});
  std::vector<Tensor> results;
  for (const Extent width : {64, 16, 16}) {
    results.push_back(b.given(kHalf, {4, width}));
    b.add(
        quantized_linear({.x = x,
                          .w = b.view("transpose", b.weight(Dtype::int8, {width, 32}), {32, width}),
                          .x_scale = scale,
                          .w_scale = weight_scale,
                          .y = results.back()}));
  }
  const auto& ops = rewritten(b, results, [](Rewriter& graph) {
    fold_weights(graph);
    merge_linears(graph);
  });
  ASSERT_EQ(b.names(), (Names{"static_quant_linear", "split_with_sizes"}));
  EXPECT_EQ(ops[0].reads[1].shape, (std::vector<Extent>{32, 96}));
  EXPECT_EQ(matrix_flops(ops[0]).value, 2 * 4 * 32 * (64 + 16 + 16));
  EXPECT_EQ(ops[1].writes.size(), 3);
}

TEST(Fuse, LinearsWithAndWithoutBiasStayApart) {
  SegmentBuilder b;
  const Tensor x = b.given(kHalf, {4, 32});
  const Tensor y = b.given(kHalf, {4, 8});
  const Tensor z = b.given(kHalf, {4, 8});
  b.add(mm(x, b.weight(kHalf, {32, 8}), y));
  b.add(addmm(b.weight(kHalf, {8}), x, b.weight(kHalf, {32, 8}), z));
  rewritten(b, {y, z}, merge_linears);
  EXPECT_EQ(b.names(), (Names{"mm", "addmm"}));
}

// Two experts of equal rows: quantize, gate and up in one, swiglu, quantize, down.
std::vector<Tensor> experts(SegmentBuilder& b, const std::vector<Tensor>& rows) {
  std::vector<Tensor> results;
  const Tensor weight_scale = b.weight(Dtype::fp32, {});
  const auto linear = [&](const Tensor& x, Extent width) {
    const Tensor values = b.given(Dtype::int8, x.shape);
    const Tensor scale = b.given(Dtype::fp32, {});
    b.add(dynamic_quantize_symmetric(x, values, scale));
    const Tensor y = b.given(kHalf, {x.shape[0], width});
    b.add(quantized_linear({.x = values,
                            .w = b.weight(Dtype::int8, {x.shape[1], width}),
                            .x_scale = scale,
                            .w_scale = weight_scale,
                            .y = y}));
    return y;
  };
  for (const Tensor& x : rows) {
    const std::vector<Tensor> halves = b.split(linear(x, 16), 1, {8, 8});
    const Tensor gated = b.apply("swiglu", {halves[0], halves[1]});
    results.push_back(linear(gated, 32));
  }
  return results;
}

TEST(Fuse, ExpertsThatAllHaveRowsAreGrouped) {
  SegmentBuilder b;
  const Tensor x = b.given(kHalf, {12, 32});
  const std::vector<Tensor> results = experts(b, b.split(x, 0, {6, 6}));
  const auto& ops = rewritten(b, results, group_experts);
  ASSERT_EQ(b.names(), (Names{"dynamic_quantize_symmetric", "split_with_sizes",
                              "grouped_matmul_quant_swiglu", "dynamic_quantize_symmetric",
                              "split_with_sizes", "grouped_matmul_quant", "split_with_sizes"}));
  EXPECT_EQ(ops[0].reads[0].value, x.value);
  EXPECT_EQ(matrix_flops(ops[2]).value, 2 * (2 * 6 * 32 * 16));
  EXPECT_EQ(elementwise_flops(ops[2]).value, 7 * (12 * 8));
  EXPECT_EQ(signature_of_inputs(ops[5]),
            "(i8[6,8];i8[6,8]),(i8[8,32];i8[8,32]),(f32[];f32[]),(None;None),(f32[];f32[]),"
            "(None;None),(None;None),torch.float16");
  EXPECT_EQ(signature_of_outputs(ops[5]), "f16[12,32]");
}

TEST(Fuse, AnExpertWithoutRowsKeepsAllApart) {
  SegmentBuilder b;
  const Tensor x = b.given(kHalf, {6, 32});
  const std::vector<Tensor> rows = b.split(x, 0, {6, 0});
  std::vector<Tensor> results = experts(b, {rows[0]});
  results.push_back(b.view("slice", rows[1], {0, 32}));
  rewritten(b, results, group_experts);
  for (const std::string_view name : b.names()) EXPECT_FALSE(name.starts_with("grouped"));
}

TEST(Fuse, AJoinOfAllPartsOfOneTensorIsThatTensor) {
  SegmentBuilder b;
  const Tensor x = b.given(kHalf, {8, 4});
  const std::vector<Tensor> peers = b.split(x, 0, {4, 4});
  const std::vector<Tensor> first = b.split(peers[0], 0, {3, 1});
  const std::vector<Tensor> second = b.split(peers[1], 0, {3, 1});
  const Tensor a = b.apply("cat", {first[0], second[0]}, kHalf, {6, 4});
  const Tensor c = b.apply("cat", {first[1], second[1]}, kHalf, {2, 4});
  const Tensor all = b.apply("cat", {a, c}, kHalf, {8, 4});
  const Tensor y = b.apply("neg", {all});
  const auto& ops = rewritten(b, {y}, drop_aliases);
  ASSERT_EQ(b.names(), (Names{"neg"}));
  EXPECT_EQ(ops[0].reads[0].value, x.value);
}

TEST(Fuse, WeightsOfWeightsAreFolded) {
  SegmentBuilder b;
  const Tensor w = b.weight(kHalf, {8, 32});
  const Tensor single = b.apply("_to_copy", {w}, Dtype::fp32, {8, 32});
  const Tensor turned = b.view("t", single, {32, 8});
  const Tensor y = b.given(Dtype::fp32, {4, 8});
  b.add(mm(b.given(Dtype::fp32, {4, 32}), turned, y));
  const auto& ops = rewritten(b, {y}, fold_weights);
  ASSERT_EQ(b.names(), (Names{"mm"}));
  EXPECT_EQ(ops[0].reads[1].role, TensorRole::weight);
}

}  // namespace
}  // namespace roofbeam
