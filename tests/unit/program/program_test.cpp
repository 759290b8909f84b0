#include "engine/program/program.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/documents.h"

namespace roofbeam {
namespace {

// Three layers of width 64 with 4 heads.
Elaboration decoder() {
  return elaborate(
      tests::design(R"("D":64,"V":100,"L":3,"H":4,"dh":16)",
                    R"({"id":"tokens","type":"input"},
         {"id":"embed","type":"embedding","params":{"vocab":"V","dim":"D"}},
         {"id":"layers","type":"repeat","params":{"count":"L"},"graph":{
           "nodes":[{"id":"_in","type":"boundary_in","params":{"ports":{"x":"B T D"}}},
                    {"id":"block","type":"transformer_block","params":{"d_model":"D","heads":"H",
                     "kv_heads":2,"head_dim":"dh","ffn_hidden":128,"rope":{"theta":10000}}},
                    {"id":"_out","type":"boundary_out","params":{"ports":{"x":"B T D"}}}],
           "edges":[["_in:x","block:x"],["block:y","_out:x"]]}},
         {"id":"final_norm","type":"rmsnorm","params":{"dim":"D"}},
         {"id":"head","type":"lm_head","params":{"vocab":"V","dim":"D"}})",
                    R"(["tokens:x","embed:ids"],["embed:y","layers:x"],["layers:x","final_norm:x"],
         ["final_norm:y","head:x"])"));
}

Program built(const StepSettings& settings) {
  const Result<StagedProgram> result = build_program(decoder(), std::nullopt, settings);
  EXPECT_TRUE(result);
  return result->stages.front();
}

std::vector<std::string> names(const Segment& segment) {
  std::vector<std::string> result;
  for (const Operator& op : segment.operators)
    if (!op.view) result.emplace_back(op.name);
  return result;
}

TEST(Programs, RepeatLayersAsOneSegment) {
  const Program program = built({.sequences = 2, .query_tokens = 8});
  ASSERT_EQ(program.segments.size(), 3u);
  EXPECT_EQ(program.segments[1].copies, 3);
  EXPECT_EQ(names(program.segments[0]),
            (std::vector<std::string>{"embedding", "index_select", "index_select"}));
  const std::vector<std::string> norm{"_to_copy", "pow", "mean",     "add",
                                      "rsqrt",    "mul", "_to_copy", "mul"};
  std::vector<std::string> layer = norm;
  for (const char* name : {"mm", "mm", "mm", "mul", "neg", "cat", "mul", "add", "mul", "neg", "cat",
                           "mul", "add", "reshape_and_cache", "attention", "mm", "add"})
    layer.emplace_back(name);
  layer.insert(layer.end(), norm.begin(), norm.end());
  for (const char* name : {"mm", "silu", "mm", "mul", "mm", "add"}) layer.emplace_back(name);
  EXPECT_EQ(names(program.segments[1]), layer);
  std::vector<std::string> end = norm;
  end.insert(end.end(), {"index_select", "mm"});
  EXPECT_EQ(names(program.segments[2]), end);
}

TEST(Programs, SelectNoRowsWhileDecoding) {
  const Program program = built({.sequences = 2, .query_tokens = 1, .decode = true});
  EXPECT_EQ(names(program.segments[2]).back(), "mm");
  EXPECT_EQ(names(program.segments[2]).size(), 9u);
}

TEST(Programs, StopAfterTheLayersAskedFor) {
  EXPECT_EQ(built({.query_tokens = 8, .layers = 2}).segments[1].copies, 2);
  EXPECT_EQ(built({.query_tokens = 8, .layers = 9}).segments[1].copies, 3);
}

TEST(Programs, HandTheStreamFromStageToStage) {
  StepSettings settings{.query_tokens = 8};
  settings.parallel.devices = settings.parallel.pp = 2;
  const Result<StagedProgram> result = build_program(decoder(), std::nullopt, settings);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->stages.size(), 2u);
  ASSERT_EQ(result->transfers.size(), 1u);
  EXPECT_EQ(result->transfers[0].collective->ranks, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(bytes(result->transfers[0].collective->message).value, 8 * 64 * 2);
  // Of three layers the first stage has two; it alone has the words, the last alone the head.
  EXPECT_EQ(names(result->stages[0].segments.front()).front(), "embedding");
  EXPECT_EQ(result->stages[0].segments.back().copies, 2);
  EXPECT_EQ(names(result->stages[1].segments.back()).back(), "mm");
  EXPECT_EQ(names(result->stages[1].segments.front()).front(), "index_select");
}

TEST(Programs, WrittenOutDoTheSame) {
  const Program program = built({.sequences = 2, .query_tokens = 8});
  const Program flat = unrolled(program);
  ASSERT_EQ(flat.segments.size(), 5u);
  EXPECT_EQ(matrix_flops(flat).value, matrix_flops(program).value);
  EXPECT_EQ(weight_bytes(flat).value, weight_bytes(program).value);
  EXPECT_EQ(cache_bytes(flat).value, cache_bytes(program).value);
  std::set<ValueId> written;
  std::set<ValueId> stored;
  for (const Segment& segment : flat.segments) {
    for (const Stored& each : segment.stored) EXPECT_TRUE(stored.insert(each.tensor.value).second);
    for (const Operator& op : segment.operators)
      for (const Tensor& tensor : op.writes) EXPECT_TRUE(written.insert(tensor.value).second);
  }
  // Each copy starts from what the one before it has left.
  for (std::size_t i = 2; i < 4; ++i)
    EXPECT_EQ(flat.segments[i].carried_in, flat.segments[i - 1].carried_out);
  EXPECT_EQ(flat.segments[4].operators.front().reads.front().value, flat.segments[3].carried_out);
}

// 3 layers of (2 norms, q 64x64, k and v 32x64, o 64x64, three of 128x64) and scales, words, head,
// last norm, two tables of 2048 angles.
TEST(Programs, StoreWhatTheyAreQuantizedTo) {
  const double linears = 64 * 64 + 2 * 32 * 64 + 64 * 64 + 3 * 128 * 64;
  const double rest = 2 * 100 * 64 * 2 + 64 * 2 + 2 * 2048 * 16 * 2;
  const auto weights = [](LinearMode mode) {
    StepSettings settings{.query_tokens = 8};
    settings.quantization.linear = mode;
    return weight_bytes(built(settings)).value;
  };
  EXPECT_EQ(weights(LinearMode::disabled), 3 * (2 * 64 * 2 + 2 * linears) + rest);
  EXPECT_EQ(weights(LinearMode::w8a8_dynamic), 3 * (2 * 64 * 2 + linears + 4) + rest);
  EXPECT_EQ(weights(LinearMode::w8a8_static), 3 * (2 * 64 * 2 + linears + 8) + rest);
  EXPECT_EQ(weights(LinearMode::w4a8_dynamic), 3 * (2 * 64 * 2 + linears / 2 + 4) + rest);
  EXPECT_EQ(weights(LinearMode::mxfp4), 3 * (2 * 64 * 2 + linears / 2 + linears / 32) + rest);
}

// ceil(2 * (8 + 1) / 128) = 1 page of 128 positions, two key heads of 16 in two bytes, keys and
// values.
TEST(Programs, StoreWholePagesOfTheCache) {
  EXPECT_EQ(cache_bytes(built({.sequences = 2, .query_tokens = 8})).value,
            3 * 2 * 128 * 2 * 16 * 2);
}

TEST(Programs, RefuseFaultyDesigns) {
  const Elaboration design =
      elaborate(tests::design(R"("D":64)", R"({"id":"a","type":"nothing"})", ""));
  const Result<StagedProgram> result = build_program(design, std::nullopt, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.errors().front().code, "program.faulty_design");
}

}  // namespace
}  // namespace roofbeam
