#include "engine/blocks/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "engine/base/embedded.h"
#include "engine/json/writer.h"
#include "tests/unit/blocks/expansion.h"

namespace roofbeam {
namespace {

using testing::arguments_of;
using testing::Expanded;
using testing::Expander;
using testing::Given;

template <class Range, class Projection>
bool has(const Range& range, std::string_view name, Projection projection) {
  return std::ranges::find(range, name, projection) != std::ranges::end(range);
}

json::Value parsed(std::string_view text) {
  Result<json::Value> value = json::parse(text);
  ROOFBEAM_CHECK(value);
  return *std::move(value);
}

Document document_with(std::vector<DefinedBlock> defs) {
  Document document;
  document.defs = std::move(defs);
  return document;
}

std::vector<const BlockSpec*> composites() {
  std::vector<const BlockSpec*> result;
  for (const BlockSpec& block : built_in_blocks())
    if (block.kind == BlockKind::composite) result.push_back(&block);
  return result;
}

TEST(BuiltInBlocks, AreFiftyFive) {
  std::map<BlockKind, int> kinds;
  std::set<std::string> types;
  for (const BlockSpec& block : built_in_blocks()) {
    ++kinds[block.kind];
    EXPECT_TRUE(types.insert(block.type).second) << block.type;
  }
  EXPECT_EQ(kinds[BlockKind::primitive], 40);
  EXPECT_EQ(kinds[BlockKind::composite], 13);
  EXPECT_EQ(kinds[BlockKind::container], 2);
  EXPECT_EQ(built_in_blocks().data(), built_in_blocks().data());
}

TEST(BuiltInBlocks, AreExplained) {
  for (const BlockSpec& block : built_in_blocks()) {
    EXPECT_FALSE(block.docs.title.empty()) << block.type;
    EXPECT_FALSE(block.docs.summary.empty()) << block.type;
    for (const ParamSpec& param : block.params)
      EXPECT_FALSE(param.doc.empty()) << block.type << "." << param.name;
  }
  for (const BlockSpec* block : composites())
    EXPECT_FALSE(block->docs.formula.empty()) << block->type;
}

// Reading a template and writing it again gives the same bytes, so a change shows only what
// changed.
TEST(BuiltInBlocks, TemplatesAreWrittenInCanonicalForm) {
  ASSERT_EQ(embedded_files("blocks").size(), 13u);
  for (const EmbeddedFile& embedded : embedded_files("blocks")) {
    std::ifstream file(ROOFBEAM_SOURCE_DIR "/presets/blocks/" + std::string(embedded.name) +
                       ".json");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), json::write(parsed(embedded.text), json::Layout::readable))
        << embedded.name;
  }
}

TEST(Catalog, FindsBuiltInAndOwnBlocks) {
  const json::Value definition = parsed(R"({
    "params": { "width": { "type": "int" } },
    "ports": { "in": { "x": "... width" }, "out": { "y": "... width" } },
    "graph": { "nodes": [{ "id": "a", "type": "zeta" }], "edges": [["_in:x", "a:x"], ["a:y", "_out:y"]] } })");
  Catalog catalog(document_with({{"zeta", definition}, {"alpha", definition}}));
  EXPECT_TRUE(catalog.problems().empty());
  for (const BlockSpec& block : built_in_blocks()) EXPECT_EQ(catalog.find(block.type), &block);
  const BlockSpec* alpha = catalog.find("alpha");
  ASSERT_NE(alpha, nullptr);
  EXPECT_EQ(alpha->type, "alpha");
  EXPECT_EQ(catalog.find("beta"), nullptr);
  EXPECT_EQ(catalog.find(""), nullptr);

  const std::vector<std::string_view> types = catalog.types();
  ASSERT_EQ(types.size(), 57u);
  EXPECT_EQ(types[55], "alpha");
  EXPECT_EQ(types[56], "zeta");

  const Catalog moved = std::move(catalog);
  EXPECT_EQ(moved.find("alpha"), alpha);
}

