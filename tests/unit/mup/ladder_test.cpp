#include "engine/mup/ladder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/analysis/parameters.h"
#include "engine/api/request.h"
#include "engine/scale/resize.h"

namespace roofbeam {
namespace {

Document preset(std::string_view name) { return *api::preset_named(name); }

Ladder ladder_of(std::string_view name, const LadderOptions& options = {}) {
  const Result<Ladder> ladder = width_ladder(preset(name), options);
  if (!ladder) {
    ADD_FAILURE() << ladder.errors().front().message;
    return {};
  }
  return *ladder;
}

class OwnWidth : public testing::TestWithParam<const char*> {};

// The design is a rung of its own ladder, whatever its heads come to together.
TEST_P(OwnWidth, IsTheDesign) {
  const Document design = preset(GetParam());
  const double width = *literal(design, "D");
  const Ladder ladder = ladder_of(GetParam(), {.widths = {width}});
  ASSERT_EQ(ladder.rungs.size(), 1U);
  EXPECT_EQ(ladder.rungs[0].width, width);
  EXPECT_EQ(ladder.rungs[0].params, count_parameters(elaborate(design)).total);
}

INSTANTIATE_TEST_SUITE_P(Presets, OwnWidth,
                         testing::Values("llama-3-8b", "gemma-2-9b", "qwen3-30b-a3b", "deepseek-v3",
                                         "gpt-oss-20b"),
                         [](const auto& row) {
                           std::string name = row.param;
                           for (char& c : name)
                             if (c == '-' || c == '.') c = '_';
                           return name;
                         });

TEST(Ladder, HeadsKeepTheirShareOfTheWidth) {
  // 16 heads of 256 over a width of 3584: a head for every 224 channels.
  for (const Rung& rung : ladder_of("gemma-2-9b").rungs) EXPECT_EQ(rung.heads, rung.width / 224);
  for (const Rung& rung : ladder_of("gemma-2-9b", {.reference = true}).rungs)
    EXPECT_EQ(rung.heads, rung.width / 256);
}

TEST(Ladder, ScalesByTheWidthsRatio) {
  const Ladder ladder = ladder_of("llama-3-8b", {.widths = {4096}, .base_width = 256});
  const Rung& rung = ladder.rungs[0];
  EXPECT_EQ(rung.multiplier, 16);
  EXPECT_EQ(rung.scaling[1].init_std, 1 / std::sqrt(16.0));
  EXPECT_EQ(rung.scaling[1].adam_lr, 1.0 / 16);
  EXPECT_EQ(rung.scaling[2].init_std, 1.0 / 16);
  EXPECT_FALSE(rung.base);
  EXPECT_EQ(ladder.notes.back(), "No rung stands at the base width 256.");
}

TEST(Ladder, RoundsToWholeHeadsAndDropsEqualRungs) {
  const Ladder ladder = ladder_of("llama-3-8b", {.widths = {1000, 1030, 512}});
  ASSERT_EQ(ladder.rungs.size(), 2U);
  EXPECT_EQ(ladder.rungs[1].width, 1024);
  EXPECT_EQ(
      ladder.rungs[1].notes,
      std::vector<std::string>{"Width 1000 is no whole number of heads: 1024 is the nearest."});
}

TEST(Ladder, RefusesWhatHasNoHeads) {
  EXPECT_EQ(width_ladder(preset("alexnet"), {}).errors().front().code, "mup.no_heads");
  const Result<Ladder> narrow =
      width_ladder(preset("llama-3-8b"), {.widths = {512, 64}, .base_width = 100});
  ASSERT_EQ(narrow.errors().size(), 2U);
  EXPECT_EQ(narrow.errors()[0].path, "/widths/1");
  EXPECT_EQ(narrow.errors()[1].path, "/base_width");
}

TEST(ParameterGroups, NameEveryScaledWeight) {
  const Ladder ladder = ladder_of("llama-3-8b");
  const std::string text = parameter_groups(ladder, ladder.rungs.back());
  EXPECT_NE(text.find("\"layers.*.block.attn.q_proj.weight\": (0.35355339059327373, 0.125),"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"head.weight\": (0.125, 0.125),"), std::string::npos) << text;
  EXPECT_EQ(text.find("embed"), std::string::npos);
}

}  // namespace
}  // namespace roofbeam
