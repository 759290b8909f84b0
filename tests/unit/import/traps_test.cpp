// What real configs hide: defaults that belong to the class, fields that change the architecture,
// and what the design cannot show, which is never dropped in silence.

#include <algorithm>

#include "tests/unit/import/configs.h"

namespace roofbeam {
namespace {

// The block's parameter as compact JSON; "" where it has none or the node is not there.
std::string param_of(const Graph& graph, std::string_view path, std::string_view param) {
  const std::size_t slash = path.find('/');
  const auto node = std::ranges::find(graph.nodes, path.substr(0, slash), &Node::id);
  if (node == graph.nodes.end()) return "";
  if (slash != path.npos) return param_of(*node->graph, path.substr(slash + 1), param);
  if (param == "type") return node->type;
  for (const auto& [name, value] : node->params)
    if (name == param) return json::write(value, json::Layout::compact);
  return "";
}

std::string ids_of(const Graph& graph) {
  std::string ids;
  for (const Node& node : graph.nodes) {
    if (node.id == "_in" || node.id == "_out") continue;
    ids += (ids.empty() ? "" : " ") + node.id;
    if (node.graph) ids += "(" + ids_of(*node.graph) + ")";
  }
  return ids;
}

std::string symbol_of(const Document& document, std::string_view name) {
  const auto symbol = std::ranges::find(document.symbols, name, &SymbolDefinition::name);
  return symbol == document.symbols.end() ? "" : json::write(symbol->value, json::Layout::compact);
}

struct ParamCase {
  const char* name;
  std::string_view base;
  const char* changes;
  const char* path;
  const char* param;
  const char* value;
};

const ParamCase kParams[] = {
    {"llama ties nothing by itself", kDense, "{}", "head", "tied", ""},
    {"llama tied", kDense, R"({"tie_word_embeddings": true})", "head", "tied", "true"},
    {"gemma ties", kDense, R"({"model_type": "gemma"})", "head", "tied", "true"},
    {"gemma untied", kDense, R"({"model_type": "gemma", "tie_word_embeddings": false})", "head",
     "tied", ""},
    {"qwen2 biases", kDense, R"({"model_type": "qwen2"})", "layers/block", "attn_bias", "true"},
    {"qwen2 no o bias", kDense, R"({"model_type": "qwen2"})", "layers/block", "attn_o_bias",
     "false"},
    {"llama biases on o too", kDense, R"({"attention_bias": true})", "layers/block", "attn_bias",
     "true"},
    {"llama o bias follows", kDense, R"({"attention_bias": true})", "layers/block", "attn_o_bias",
     ""},
    {"llama mlp bias", kDense, R"({"mlp_bias": true})", "layers/block", "mlp_bias", "true"},
    {"mistral has no biases", kDense, R"({"model_type": "mistral", "attention_bias": true})",
     "layers/block", "attn_bias", ""},
    {"qwen3 norms queries and keys", kDense, R"({"model_type": "qwen3"})", "layers/block",
     "qk_norm", "true"},
    {"gemma's gelu is tanh", kDense, R"({"model_type": "gemma", "hidden_act": "gelu"})",
     "layers/block", "act", R"("gelu_tanh")"},
    {"silu is the default", kDense, R"({"hidden_act": "silu"})", "layers/block", "act", ""},
    {"relu2", kDense, R"({"hidden_act": "relu2"})", "layers/block", "act", R"("relu2")"},
    {"epsilon of the config", kDense, R"({"rms_norm_eps": 1e-5})", "layers/block", "norm_eps", ""},
    {"epsilon of the class", kDense, "{}", "layers/block", "norm_eps", "0.000001"},
    {"epsilon of the last norm", kDense, R"({"rms_norm_eps": 0.001})", "final_norm", "eps",
     "0.001"},

    {"theta of old configs", kDense, R"({"rope_theta": 500000})", "layers/block", "rope",
     R"({"theta":500000})"},
    {"theta of new configs", kDense,
     R"({"rope_parameters": {"rope_theta": 5e6, "rope_type": "default"}})", "layers/block", "rope",
     R"({"theta":5000000})"},
    {"no theta", kDense, "{}", "layers/block", "rope", R"({"theta":10000})"},
    {"scaling is kept whole", kDense,
     R"({"rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
         "original_max_position_embeddings": 8192}})",
     "layers/block", "rope",
     R"({"theta":10000,"scaling":{"type":"llama3","factor":8,"low_freq_factor":1,"original_max_position_embeddings":8192}})"},
    {"scaling with an old name", kDense, R"({"rope_scaling": {"type": "linear", "factor": 2}})",
     "layers/block", "rope", R"({"theta":10000,"scaling":{"type":"linear","factor":2}})"},
    {"scaling of new configs", kDense,
     R"({"rope_parameters": {"rope_theta": 1e6, "rope_type": "yarn", "factor": 4}})",
     "layers/block", "rope", R"({"theta":1000000,"scaling":{"type":"yarn","factor":4}})"},

    {"mistral's own window", kDense, R"({"model_type": "mistral"})", "layers/block", "window",
     R"("W")"},
    {"mistral without window", kDense, R"({"model_type": "mistral", "sliding_window": null})",
     "layers/block", "window", ""},
    {"mistral with windows off", kDense,
     R"({"model_type": "mistral", "sliding_window": 64, "use_sliding_window": false})",
     "layers/block", "window", ""},
    {"mixtral has none by itself", kExperts, "{}", "layers/block", "window", ""},
    {"qwen2 switched off", kDense,
     R"({"model_type": "qwen2", "sliding_window": 64, "use_sliding_window": false})",
     "layers/block", "window", ""},
    {"qwen2 beyond max_window_layers", kDense,
     R"({"model_type": "qwen2", "sliding_window": 64, "use_sliding_window": true,
         "max_window_layers": 0})",
     "layers/block", "window", R"("W")"},
    {"llama knows no windows", kDense, R"({"sliding_window": 64})", "layers/block", "window", ""},

    {"gemma2 caps scores by itself", kDense, R"({"model_type": "gemma2"})", "layers/local",
     "logit_softcap", "50"},
    {"gemma2 caps no scores if told so", kDense,
     R"({"model_type": "gemma2", "attn_logit_softcapping": null})", "layers/local", "logit_softcap",
     ""},
    {"gemma2 caps logits", kDense, R"({"model_type": "gemma2"})", "head", "softcap", "30"},
    {"gemma2 scales scores", kDense, R"({"model_type": "gemma2", "query_pre_attn_scalar": 144})",
     "layers/global", "scale", "\"1/sqrt(144)\""},
    {"gemma2 scales as usual", kDense, R"({"model_type": "gemma2", "query_pre_attn_scalar": 64})",
     "layers/global", "scale", ""},

    {"experts' weights normalized", kExperts, "{}", "layers/block", "normalize", ""},
    {"experts' weights as they are", kExperts, R"({"model_type": "qwen3_moe"})", "layers/block",
     "normalize", "false"},
    {"deepseek's choice is balanced", kLatent,
     R"({"n_routed_experts": 8, "num_experts_per_tok": 2})", "layers/block", "correction_bias",
     "true"},
    {"deepseek's scores are sigmoids", kLatent,
     R"({"n_routed_experts": 8, "num_experts_per_tok": 2})", "layers/block", "scoring",
     R"("sigmoid")"},
    {"deepseek chooses by groups", kLatent,
     R"({"n_routed_experts": 8, "num_experts_per_tok": 2, "n_group": 4, "topk_group": 2})",
     "layers/block", "top_k_groups", "2"},
    {"one group is none", kLatent,
     R"({"n_routed_experts": 8, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1})",
     "layers/block", "expert_groups", ""},
    {"half a head rotates", kDense, R"({"partial_rotary_factor": 0.5})", "layers/block",
     "rotary_dim", R"("dr")"},
    {"queries as they are", kLatent, R"({"q_lora_rank": null})", "layers/block", "q_lora", ""},
};