TEST(Catalog, ReportsBadDefinitionsInOrder) {
  const json::Value bad = parsed(R"({
    "params": {},
    "ports": { "in": { "x": "... D" } },
    "graph": {
      "nodes": [{ "id": "_in", "type": "boundary_in", "params": { "ports": { "x": "... D" } } },
                { "id": "a", "type": "rmsnorm", "params": { "dim": "$missing" } }],
      "edges": [["_in:x", "a:x"], ["a:y", "_out:y"]] } })");
  const Catalog catalog(document_with({{"Bad Name", bad}, {"rmsnorm", bad}}));
  struct Case {
    std::string_view path;
    std::string_view word;
  };
  const Case wanted[] = {{"Bad Name", "type name"},
                         {"Bad Name", "no output port"},
                         {"Bad Name", "boundary nodes"},
                         {"Bad Name", "$missing is not a parameter"},
                         {"rmsnorm", "already built in"}};
  ASSERT_EQ(catalog.problems().size(), std::size(wanted));
  for (std::size_t i = 0; i < std::size(wanted); ++i) {
    const Finding& finding = catalog.problems()[i];
    EXPECT_EQ(finding.rule, "user-blocks");
    EXPECT_EQ(finding.severity, Severity::error);
    EXPECT_EQ(finding.path, wanted[i].path);
    EXPECT_NE(finding.message.find(wanted[i].word), std::string::npos) << finding.message;
  }
  EXPECT_EQ(catalog.find("Bad Name"), nullptr);
  ASSERT_NE(catalog.find("rmsnorm"), nullptr);
  EXPECT_EQ(catalog.find("rmsnorm")->kind, BlockKind::primitive);
}

TEST(Catalog, SaysWhereADefinitionIsWrong) {
  const Catalog catalog(document_with({{"mine", parsed(R"({ "ports": { "in": { "x": 3 } } })")}}));
  ASSERT_FALSE(catalog.problems().empty());
  EXPECT_TRUE(catalog.problems().front().message.starts_with("/ports/in/x: "))
      << catalog.problems().front().message;
}

// Every combination of what a composite's conditions ask for.
std::vector<Given> combinations(const BlockSpec& block) {
  std::set<std::string> names;
  const auto collect = [&](const TemplateCondition& condition) {
    for (const auto& clauses : condition.alternatives)
      for (const TemplateCondition::Clause& clause : clauses) names.insert(clause.param);
  };
  for (const TemplateNode& node : block.body->graph.nodes) collect(node.when);
  for (const TemplateCondition& condition : block.body->input_conditions) collect(condition);

  std::vector<Given> result{{}};
  for (const std::string& name : names) {
    const ParamSpec& param = *block.param(name);
    std::vector<json::Value> values;
    switch (param.type) {
      case ParamType::boolean:
        values = {false, true};
        break;
      case ParamType::object:
        values = {json::Value(), json::Object{}};
        break;
      case ParamType::choice:
        values.assign(param.choices.begin(), param.choices.end());
        break;
      default:
        values = {0, 2};
        break;
    }
    std::vector<Given> longer;
    for (const Given& given : result)
      for (const json::Value& value : values) {
        longer.push_back(given);
        longer.back().emplace_back(name, value);
      }
    result = std::move(longer);
  }
  for (Given& given : result)
    for (const ParamSpec& param : block.params)
      if (!param.fallback && !has(given, param.name, &Given::value_type::first))
        given.emplace_back(param.name, 64);
  return result;
}

// The ports an instance has, as the graph layer will see them.
Ports instance_ports(const BlockSpec& spec, const Arguments& arguments, const TemplateNode& node,
                     const Scope& scope) {
  if (node.graph) {
    Ports ports;
    for (const auto& [name, shape] : node.graph->inputs) ports.inputs.push_back({.name = name});
    for (const auto& [name, shape] : node.graph->outputs) ports.outputs.push_back({.name = name});
    return ports;
  }
  if (spec.kind == BlockKind::composite) return ports_of(spec, arguments);
  return spec.forms.ports != nullptr ? spec.forms.ports(arguments, spec.ports, scope) : spec.ports;
}

