#include "engine/explain/mask_view.h"

#include "engine/algebra/attention_mask.h"
#include "engine/analysis/analysis.h"
#include "engine/base/embedded.h"
#include "tests/support/documents.h"

namespace roofbeam {
namespace {

// One attention of four heads over 256 tokens: 8 x 8 pairs a cell.
Document attention(std::string_view params) {
  return tests::design(R"("T":{"kind":"runtime","default":256})",
                       R"({"id":"x","type":"input","params":{"shape":"B T 64","dtype":"bf16"}},
                          {"id":"attn","type":"gqa_attention","params":{"d_model":64,"heads":4,"kv_heads":4,"head_dim":16)" +
                           std::string(params) + R"(}},{"id":"out","type":"output"})",
                       R"(["x:x","attn:x"],["attn:y","out:x"])");
}

std::optional<MaskView> view_of(const Document& document, std::string_view path, std::int64_t head = 0) {
  const Elaboration design = elaborate(document);
  const Analysis analysis = analyze(design, {}, *device_named(kDefaultDevice));
  const auto id = static_cast<InstanceId>(design.find(path) - design.instances.data());
  return mask_view(design, analysis.point, id, head);
}

double cell(const MaskView& view, std::size_t query, std::size_t key) {
  return view.kept[query * static_cast<std::size_t>(kGridCells) + key];
}

TEST(MaskView, OfCausalAttentionIsATriangle) {
  const std::optional<MaskView> view = view_of(attention(""), "attn");
  ASSERT_TRUE(view);
  EXPECT_EQ(view->heads, 4);
  EXPECT_EQ(view->length, 256);
  ASSERT_EQ(view->kept.size(), 1024u);
  for (std::size_t query = 0; query < 32; ++query)
    for (std::size_t key = 0; key < 32; ++key) {
      const double diagonal = 36.0 / 64;  // 1 + ... + 8 of 8 x 8 pairs
      EXPECT_EQ(cell(*view, query, key), key < query ? 1 : key == query ? diagonal : 0);
    }
}

TEST(MaskView, ShowsWindowsAndBothDirections) {
  const std::optional<MaskView> windowed = view_of(attention(R"(,"window":64)"), "attn/attn");
  ASSERT_TRUE(windowed);
  EXPECT_EQ(cell(*windowed, 31, 30), 1);
  EXPECT_EQ(cell(*windowed, 31, 10), 0);
  const std::optional<MaskView> both = view_of(attention(R"(,"causal":false)"), "attn");
  ASSERT_TRUE(both);
  EXPECT_EQ(cell(*both, 0, 31), 1);
}

TEST(MaskView, ShowsTheMaskOfOneHead) {
  const Document document = attention(R"(,"mask":"h == 1 or kv == 0")");
  EXPECT_EQ(cell(*view_of(document, "attn", 0), 31, 15), 0);
  EXPECT_EQ(cell(*view_of(document, "attn", 1), 31, 15), 1);
  EXPECT_EQ(view_of(document, "attn", 99)->head, 3);
}

TEST(MaskView, IsNoneWhereThereIsNothingToSee) {
  EXPECT_FALSE(view_of(attention(""), "x"));                           // no attention
  EXPECT_FALSE(view_of(attention(R"(,"mask":"q +")"), "attn"));        // no mask to read
  const Document t5 = tests::document_of(embedded_file("designs", "t5-small")->text);
  const Elaboration design = elaborate(t5);
  const Analysis analysis = analyze(design, {}, *device_named(kDefaultDevice));
  for (InstanceId id = 0; id < design.instances.size(); ++id) {
    if (design.instances[id].spec->type != "cross_attention") continue;
    EXPECT_FALSE(mask_view(design, analysis.point, id, 0));  // keys of another stream
  }
}

}  // namespace
}  // namespace roofbeam