class BlockParams : public testing::TestWithParam<ParamCase> {};

TEST_P(BlockParams, FollowConfigAndClass) {
  const ParamCase& row = GetParam();
  const Result<Import> import = import_config(changed(row.base, row.changes));
  ASSERT_TRUE(import) << listed(import.errors());
  EXPECT_EQ(param_of(import->document.graph, row.path, row.param), row.value) << row.name;
}

INSTANTIATE_TEST_SUITE_P(Cases, BlockParams, testing::ValuesIn(kParams));

struct LayerCase {
  const char* name;
  std::string_view base;
  const char* changes;
  const char* nodes;   // between the embedding and the last norm
  const char* counts;  // of the repeats
};

const LayerCase kLayers[] = {
    {"uniform", kDense, "{}", "layers(block)", "L"},
    {"leading dense layer", kExperts, "{}", "dense_layers(block) layers(block)", "Ld Lm"},
    {"gemma2 alternates", kDense, R"({"model_type": "gemma2"})", "layers(local global)", "L/2"},
    {"gemma2 with an odd layer", kDense, R"({"model_type": "gemma2", "num_hidden_layers": 5})",
     "layers(local global) tail0", "(L - 1)/2"},
    {"five to one", kDense,
     R"({"model_type": "gemma2", "num_hidden_layers": 14, "sliding_window_pattern": 6})",
     "layers(local0 local1 local2 local3 local4 global) tail0 tail1", "(L - 2)/6"},
    {"gemma2 told layer by layer", kDense,
     R"({"model_type": "gemma2", "layer_types": ["full_attention", "full_attention",
         "sliding_attention", "sliding_attention"]})",
     "layers(block) local_layers(block)", "Lg Lw"},
    {"qwen2 from a layer on", kDense,
     R"({"model_type": "qwen2", "use_sliding_window": true, "sliding_window": 64,
         "max_window_layers": 1})",
     "global_layers(block) layers(block)", "Lg Lw"},
    {"every second layer", kExperts,
     R"({"model_type": "qwen3_moe", "decoder_sparse_step": 2, "-first_k_dense_replace": 0})",
     "layers(dense moe)", "L/2"},
    {"a dense layer inside", kExperts,
     R"({"model_type": "qwen3_moe", "mlp_only_layers": [2], "num_hidden_layers": 6,
         "-first_k_dense_replace": 0})",
     "moe_layers(block) dense_layers(block) layers(block)", "2 Ld Lm"},
    {"deepseek without experts", kLatent, "{}", "layers(block)", "L"},
};