// Each input of each node has one writer, each wire starts at a port that exists.
void check_wiring(const TemplateGraph& graph, const Ports& own, const Arguments& outer,
                  const Catalog& catalog, const Scope& scope) {
  std::map<std::string, int> writers;
  std::map<std::size_t, Ports> ports;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const TemplateNode& node = graph.nodes[i];
    if (!holds(node.when, outer)) continue;
    EXPECT_TRUE(ids.insert(node.id).second) << "two alternatives of " << node.id;
    const BlockSpec* spec = catalog.find(node.type);
    ASSERT_NE(spec, nullptr) << node.type;
    const Arguments arguments = arguments_of(*spec, node, outer, scope);
    ports[i] = instance_ports(*spec, arguments, node, scope);
    for (const PortSpec& input : ports[i].inputs) writers[node.id + ":" + input.name] = 0;
    if (node.graph) check_wiring(*node.graph, ports[i], outer, catalog, scope);
  }
  for (const PortSpec& output : own.outputs) writers[graph.output_id + ":" + output.name] = 0;

  for (const auto& [from, to] : wires_of(graph, outer)) {
    const std::vector<PortSpec>& sources =
        from.node == kBoundaryIn ? own.inputs : ports.at(from.node).outputs;
    EXPECT_TRUE(from.port.empty() || has(sources, from.port, &PortSpec::name)) << from.port;
    const std::string id = to.node == kBoundaryOut ? graph.output_id : graph.nodes[to.node].id;
    const std::string port = to.port.empty() ? ports.at(to.node).inputs.front().name : to.port;
    ASSERT_TRUE(writers.contains(id + ":" + port)) << id << ":" << port;
    ++writers[id + ":" + port];
  }
  for (const auto& [input, count] : writers) EXPECT_EQ(count, 1) << input;
}

TEST(Composites, AreWiredCompletelyUnderEveryCondition) {
  const Catalog catalog{Document{}};
  Scope scope;
  for (const std::string_view name : {"B", "T", "S"}) scope.declare(name, 16, SymbolKind::runtime);
  for (const BlockSpec* block : composites())
    for (const Given& given : combinations(*block)) {
      std::string trace = block->type;
      for (const auto& [name, value] : given)
        trace += " " + name + "=" + json::write(value, json::Layout::compact);
      SCOPED_TRACE(trace);
      // Values that several alternatives must not be short of.
      Given complete = given;
      for (const std::string_view name :
           {"q_lora", "kv_lora", "nope_dim", "rope_dim", "v_dim", "experts", "expert_hidden"})
        if (block->type == "transformer_block") complete.emplace_back(name, 2);
      const Arguments arguments = arguments_of(*block, complete, scope);
      const Arguments outer = with_locals(*block->body, arguments, scope);
      check_wiring(block->body->graph, ports_of(*block, arguments), outer, catalog, scope);
      if (::testing::Test::HasFailure()) return;
    }
}

TEST(Composites, PassOnOnlyWhatABlockTakes) {
  const Catalog catalog{Document{}};
  const auto check = [&](const auto& self, const BlockSpec& block,
                         const TemplateGraph& graph) -> void {
    for (const TemplateNode& node : graph.nodes) {
      const BlockSpec* spec = catalog.find(node.type);
      ASSERT_NE(spec, nullptr) << block.type << "/" << node.id;
      for (const auto& [name, value] : node.params)
        EXPECT_NE(spec->param(name), nullptr) << block.type << "/" << node.id << "." << name;
      for (const ParamSpec& param : spec->params)
        EXPECT_TRUE(param.fallback ||
                    has(node.params, param.name, [](const auto& given) { return given.first; }))
            << block.type << "/" << node.id << " lacks " << param.name;
      if (node.graph) self(self, block, *node.graph);
    }
  };
  for (const BlockSpec* block : composites()) check(check, *block, block->body->graph);
}

