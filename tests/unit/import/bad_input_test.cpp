// What an unusable config is answered with: every problem at once, each with the place it is at.

#include "tests/unit/import/configs.h"

namespace roofbeam {
namespace {

struct BadCase {
  std::string name;
  std::string text;
  std::string problems;  // "code path; ..."
  std::string says;      // part of the first message
  std::string hints;     // part of the first hint
};

BadCase dense(std::string name, std::string_view changes, std::string problems, std::string says,
              std::string hints = "") {
  return {std::move(name), changed(kDense, changes), std::move(problems), std::move(says),
          std::move(hints)};
}

const BadCase kNotJson[] = {
    {"empty", "", "json.empty", "", ""},
    {"blank", " \n ", "json.empty", "", ""},
    {"prose", "a model", "json.syntax", "", ""},
    {"cut off", std::string(kDense.substr(0, 60)), "json.syntax", "", ""},
    {"array", "[1, 2]", "import.not_object", "found a JSON array, wanted a JSON object", ""},
    {"number", "7", "import.not_object", "found the number 7", ""},
    {"null", "null", "import.not_object", "found null", ""},
    {"duplicate key", R"({"model_type": "llama", "vocab_size": 1, "vocab_size": 2})",
     "json.duplicate_key /vocab_size", "", ""},
    {"UTF-16", std::string("\xff\xfe{\0}\0", 6), "json.encoding", "", ""},
    {"a number no double holds", R"({"model_type": "llama", "rope_theta": 1e999})",
     "json.number_range /rope_theta", "", ""},
};

const BadCase kOtherFiles[] = {
    {"no model type", R"({"hidden_size": 4096})", "import.missing_model_type /model_type",
     "\"model_type\" is missing", "\"model_type\": \"llama\""},
    {"null model type", R"({"model_type": null})", "import.missing_model_type /model_type", "", ""},
    {"class without type", R"({"architectures": ["LlamaForCausalLM"], "hidden_size": 1})",
     "import.missing_model_type /model_type", "", "LlamaForCausalLM"},
    {"model type of wrong kind", R"({"model_type": 3})", "json.type /model_type",
     "found the number 3", ""},
    {"unknown type", R"({"model_type": "foo"})", "import.unknown_model_type /model_type",
     "found the model type \"foo\"", "known: bailing_moe, deepseek, deepseek_v2"},
    {"misspelled type", R"({"model_type": "lama"})", "import.unknown_model_type /model_type", "",
     "did you mean \"llama\"?"},
    {"abstract table", R"({"model_type": "_decoder"})", "import.unknown_model_type /model_type", "",
     ""},
    {"hostile type", R"({"model_type": "<script>alert(1)</script>"})",
     "import.unknown_model_type /model_type", "<script>alert(1)</script>", ""},
    {"diffusers component",
     R"({"_class_name": "FluxTransformer2DModel", "_diffusers_version": "0.30", "num_layers": 19})",
     "import.unknown_model_type /_class_name", "FluxTransformer2DModel", ""},
    {"diffusers pipeline",
     R"({"_class_name": "FluxPipeline", "_diffusers_version": "0.30",
         "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
         "transformer": ["diffusers", "FluxTransformer2DModel"]})",
     "import.other_file", "model_index.json", "transformer/config.json"},
    {"adapter", R"({"peft_type": "LORA", "r": 16, "base_model_name_or_path": "org/model"})",
     "import.other_file", "adapter_config.json", "base model"},
    {"tokenizer config", R"({"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>"})",
     "import.other_file", "tokenizer_config.json", "beside it"},
    {"tokenizer", R"({"version": "1.0", "added_tokens": [], "model": {"type": "BPE"}})",
     "import.other_file", "tokenizer.json", "beside it"},
    {"generation config", R"({"_from_model_config": true, "bos_token_id": 1, "eos_token_id": 2})",
     "import.other_file", "generation_config.json", "beside it"},
    {"preprocessor", R"({"image_processor_type": "CLIPImageProcessor"})", "import.other_file",
     "preprocessor_config.json", ""},
    {"checkpoint index", R"({"metadata": {}, "weight_map": {}})", "import.other_file",
     "index of a checkpoint's shards", ""},
    {"makers' own format", R"({"dim": 4096, "n_layers": 32, "n_heads": 32})", "import.other_file",
     "params.json", ""},
    {"quantization config", R"({"bits": 4, "group_size": 128})", "import.other_file",
     "quantization config", ""},
    {"design document", R"({"version": 1, "symbols": {}, "graph": {}})", "import.other_file",
     "a design document", "analyze"},
};