class LayerStacks : public testing::TestWithParam<LayerCase> {};

TEST_P(LayerStacks, AreDrawnByKind) {
  const LayerCase& row = GetParam();
  const Result<Import> import = import_config(changed(row.base, row.changes));
  ASSERT_TRUE(import) << listed(import.errors());
  const Graph& graph = import->document.graph;
  EXPECT_EQ(ids_of(graph), "tokens embed " + std::string(row.nodes) + " final_norm head logits");
  std::string counts;
  for (const Node& node : graph.nodes)
    if (node.type == "repeat")
      counts += (counts.empty() ? "" : " ") + node.params.front().second.string();
  EXPECT_EQ(counts, row.counts);
}

INSTANTIATE_TEST_SUITE_P(Cases, LayerStacks, testing::ValuesIn(kLayers));

struct SymbolCase {
  std::string_view base;
  const char* changes;
  const char* symbol;
  const char* value;
};

const SymbolCase kSymbols[] = {
    {kDense, "{}", "dh", "64"},                   // not 256/8
    {kDense, R"({"-head_dim": 0})", "dh", "32"},  // 256/8
    {kDense, R"({"-num_key_value_heads": 0})", "Hkv", "8"},
    {kLatent, "{}", "dh", "24"},  // 16 + 8
    {kLatent, "{}", "Hkv", "4"},
    {kDense, R"({"max_position_embeddings": 2048})", "T", "2048"},
    {kDense, R"({"max_position_embeddings": 131072})", "T", "32768"},
    {kDense, "{}", "T", "4096"},
    {kDense, R"({"max_position_embeddings": 1024,
                 "rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 1024}})",
     "T", "4096"},
    {kDense, R"({"max_position_embeddings": 8192,
                 "rope_scaling": {"rope_type": "llama3", "factor": 8, "original_max_position_embeddings": 8192}})",
     "T", "8192"},
    {kExperts, "{}", "Ld", "1"},
    {kExperts, "{}", "Lm", R"("L - Ld")"},
    {kExperts, R"({"-moe_intermediate_size": 0})", "Fe", "1024"},
    {kExperts, R"({"-n_shared_experts": 0, "shared_expert_intermediate_size": 256})", "Ns", "2"},
    {kDense, R"({"model_type": "mistral"})", "W", "4096"},
    {kDense, "{}", "W", ""},
};

TEST(Symbols, FollowTheConfig) {
  for (const SymbolCase& row : kSymbols) {
    const Result<Import> import = import_config(changed(row.base, row.changes));
    ASSERT_TRUE(import) << listed(import.errors());
    EXPECT_EQ(symbol_of(import->document, row.symbol), row.value) << row.symbol << row.changes;
  }
}