struct IdCase {
  std::string_view name;
  std::string_view type;
  Given given;
  std::string_view ids;
};

class CompositeIds : public ::testing::TestWithParam<IdCase> {};

// Ids are parts of paths in reports and goldens.
TEST_P(CompositeIds, AreThePathsOfReports) {
  const BlockSpec& block = *Catalog{Document{}}.find(GetParam().type);
  Given given = GetParam().given;
  for (const ParamSpec& param : block.params)
    if (!param.fallback) given.emplace_back(param.name, 4);
  const Scope scope;
  const Arguments arguments = arguments_of(block, given, scope);
  std::string ids;
  for (const TemplateNode& node : block.body->graph.nodes)
    if (holds(node.when, arguments)) ids += (ids.empty() ? "" : " ") + node.id;
  EXPECT_EQ(ids, GetParam().ids);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, CompositeIds,
    ::testing::Values(
        IdCase{"gqa_plain",
               "gqa_attention",
               {},
               "q_proj k_proj v_proj q_heads k_heads v_heads attn o_merge o_proj"},
        IdCase{"gqa_everything",
               "gqa_attention",
               {{"qk_norm", true},
                {"rope", json::Object{}},
                {"value_embeddings", true},
                {"output_gate", true}},
               "q_proj k_proj v_proj q_heads k_heads v_heads q_norm k_norm rope_q rope_k ve_heads "
               "v_mix "
               "attn o_merge gate_proj gate_act out_gate o_proj"},
        IdCase{"eager", "eager_attention", {}, "scores softmax values"},
        IdCase{"talking_heads",
               "eager_attention",
               {{"talking_heads", true}},
               "scores mix_logits softmax mix_weights values"},
        IdCase{"cross",
               "cross_attention",
               {},
               "q_proj k_proj v_proj q_heads k_heads v_heads attn o_merge o_proj"},
        IdCase{"diff",
               "diff_attention",
               {{"rope", json::Object{}}},
               "q1_proj q2_proj k1_proj k2_proj v_proj q1_heads q2_heads k1_heads k2_heads v_heads "
               "rope_q1 rope_q2 rope_k1 rope_k2 attn1 attn2 combine subln rescale o_merge o_proj"},
        IdCase{"mla_plain_queries",
               "mla_attention",
               {},
               "q_up q_heads kv_down latent kv_split kv_norm k_up k_nope_heads v_up v_heads "
               "k_rope_shared k_rope k_cat attn o_merge o_proj"},
        IdCase{"gqa_partly_rotary",
               "gqa_attention",
               {{"rope", json::Object{}},
                {"rotary_dim", 2},
                {"qk_norm", true},
                {"qk_norm_span", "all"}},
               "q_proj k_proj v_proj q_heads k_heads v_heads q_norm_all k_norm_all q_split k_split "
               "rope_q rope_k q_join k_join attn o_merge o_proj"},
        IdCase{"mla",
               "mla_attention",
               {{"q_lora", 4}},
               "q_down q_norm q_up q_heads kv_down latent kv_split kv_norm k_up k_nope_heads v_up "
               "v_heads "
               "k_rope_shared k_rope k_cat attn o_merge o_proj"},
        IdCase{"gated_mlp", "gated_mlp", {}, "gate up act gated down"},
        IdCase{"dense_mlp", "dense_mlp", {}, "up act down"},
        IdCase{"moe", "moe_layer", {{"shared_expert_gate", true}}, "router experts combine"},
        IdCase{"moe_shared",
               "moe_layer",
               {{"shared_experts", 1}},
               "router experts combine shared merge"},
        IdCase{"moe_gated_shared",
               "moe_layer",
               {{"shared_experts", 2}, {"shared_expert_gate", true}},
               "router experts combine shared shared_gate shared_gate_act shared_scale merge"},
        IdCase{
            "mamba",
            "mamba_block",
            {{"norm_inputs", true}},
            "in_proj split_gate conv conv_act x_proj split_dtbc dt_norm b_norm c_norm dt_proj scan "
            "gate_act gate out_proj"},
        IdCase{"mamba2",
               "mamba2_block",
               {},
               "in_proj split gate_act conv conv_act scan norm gate out_proj"},
        IdCase{
            "deltanet",
            "gated_deltanet_block",
            {},
            "in_proj split_gate conv conv_act split_qkv q_heads k_heads v_heads ba_proj scan norm "
            "gate_heads gate_act gate merge out_proj"},
        IdCase{"transformer", "transformer_block", {}, "norm1 attn resid1 norm2 mlp resid2"},
        IdCase{"transformer_everything",
               "transformer_block",
               {{"post_norm", true},
                {"cross_attention", true},
                {"norm", "layernorm"},
                {"mlp", "moe"},
                {"attention", "mla"}},
               "norm1 attn post_attn_norm resid1 norm_cross cross resid_cross norm2 mlp "
               "post_mlp_norm resid2"},
        IdCase{"mtp", "mtp_head", {}, "norm_h ahead norm_e join proj"}),
    [](const auto& row) { return std::string(row.param.name); });

