#include "engine/program/family.h"

#include <gtest/gtest.h>

#include "engine/base/embedded.h"

namespace roofbeam {
namespace {

TEST(Families, AreAllReadable) {
  ASSERT_FALSE(embedded_files("families").empty());
  for (const EmbeddedFile& file : embedded_files("families")) {
    const Result<json::Value> value = json::parse(file.text);
    ASSERT_TRUE(value) << file.name;
    EXPECT_TRUE(read_family(*value)) << file.name;
  }
}

TEST(Families, FallBackOnLlama) {
  const Family none = family_of("");
  EXPECT_EQ(none.norm, Family::NormStyle::cast_then_scale);
  EXPECT_EQ(none.gating, Family::Gating::softmax);
  EXPECT_EQ(family_of("gemma2").norm, Family::NormStyle::unit_offset);
  EXPECT_TRUE(family_of("deepseek_v3").routes_before_slicing);
}

TEST(Families, RefuseWhatTheyDoNotKnow) {
  const Result<json::Value> value = json::parse(R"({"norm": "batch", "ropes": "halves"})");
  const Result<Family> family = read_family(*value, "/f");
  ASSERT_FALSE(family);
  ASSERT_EQ(family.errors().size(), 2u);
  EXPECT_EQ(family.errors()[0].path, "/f/norm");
  EXPECT_EQ(family.errors()[1].path, "/f/ropes");
}

}  // namespace
}  // namespace roofbeam