struct WarningCase {
  std::string_view base;
  const char* changes;
  const char* warnings;
};

const WarningCase kWarnings[] = {
    {kDense, "{}", ""},
    {kDense, R"({"architectures": ["LlamaForCausalLM"]})", ""},
    {kDense, R"({"architectures": ["LlamaForSequenceClassification"]})",
     "import.other_class /architectures"},
    {kDense, R"({"num_nextn_predict_layers": 1})", "import.mtp_left_out /num_nextn_predict_layers"},
    {kDense, R"({"partial_rotary_factor": 0.5})", ""},
    {kDense, R"({"pruned_heads": {"0": [1]}})", "import.pruned_heads /pruned_heads"},
    {kDense, R"({"pruned_heads": {}})", ""},
    {kDense, R"({"quantization_config": {"quant_method": "fp8"}})",
     "import.quantization /quantization_config"},
    {kDense, R"({"use_mrope": true})", "import.mrope /use_mrope"},
    {kDense, R"({"num_local_experts": 8, "num_experts_per_tok": 2})",
     "import.beyond_class /num_local_experts"},
    {kDense, R"({"rope_scaling": null})", ""},
    {kDense, R"({"max_position_embeddings": 131072,
                 "rope_scaling": {"rope_type": "llama3", "factor": 32, "original_max_position_embeddings": 8192}})",
     ""},
    {kDense, R"({"max_position_embeddings": 32768,
                 "rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 32768}})",
     "import.rope_scaling /rope_scaling"},
    {kDense, R"({"rope_scaling": {"type": "linear", "factor": 2}})",
     "import.rope_scaling /rope_scaling"},
    {kDense, R"({"model_type": "mistral", "-num_key_value_heads": 0, "num_attention_heads": 4})",
     "import.assumed /num_key_value_heads"},
    {kDense, R"({"model_type": "mistral", "attention_bias": true})",
     "import.ignored_field /attention_bias"},
    {kDense, R"({"model_type": "qwen2", "attention_bias": false})",
     "import.ignored_field /attention_bias"},
    {kDense, R"({"model_type": "qwen3", "-head_dim": 0})", "import.assumed /head_dim"},
    {kExperts, R"({"model_type": "qwen3_moe", "decoder_sparse_step": 2})",
     "import.mixed_layers /decoder_sparse_step"},
    {kExperts, R"({"model_type": "qwen3_moe", "mlp_only_layers": [0, 3]})",
     "import.mixed_layers /mlp_only_layers"},
    {kLatent, R"({"q_lora_rank": null})", ""},
    {kLatent, R"({"attention_bias": true})", "import.mla_bias /attention_bias"},
};

TEST(Warnings, SayWhatTheDesignDoesNot) {
  for (const WarningCase& row : kWarnings) {
    const Result<Import> import = import_config(changed(row.base, row.changes));
    ASSERT_TRUE(import) << listed(import.errors());
    EXPECT_EQ(listed(import->warnings), row.warnings) << row.changes;
  }
}

TEST(Gpt2, TakesItsOwnNamesAndTheCommonOnes) {
  const std::string own = R"({"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 4,
                              "vocab_size": 100, "n_positions": 128})";
  const std::string common =
      R"({"model_type": "gpt2", "num_hidden_layers": 2, "hidden_size": 64,
          "num_attention_heads": 4, "vocab_size": 100, "max_position_embeddings": 128})";
  const Result<Import> a = import_config(own), b = import_config(common);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(to_json(a->document), to_json(b->document));
  EXPECT_EQ(symbol_of(a->document, "F"), R"("4*D")");
  EXPECT_EQ(symbol_of(a->document, "Tmax"), "128");
  const Result<Import> wide = import_config(changed(own, R"({"n_inner": 300, "-n_positions": 0})"));
  ASSERT_TRUE(wide);
  EXPECT_EQ(symbol_of(wide->document, "F"), "300");
  EXPECT_EQ(symbol_of(wide->document, "Tmax"), "1024");
  EXPECT_EQ(param_of(wide->document.graph, "head", "tied"), "true");
  EXPECT_EQ(param_of(wide->document.graph, "final_norm", "type"), "layernorm");
}

}  // namespace
}  // namespace roofbeam