// Weights of a composite by the formula of its paper, and by summing what it expands to.
struct WeightCase {
  std::string_view name;
  std::string_view type;
  Given given;
  double total;
  double active;
};

class CompositeWeights : public ::testing::TestWithParam<WeightCase> {};

TEST_P(CompositeWeights, AreTheSumOfTheParts) {
  const Catalog catalog{Document{}};
  const Scope scope;
  double total = 0;
  double active = 0;
  for (const Expanded& node : Expander(catalog, scope).expand(GetParam().type, GetParam().given)) {
    if (node.spec->forms.weights == nullptr) continue;
    total += node.copies * node.spec->forms.weights(node.arguments);
    active += node.active * node.spec->forms.weights(node.arguments);
  }
  EXPECT_EQ(total, GetParam().total);
  EXPECT_EQ(active, GetParam().active);
}

constexpr double kNormOfHead = 128;

INSTANTIATE_TEST_SUITE_P(
    Cases, CompositeWeights,
    ::testing::Values(
        // GPT-2 small: 4 D^2 + 4 D attention, 8 D^2 + 5 D feed-forward, 4 D norms.
        WeightCase{"gpt2_layer",
                   "transformer_block",
                   {{"d_model", 768},
                    {"heads", 12},
                    {"kv_heads", 12},
                    {"head_dim", 64},
                    {"ffn_hidden", 3072},
                    {"norm", "layernorm"},
                    {"mlp", "dense"},
                    {"attn_bias", true},
                    {"mlp_bias", true}},
                   12 * 768 * 768 + 13 * 768,
                   12 * 768 * 768 + 13 * 768},
        WeightCase{"llama_layer",
                   "transformer_block",
                   {{"d_model", 4096},
                    {"heads", 32},
                    {"kv_heads", 8},
                    {"head_dim", 128},
                    {"ffn_hidden", 14336},
                    {"rope", json::Object{}}},
                   218112000,  // (8030261248 - 2*128256*4096 - 4096) / 32
                   218112000},
        // Qwen3 8B: two more norms of a head.
        WeightCase{"qwen3_attention",
                   "gqa_attention",
                   {{"d_model", 4096},
                    {"heads", 32},
                    {"kv_heads", 8},
                    {"head_dim", 128},
                    {"qk_norm", true}},
                   2.0 * 4096 * 128 * (32 + 8) + 2 * kNormOfHead,
                   2.0 * 4096 * 128 * (32 + 8) + 2 * kNormOfHead},
        // Qwen2.5: bias on queries, keys and values alone.
        WeightCase{"qkv_bias",
                   "gqa_attention",
                   {{"d_model", 64},
                    {"heads", 4},
                    {"kv_heads", 2},
                    {"head_dim", 8},
                    {"bias", true},
                    {"o_bias", false}},
                   2 * 64 * 8 * (4 + 2) + 8 * (4 + 2 + 2),
                   2 * 64 * 8 * (4 + 2) + 8 * (4 + 2 + 2)},
        WeightCase{"value_embeddings_gate_and_sinks",
                   "gqa_attention",
                   {{"d_model", 64},
                    {"heads", 4},
                    {"kv_heads", 2},
                    {"head_dim", 8},
                    {"value_embeddings", true},
                    {"output_gate", true},
                    {"sinks", true}},
                   2 * 64 * 8 * (4 + 2) + 2 + 64 * 4 * 8 + 4,
                   2 * 64 * 8 * (4 + 2) + 2 + 64 * 4 * 8 + 4},
        WeightCase{"talking_heads",
                   "gqa_attention",
                   {{"d_model", 64},
                    {"heads", 4},
                    {"kv_heads", 4},
                    {"head_dim", 8},
                    {"talking_heads", true}},
                   4 * 64 * 4 * 8 + 2 * 4 * 4,
                   4 * 64 * 4 * 8 + 2 * 4 * 4},
        WeightCase{
            "cross_from_another_width",
            "cross_attention",
            {{"d_model", 64}, {"heads", 4}, {"kv_heads", 2}, {"head_dim", 8}, {"memory_dim", 96}},
            2 * 64 * 4 * 8 + 2 * 96 * 2 * 8,
            2 * 64 * 4 * 8 + 2 * 96 * 2 * 8},
        WeightCase{"diff",
                   "diff_attention",
                   {{"d_model", 64}, {"heads", 4}, {"kv_heads", 2}, {"head_dim", 8}},
                   64 * 8 * (4 * 4 + 4 * 2) + 4 * 8 + 2 * 8,
                   64 * 8 * (4 * 4 + 4 * 2) + 4 * 8 + 2 * 8},
        // A latent attention of toy size with both latent norms.
        WeightCase{"mla",
                   "mla_attention",
                   {{"d_model", 256},
                    {"heads", 4},
                    {"q_lora", 64},
                    {"kv_lora", 32},
                    {"nope_dim", 16},
                    {"rope_dim", 8},
                    {"v_dim", 16}},
                   53344,
                   53344},
        // Mixtral 8x7B: router and eight experts, two of them active.
        WeightCase{"mixtral_experts",
                   "moe_layer",
                   {{"d_model", 4096}, {"experts", 8}, {"top_k", 2}, {"expert_hidden", 14336}},
                   4096.0 * 8 + 8 * 3 * 4096.0 * 14336,
                   4096.0 * 8 + 2 * 3 * 4096.0 * 14336},
        // Qwen3-Next: 512 experts, 10 active, one gated shared expert.
        WeightCase{"gated_shared_expert",
                   "moe_layer",
                   {{"d_model", 2048},
                    {"experts", 512},
                    {"top_k", 10},
                    {"expert_hidden", 512},
                    {"shared_experts", 1},
                    {"shared_expert_gate", true}},
                   2048.0 * 512 + 513 * 3 * 2048.0 * 512 + 2048,
                   2048.0 * 512 + 11 * 3 * 2048.0 * 512 + 2048},
        // Jamba: per layer a quarter of what the preset's four groups hold.
        WeightCase{
            "jamba_mamba",
            "mamba_block",
            {{"d_model", 4096}, {"state", 16}, {"dt_rank", 256}, {"norm_inputs", true}},
            (268435456.0 + 163840 + 9437184 + 8421376 + 557056 + 134217728 + 1024 + 64 + 64) / 4,
            (268435456.0 + 163840 + 9437184 + 8421376 + 557056 + 134217728 + 1024 + 64 + 64) / 4},
        // Nemotron-H: inner 8192, 128 heads, convolution over 8192 + 2*8*128 channels.
        WeightCase{"nemotron_mamba2",
                   "mamba2_block",
                   {{"d_model", 4096}, {"head_dim", 64}, {"state", 128}, {"groups", 8}},
                   4096.0 * (2 * 8192 + 2 * 8 * 128 + 128) + (4 + 1) * (8192 + 2 * 8 * 128) +
                       3 * 128 + 8192 + 8192.0 * 4096,
                   4096.0 * (2 * 8192 + 2 * 8 * 128 + 128) + (4 + 1) * (8192 + 2 * 8 * 128) +
                       3 * 128 + 8192 + 8192.0 * 4096},
        // Qwen3-Next: 16 key heads and 32 value heads of 128.
        WeightCase{"qwen3_next_deltanet",
                   "gated_deltanet_block",
                   {{"d_model", 2048}, {"heads", 16}, {"head_dim", 128}, {"value_heads", 32}},
                   2048.0 * (2 * 2048 + 2 * 4096) + 4 * (2 * 2048 + 4096) + 2048.0 * 2 * 32 +
                       2 * 32 + 128 + 4096.0 * 2048,
                   2048.0 * (2 * 2048 + 2 * 4096) + 4 * (2 * 2048 + 4096) + 2048.0 * 2 * 32 +
                       2 * 32 + 128 + 4096.0 * 2048},
        // Biases on what the input becomes (56 + 24 channels and 2 * 4 gates), on the convolution
        // of the 56 queries, keys and values, and on the output.
        WeightCase{"deltanet_with_biases",
                   "gated_deltanet_block",
                   {{"d_model", 64},
                    {"heads", 2},
                    {"head_dim", 8},
                    {"value_heads", 4},
                    {"v_head_dim", 6},
                    {"bias", true},
                    {"conv_bias", true}},
                   (64 + 1) * (56 + 24) + (4 + 1) * 56 + (64 + 1) * 8 + 2 * 4 + 6 + 24 * 64 + 64,
                   (64 + 1) * (56 + 24) + (4 + 1) * 56 + (64 + 1) * 8 + 2 * 4 + 6 + 24 * 64 + 64},
        WeightCase{"mtp",
                   "mtp_head",
                   {{"d_model", 64}, {"bias", true}},
                   2 * 64 * 64 + 64 + 2 * 64,
                   2 * 64 * 64 + 64 + 2 * 64}),
    [](const auto& row) { return std::string(row.param.name); });

