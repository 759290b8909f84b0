#include <gtest/gtest.h>

#include "engine/analysis/work.h"
#include "engine/base/embedded.h"
#include "engine/program/program.h"

namespace roofbeam {
namespace {

Document preset(const EmbeddedFile& file) {
  Result<json::Value> value = json::parse(file.text);
  EXPECT_TRUE(value) << file.name;
  Result<Document> document = read_document(*value);
  EXPECT_TRUE(document) << file.name;
  return *std::move(document);
}

// A language model's step: words in, scores out.
bool is_decoder(const Elaboration& design) {
  bool head = false;
  for (const Instance& instance : design.instances) head = head || instance.spec->type == "lm_head";
  return head && !design.has_source;
}

// What the operators multiply is what the closed forms say, every pair of attention counted.
TEST(ProgramLaws, MatrixWorkIsTheAnalysis) {
  constexpr Extent kTokens = 96;
  int seen = 0;
  for (const EmbeddedFile& file : embedded_files("designs")) {
    const Document document = preset(file);
    const Elaboration design = elaborate(document);
    if (!is_decoder(design)) continue;
    ++seen;
    const Result<StagedProgram> program = build_program(
        design, document.meta.framework, {.sequences = 1, .query_tokens = kTokens, .decode = true});
    ASSERT_TRUE(program) << file.name;
    OperatingPoint point;
    point.T = kTokens;
    const double expected = kTokens * count_work(design, point).forward_unmasked().value;
    EXPECT_NEAR(matrix_flops(program->stages.front()).value / expected, 1, 1e-12) << file.name;
  }
  EXPECT_GT(seen, 15);
}

// Sharding divides the work of dense models among the ranks of a TP group, and nothing more.
TEST(ProgramLaws, TensorParallelismConservesMatrixWork) {
  const EmbeddedFile* file = embedded_file("designs", "qwen3-8b");
  ASSERT_NE(file, nullptr);
  const Elaboration design = elaborate(preset(*file));
  const auto work = [&](std::int64_t tp) {
    StepSettings settings{.sequences = 8 / tp, .query_tokens = 64};
    settings.parallel = {.devices = 8,
                         .tp = tp,
                         .dp = 8 / tp,
                         .o_proj_tp = tp,
                         .mlp_tp = tp,
                         .lm_head_tp = tp,
                         .moe_tp = 8};
    settings.sequences = 8 / settings.parallel.dp;
    return 8 * matrix_flops(build_program(design, std::nullopt, settings)->stages.front()).value;
  };
  EXPECT_EQ(work(2), work(1));
  EXPECT_EQ(work(4), work(1));
  EXPECT_EQ(work(8), work(1));
}

}  // namespace
}  // namespace roofbeam