const BadCase kFields[] = {
    {"llama states nothing", R"({"model_type": "llama"})",
     "import.missing_field /num_hidden_layers; import.missing_field /hidden_size; "
     "import.missing_field /num_attention_heads; import.missing_field /vocab_size; "
     "import.missing_field /intermediate_size",
     "\"num_hidden_layers\" is missing: a config of type \"llama\" must state the number of layers",
     ""},
    {"gpt2 states nothing", R"({"model_type": "gpt2"})",
     "import.missing_field /n_layer; import.missing_field /n_embd; import.missing_field /n_head; "
     "import.missing_field /vocab_size",
     "\"n_layer\" or \"num_hidden_layers\" is missing", ""},
    dense("null where a number must be", R"({"vocab_size": null})",
          "import.missing_field /vocab_size", "\"vocab_size\" is missing"),
    dense("misspelled", R"({"-hidden_size": 0, "hiden_size": 256})",
          "import.missing_field /hidden_size", "\"hidden_size\" is missing",
          "the file has \"hiden_size\""),
    dense("negative", R"({"num_hidden_layers": -4})", "json.range /num_hidden_layers",
          "found the number -4, wanted a whole number of at least 1"),
    dense("zero", R"({"vocab_size": 0})", "json.range /vocab_size", "found the number 0"),
    dense("fractional", R"({"hidden_size": 256.5})", "json.not_whole /hidden_size",
          "found the number 256.5"),
    dense("text", R"({"hidden_size": "256"})", "json.type /hidden_size", "found the text \"256\"",
          "without quotes"),
    dense("list", R"({"num_key_value_heads": [2]})", "json.type /num_key_value_heads",
          "found a JSON array"),
    dense("flag as text", R"({"tie_word_embeddings": "yes"})", "json.type /tie_word_embeddings",
          "wanted true or false"),
    dense("huge", R"({"hidden_size": 1e308})", "json.range /hidden_size", ""),
    dense("large beyond reason", R"({"hidden_size": 9000000000000000000})",
          "json.range /hidden_size", "at most 16777216 for the width of the residual stream"),
    dense("layers without end", R"({"num_hidden_layers": 2147483647})",
          "json.range /num_hidden_layers", "at most 16384 for the number of layers"),
    dense("more parameters than can be counted",
          R"({"num_hidden_layers": 16384, "hidden_size": 1048576, "intermediate_size": 4194304})",
          "import.too_large", "more than 2^53 parameters"),
    dense("theta without bound", R"({"rope_theta": 1e308})", "json.range /rope_theta", "at most"),
    dense("several at once",
          R"({"num_hidden_layers": -1, "hidden_size": "x", "-vocab_size": 0, "rope_theta": 0})",
          "json.range /num_hidden_layers; json.type /hidden_size; import.missing_field "
          "/vocab_size; json.range /rope_theta",
          "found the number -1"),
    dense("a fault beside a contradiction", R"({"vocab_size": -1, "num_key_value_heads": 3})",
          "json.range /vocab_size; import.heads_not_divisible /num_key_value_heads", ""),
    // What hangs on a faulty field is not judged: 8 heads of a width nobody knows.
    dense("nothing follows from a fault", R"({"hidden_size": -1, "-head_dim": 0})",
          "json.range /hidden_size", ""),
    dense("heads that do not divide", R"({"num_key_value_heads": 3})",
          "import.heads_not_divisible /num_key_value_heads",
          "found 3 key and value heads for 8 query heads"),
    dense("width that heads do not divide", R"({"hidden_size": 250, "-head_dim": 0})",
          "import.hidden_not_divisible /num_attention_heads",
          "found 8 query heads for a width of 250", "state \"head_dim\""),
    dense("unknown activation", R"({"hidden_act": "xielu"})", "json.choice /hidden_act",
          "found the text \"xielu\", wanted \"silu\", \"swish\""),
    {"layer types that are too few",
     changed(kDense, R"({"model_type": "qwen2", "layer_types": ["full_attention"]})"),
     "import.list_length /layer_types", "found 1 items, wanted one for each of the 4 layers",
     "num_hidden_layers"},
    {"layer type of another architecture",
     changed(kDense, R"({"model_type": "qwen2", "num_hidden_layers": 2,
                         "layer_types": ["full_attention", "linear_attention"]})"),
     "json.choice /layer_types/1", "linear_attention", ""},
    {"layer type of wrong kind", changed(kDense, R"({"model_type": "qwen2", "num_hidden_layers": 2,
                         "layer_types": ["full_attention", null]})"),
     "json.type /layer_types/1", "found null", ""},
    {"two names, two numbers",
     R"({"model_type": "gpt2", "n_layer": 2, "num_hidden_layers": 3, "n_embd": 64, "n_head": 4,
         "vocab_size": 100})",
     "import.contradiction /num_hidden_layers",
     "found the number 3 for the number of layers, but \"n_layer\" says 2", ""},
    {"experts without their use", changed(kExperts, R"({"-num_experts_per_tok": 0})"),
     "import.missing_field /num_experts_per_tok", "a config with 8 experts", ""},
    {"more experts used than there are", changed(kExperts, R"({"num_experts_per_tok": 9})"),
     "import.too_many_active_experts /num_experts_per_tok", "found 9 experts for each token", ""},
    {"experts left out", changed(kExperts, R"({"-num_local_experts": 0})"),
     "import.missing_field /num_experts",
     "\"num_experts\", \"num_local_experts\" or \"n_routed_experts\" is missing", ""},
    {"latent attention without its parts",
     changed(kLatent, R"({"-qk_nope_head_dim": 0, "-qk_rope_head_dim": 0})"),
     "import.missing_field /qk_nope_head_dim; import.missing_field /qk_rope_head_dim",
     "\"qk_nope_head_dim\" is missing", ""},
    {"Infinity in a field that is read",
     R"({"model_type": "gpt2", "n_layer": Infinity, "n_embd": 64, "n_head": 4, "vocab_size": NaN})",
     "json.not_finite /n_layer; json.not_finite /vocab_size", "", ""},
};