// The blocks with weights of one layer of DeepSeek-V3 and one of Jamba, by path.
TEST(CompositePaths, AreThoseOfTheReference) {
  const Catalog catalog{Document{}};
  const Scope scope;
  const auto paths = [&](std::string_view type, const Given& given) {
    std::set<std::string> result;
    for (const Expanded& node : Expander(catalog, scope).expand(type, given))
      if (node.spec->forms.weights != nullptr && node.spec->forms.weights(node.arguments) > 0)
        result.insert(node.path);
    return result;
  };
  EXPECT_EQ(paths("transformer_block", {{"d_model", 7168},
                                        {"heads", 128},
                                        {"kv_heads", 128},
                                        {"head_dim", 192},
                                        {"ffn_hidden", 18432},
                                        {"attention", "mla"},
                                        {"q_lora", 1536},
                                        {"kv_lora", 512},
                                        {"nope_dim", 128},
                                        {"rope_dim", 64},
                                        {"v_dim", 128},
                                        {"mlp", "moe"},
                                        {"experts", 256},
                                        {"top_k", 8},
                                        {"expert_hidden", 2048},
                                        {"shared_experts", 1},
                                        {"router_bias", true}}),
            (std::set<std::string>{"norm1", "attn/q_down", "attn/q_norm", "attn/q_up",
                                   "attn/kv_down", "attn/kv_norm", "attn/k_up", "attn/v_up",
                                   "attn/o_proj", "norm2", "mlp/router", "mlp/experts/expert/up",
                                   "mlp/experts/expert/down", "mlp/experts/expert/gate",
                                   "mlp/shared/up", "mlp/shared/down", "mlp/shared/gate"}));
  EXPECT_EQ(paths("mamba_block",
                  {{"d_model", 4096}, {"state", 16}, {"dt_rank", 256}, {"norm_inputs", true}}),
            (std::set<std::string>{"in_proj", "conv", "x_proj", "dt_proj", "scan", "out_proj",
                                   "dt_norm", "b_norm", "c_norm"}));
}

