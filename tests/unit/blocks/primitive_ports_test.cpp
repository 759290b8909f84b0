#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/blocks/catalog.h"
#include "engine/blocks/primitives.h"
#include "tests/unit/blocks/sample.h"

namespace roofbeam {
namespace {

constexpr Workload kWorkload{.batch = 2, .query_tokens = 64, .source_tokens = 24};

// "x: B T -> y: B T": ports as one line.
std::string line_of(const Ports& ports) {
  const auto side = [](const std::vector<PortSpec>& specs) {
    std::string text;
    for (const PortSpec& port : specs)
      text += (text.empty() ? "" : ", ") + port.name + ": " + port.shape;
    return text;
  };
  return side(ports.inputs) + " -> " + side(ports.outputs);
}

struct PortCase {
  std::string name;
  std::string_view type;
  Written written;
  std::string ports;
};

void PrintTo(const PortCase& row, std::ostream* out) { *out << row.name; }

class PrimitivePorts : public testing::TestWithParam<PortCase> {};

TEST_P(PrimitivePorts, FollowTheArguments) {
  const PortCase& row = GetParam();
  const Sample block(row.type, row.written, scope_of(kWorkload));
  EXPECT_EQ(line_of(block.ports()), row.ports);
}

const Written kHeads{{"heads", 8}, {"kv_heads", 2}, {"head_dim", 16}};

Written with(Written written, Written more) {
  written.insert(written.end(), more.begin(), more.end());
  return written;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, PrimitivePorts,
    testing::Values(
        PortCase{"input", "input", {}, " -> x: B T"},
        PortCase{
            "input_patches", "input", {{"shape", "B T 588"}, {"dtype", "bf16"}}, " -> x: B T 588"},
        PortCase{
            "boundary_in",
            "boundary_in",
            {{"ports", json::Object{{"x", "B T 8"},
                                    {"pos", json::Object{{"shape", "B T"}, {"dtype", "int"}}}}}},
            " -> x: B T 8, pos: B T"},
        PortCase{"boundary_out",
                 "boundary_out",
                 {{"ports", json::Object{{"y", "... 8"}}}},
                 "y: ... 8 -> "},
        PortCase{"boundary_without_ports", "boundary_out", {}, " -> "},
        PortCase{"pos_embedding",
                 "pos_embedding",
                 {{"max_seq", 8}, {"dim", 4}},
                 "x: ... dim -> y: ... dim"},
        PortCase{"pos_embedding_given",
                 "pos_embedding",
                 {{"max_seq", 8}, {"dim", 4}, {"positions", true}},
                 "x: ... dim, pos: B T -> y: ... dim"},
        PortCase{"rope",
                 "rope",
                 {{"heads", 8}, {"head_dim", 16}},
                 "x: B heads T head_dim -> y: B heads T head_dim"},
        PortCase{"rope_given",
                 "rope",
                 {{"heads", 8}, {"head_dim", 16}, {"positions", true}},
                 "x: B heads T head_dim, pos: B T -> y: B heads T head_dim"},
        PortCase{
            "learned_tokens", "learned_tokens", {{"dim", 4}, {"count", 3}}, " -> y: B count dim"},
        PortCase{"learned_tokens_spread",
                 "learned_tokens",
                 {{"dim", 4}, {"tokens", "T"}},
                 " -> y: B tokens dim"},
        PortCase{"rearrange",
                 "rearrange",
                 {{"from", "B T (8 16)"}, {"to", "B 8 T 16"}},
                 "x: B T (8 16) -> y: B 8 T 16"},
        PortCase{"sdpa", "sdpa", kHeads,
                 "q: B heads T head_dim, k: B kv_heads T head_dim, v: B kv_heads T head_dim -> y: "
                 "B heads T head_dim"},
        PortCase{"sdpa_wide_values", "sdpa", with(kHeads, {{"v_head_dim", 24}}),
                 "q: B heads T head_dim, k: B kv_heads T head_dim, v: B kv_heads T v_head_dim -> "
                 "y: B heads T v_head_dim"},
        PortCase{"sdpa_cross", "sdpa", with(kHeads, {{"cross", true}, {"causal", false}}),
                 "q: B heads T head_dim, k: B kv_heads S head_dim, v: B kv_heads S head_dim -> y: "
                 "B heads T head_dim"},
        PortCase{"sdpa_tables", "sdpa",
                 with(kHeads,
                      {{"mask", "doc(b, q) == doc(b, kv)"}, {"score", "score + bias(h, q - kv)"}}),
                 "q: B heads T head_dim, k: B kv_heads T head_dim, v: B kv_heads T head_dim, doc: "
                 "*, bias: * -> y: B heads T head_dim"},
        PortCase{"split",
                 "split",
                 {{"from", "... 40"}, {"sizes", json::Array{8, "2*16"}}},
                 "x: ... 40 -> y0: ... 8, y1: ... 32"},
        PortCase{"split_of_symbols",
                 "split",
                 {{"from", "B 2 (T + S)"}, {"sizes", json::Array{"T", "S"}}},
                 "x: B 2 (T + S) -> y0: B 2 T, y1: B 2 S"},
        PortCase{"split_of_sums",
                 "split",
                 {{"from", "B (2*T + S)"}, {"sizes", json::Array{"T+S", "T"}}},
                 "x: B (2*T + S) -> y0: B (S + T), y1: B T"},
        PortCase{"concat",
                 "concat",
                 {{"to", "B 8 T 24"}, {"sizes", json::Array{16, 8}}},
                 "y0: B 8 T 16, y1: B 8 T 8 -> y: B 8 T 24"},
        PortCase{"concat_tokens",
                 "concat",
                 {{"to", "B (T + 1) 8"}, {"sizes", json::Array{1, "T"}}, {"axis", 1}},
                 "y0: B 1 8, y1: B T 8 -> y: B (T + 1) 8"},
        PortCase{"concat_of_no_such_axis",
                 "concat",
                 {{"to", "B T 8"}, {"sizes", json::Array{4, 4}}, {"axis", 3}},
                 " -> y: B T 8"},
        PortCase{"gated_delta_scan",
                 "gated_delta_scan",
                 {{"heads", 4}, {"head_dim", 16}},
                 "q: B heads T head_dim, k: B heads T head_dim, v: B heads T head_dim, gates: B T "
                 "(2 heads) -> y: B heads T head_dim"},
        PortCase{"gated_delta_scan_grouped",
                 "gated_delta_scan",
                 {{"heads", 4}, {"head_dim", 16}, {"v_head_dim", 8}, {"value_heads", 12}},
                 "q: B heads T head_dim, k: B heads T head_dim, v: B value_heads T v_head_dim, "
                 "gates: B T (2 value_heads) -> y: B value_heads T v_head_dim"}),
    [](const auto& row) { return row.param.name; });

TEST(PrimitivePorts, AnInputsElementsFollowItsDtype) {
  const Scope scope = scope_of(kWorkload);
  const auto element = [&](const char* dtype) {
    return Sample("input", {{"dtype", dtype}}, scope).ports().outputs[0].element;
  };
  EXPECT_EQ(element("int64"), ElementClass::integer);
  EXPECT_EQ(element("int32"), ElementClass::integer);
  EXPECT_EQ(element("bf16"), ElementClass::half);
  EXPECT_EQ(element("fp32"), ElementClass::single);
}

TEST(PrimitivePorts, ABoundaryPortMayNameItsElements) {
  const json::Object pos{{"shape", "B T"}, {"dtype", "int"}, {"optional", true}};
  const Sample block("boundary_in", {{"ports", json::Object{{"pos", pos}}}}, scope_of(kWorkload));
  EXPECT_EQ(block.ports().outputs[0].element, ElementClass::integer);
  EXPECT_TRUE(block.ports().outputs[0].optional);
}

// Output widths under autocast, and what the backward pass keeps, for every primitive.
struct Training {
  std::string saves;
  Autocast autocast;
};

const std::map<std::string, Training>& training() {
  constexpr Autocast half = Autocast::half;
  constexpr Autocast single = Autocast::single;
  constexpr Autocast widest = Autocast::widest_input;
  static const std::map<std::string, Training> rows{
      {"input", {"", half}},
      {"output", {"", widest}},
      {"boundary_in", {"", widest}},
      {"boundary_out", {"", widest}},
      {"embedding", {"", single}},
      {"pos_embedding", {"", single}},
      {"learned_tokens", {"", single}},
      {"linear", {"x", half}},
      {"lm_head", {"x", half}},
      {"conv2d", {"x", half}},
      {"maxpool2d", {"x", widest}},
      {"flatten2d", {"", widest}},
      {"rmsnorm", {"x", single}},
      {"layernorm", {"x", single}},
      {"activation", {"x", widest}},
      {"add", {"", widest}},
      {"mul", {"a b", widest}},
      {"gate", {"x g", widest}},
      {"mix", {"a b", widest}},
      {"scale", {"", widest}},
      {"diff_combine", {"b", widest}},
      {"attn_scores", {"q k", half}},
      {"attn_softmax", {"", single}},
      {"head_mix", {"x", widest}},
      {"attn_values", {"p v", half}},
      {"rearrange", {"", widest}},
      {"position_bias", {"", single}},
      {"rope", {"", single}},
      {"sdpa", {"q k v", half}},
      {"topk_router", {"x", single}},
      {"weighted_sum", {"", widest}},
      {"split", {"", widest}},
      {"concat", {"", widest}},
      {"shift", {"", widest}},
      {"expand_heads", {"", widest}},
      {"kv_latent_cache", {"", widest}},
      {"conv1d", {"x", half}},
      {"gated_delta_scan", {"q k v gates", single}},
      {"selective_scan", {"x dt b c", single}},
      {"ssd_scan", {"xbc dt", single}},
  };
  return rows;
}

TEST(Primitives, KeepWhatTheBackwardPassReads) {
  std::size_t seen = 0;
  for (const BlockSpec& block : built_in_blocks()) {
    if (block.kind != BlockKind::primitive) continue;
    SCOPED_TRACE(block.type);
    const auto row = training().find(block.type);
    ASSERT_NE(row, training().end());
    std::string saves;
    for (const std::string& port : block.saves) {
      saves += (saves.empty() ? "" : " ") + port;
      EXPECT_TRUE(std::ranges::any_of(block.ports.inputs,
                                      [&](const PortSpec& p) { return p.name == port; }));
    }
    EXPECT_EQ(saves, row->second.saves);
    EXPECT_EQ(block.autocast, row->second.autocast);
    ++seen;
  }
  EXPECT_EQ(seen, training().size());
}

// The catalog's text is shown to users: nothing of it may be missing.
TEST(Primitives, AreDocumented) {
  for (const BlockSpec& block : built_in_blocks()) {
    if (block.kind == BlockKind::composite) continue;
    SCOPED_TRACE(block.type);
    EXPECT_FALSE(block.docs.title.empty());
    EXPECT_FALSE(block.docs.formula.empty());
    ASSERT_FALSE(block.docs.summary.empty());
    EXPECT_EQ(block.docs.summary.back(), '.');
    EXPECT_EQ(block.docs.summary.find(". "), std::string::npos) << "one sentence";
    for (const ParamSpec& param : block.params) {
      EXPECT_FALSE(param.doc.empty()) << param.name;
      EXPECT_EQ(param.type == ParamType::choice, !param.choices.empty()) << param.name;
    }
    std::set<std::string> names;
    for (const ParamSpec& param : block.params)
      EXPECT_TRUE(names.insert(param.name).second) << param.name;
  }
}

TEST(Names, OfCategoriesAndElementsReadBack) {
  for (const char* category :
       {"io", "embedding", "linear", "head", "norm", "elementwise", "attention", "position", "moe",
        "shape", "ssm", "mlp", "block", "container"}) {
    ASSERT_TRUE(category_named(category)) << category;
    EXPECT_EQ(name(*category_named(category)), category);
  }
  for (const char* element : {"inherit", "real", "half", "float", "fp8", "int", "bool"}) {
    ASSERT_TRUE(element_class_named(element)) << element;
    EXPECT_EQ(name(*element_class_named(element)), element);
  }
  EXPECT_FALSE(category_named("misc"));
  EXPECT_FALSE(element_class_named("double"));
}

}  // namespace
}  // namespace roofbeam