class BadInput : public testing::TestWithParam<BadCase> {};

TEST_P(BadInput, IsNamed) {
  const BadCase& row = GetParam();
  const Result<Import> import = import_config(row.text);
  ASSERT_FALSE(import);
  EXPECT_EQ(listed(import.errors()), row.problems);
  const Diagnostic& first = import.errors().front();
  EXPECT_NE(first.message.find(row.says), std::string::npos) << first.message;
  EXPECT_NE(first.hint.find(row.hints), std::string::npos) << first.hint;
}

std::string row_name(const testing::TestParamInfo<BadCase>& row) {
  std::string name = row.param.name;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(NotJson, BadInput, testing::ValuesIn(kNotJson), row_name);
INSTANTIATE_TEST_SUITE_P(OtherFiles, BadInput, testing::ValuesIn(kOtherFiles), row_name);
INSTANTIATE_TEST_SUITE_P(Fields, BadInput, testing::ValuesIn(kFields), row_name);

TEST(BadInputSize, DeepAndLargeTextsAreRefused) {
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  EXPECT_EQ(listed(import_config(deep).errors()).substr(0, 13), "json.too_deep");
  const std::string large =
      changed(kDense, R"({"_name_or_path": ""})") + std::string(50u << 20, ' ');
  EXPECT_EQ(listed(import_config(large).errors()), "json.too_large");
}

// Half a million members beside the ones that count.
TEST(BadInputSize, ManyUnknownMembersAreHarmless) {
  std::string text(kDense.substr(0, kDense.size() - 1));
  for (int i = 0; i < 500'000; ++i) text += ",\"k" + std::to_string(i) + "\":0";
  EXPECT_TRUE(import_config(text + "}"));
}

TEST(UnreadFields, MayHoldAnything) {
  const std::string text(kDense.substr(0, kDense.size() - 1));
  EXPECT_TRUE(import_config(
      text + R"(, "initializer_range": Infinity, "eos_token_id": NaN, "x": 1e308, "y": -5})"));
}

TEST(DesignName, IsTheCallersOrTheFilesOrTheTypes) {
  const auto name = [](std::string_view changes, const ImportOptions& options = {}) {
    return import_config(changed(kDense, changes), options)->document.meta.name;
  };
  EXPECT_EQ(name("{}"), "llama");
  EXPECT_EQ(name(R"({"_name_or_path": ""})"), "llama");
  EXPECT_EQ(name(R"({"_name_or_path": "org/model"})"), "org/model");
  EXPECT_EQ(name(R"({"_name_or_path": "org/model"})", {.name = "mine"}), "mine");
  // Text is kept as it is: escaping is the business of whoever shows it.
  EXPECT_EQ(name(R"({"_name_or_path": "<script>alert(1)</script>"})"), "<script>alert(1)</script>");
}

}  // namespace
}  // namespace roofbeam
