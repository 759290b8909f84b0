#include "engine/program/quantize.h"

#include <gtest/gtest.h>

#include "tests/unit/program/modules.h"

namespace roofbeam {
namespace {

using tests::module;

TEST(Quantize, TakesEveryMatrixButTheHeads) {
  const Model model =
      quantized(tests::model_of({tests::attention(), tests::mlp(64), tests::head()}),
                {.linear = LinearMode::w8a8_dynamic});
  EXPECT_EQ(module<Attention>(model, 0).o.mode, LinearMode::w8a8_dynamic);
  EXPECT_EQ(module<Mlp>(model, 1).gate->mode, LinearMode::w8a8_dynamic);
  EXPECT_EQ(module<Mlp>(model, 1).down.mode, LinearMode::w8a8_dynamic);
  EXPECT_EQ(module<Head>(model, 2).linear.mode, LinearMode::disabled);
}

TEST(Quantize, KeepsRoutedExpertsApartFromTheRest) {
  const Model model =
      quantized(tests::model_of({tests::attention(), tests::moe()}),
                {.linear = LinearMode::w4a8_dynamic, .non_expert = LinearMode::w8a8_static});
  EXPECT_EQ(module<Attention>(model, 0).q.mode, LinearMode::w8a8_static);
  const Moe& moe = module<Moe>(model, 1);
  EXPECT_EQ(moe.expert.up.mode, LinearMode::w4a8_dynamic);
  EXPECT_EQ(moe.expert.gate->mode, LinearMode::w4a8_dynamic);
  EXPECT_EQ(moe.shared->up.mode, LinearMode::w8a8_static);
}

TEST(Quantize, AttentionHasASwitchOfItsOwn) {
  const Model model = quantized(tests::model_of({tests::attention()}),
                                {.linear = LinearMode::disabled, .attention = AttentionMode::fp8});
  EXPECT_EQ(module<Attention>(model, 0).mode, AttentionMode::fp8);
  EXPECT_EQ(module<Attention>(model, 0).q.mode, LinearMode::disabled);
}

}  // namespace
}  // namespace roofbeam