struct IssueCase {
  std::string_view name;
  std::string_view type;
  Given given;
  std::string_view wanted;  // "rule(param) "
};

class CompositeIssues : public ::testing::TestWithParam<IssueCase> {};

TEST_P(CompositeIssues, AreReported) {
  const BlockSpec& block = *Catalog{Document{}}.find(GetParam().type);
  Given given = GetParam().given;
  for (const ParamSpec& param : block.params)
    if (!param.fallback && !has(given, param.name, &Given::value_type::first))
      given.emplace_back(param.name, 4);
  const Scope scope;
  std::string found;
  for (const Issue& issue : check_template(block, arguments_of(block, given, scope), scope)) {
    EXPECT_EQ(issue.severity, Severity::error);
    EXPECT_EQ(issue.message.find('$'), std::string::npos) << issue.message;
    found += issue.rule + "(" + issue.param.value_or("") + ") ";
  }
  EXPECT_EQ(found, GetParam().wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, CompositeIssues,
    ::testing::Values(
        IssueCase{"none", "gqa_attention", {{"positions", true}, {"rope", json::Object{}}}, ""},
        IssueCase{"kv_heads", "gqa_attention", {{"kv_heads", 3}}, "ATTN-01(kv_heads) "},
        IssueCase{"kv_heads_eager", "eager_attention", {{"kv_heads", 3}}, "ATTN-01(kv_heads) "},
        IssueCase{"kv_heads_cross", "cross_attention", {{"kv_heads", 3}}, "ATTN-01(kv_heads) "},
        IssueCase{"kv_heads_diff", "diff_attention", {{"kv_heads", 3}}, "ATTN-01(kv_heads) "},
        IssueCase{"kv_heads_block", "transformer_block", {{"kv_heads", 3}}, "ATTN-01(kv_heads) "},
        IssueCase{
            "kv_heads_unused", "transformer_block", {{"kv_heads", 3}, {"attention", "mla"}}, ""},
        IssueCase{"kv_heads_of_cross",
                  "transformer_block",
                  {{"kv_heads", 3}, {"attention", "mla"}, {"cross_attention", true}},
                  "ATTN-01(kv_heads) "},
        IssueCase{"written_out_window",
                  "gqa_attention",
                  {{"written_out", true}, {"window", 8}},
                  "ATTN-02(window) "},
        IssueCase{"talking_heads_mask",
                  "gqa_attention",
                  {{"talking_heads", true}, {"mask", "q > kv"}},
                  "ATTN-02(mask) "},
        IssueCase{"written_out_sinks",
                  "transformer_block",
                  {{"written_out", true}, {"sinks", true}},
                  "ATTN-02(sinks) "},
        IssueCase{"written_out_scale",
                  "transformer_block",
                  {{"talking_heads", true}, {"scale", 1}},
                  "ATTN-02(scale) "},
        IssueCase{"positions_alone", "gqa_attention", {{"positions", true}}, "ROPE-02(positions) "},
        IssueCase{"positions_alone_block",
                  "transformer_block",
                  {{"positions", true}},
                  "ROPE-02(positions) "},
        IssueCase{"top_k", "moe_layer", {{"top_k", 5}}, "MOE-01(top_k) "},
        IssueCase{"top_k_block",
                  "transformer_block",
                  {{"mlp", "moe"}, {"top_k", 5}, {"experts", 4}},
                  "MOE-01(top_k) "},
        IssueCase{"top_k_unused", "transformer_block", {{"top_k", 5}}, ""},
        IssueCase{
            "several",
            "gqa_attention",
            {{"kv_heads", 3}, {"written_out", true}, {"score", "2*score"}, {"positions", true}},
            "ATTN-01(kv_heads) ATTN-02(score) ROPE-02(positions) "}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace roofbeam
