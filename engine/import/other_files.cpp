#include "engine/import/other_files.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/text.h"

namespace roofbeam {
namespace {

// A kind of file people mistake for a model's config.json, known by members only it has.
struct OtherFile {
  std::string_view is;                   // "a tokenizer_config.json, ..."
  std::string_view instead;              // what to take
  std::array<std::string_view, 2> all;   // members it always has; empty ones count as there
  std::array<std::string_view, 4> some;  // at least one of these, unless there are none
};

constexpr std::array kOtherFiles{
    OtherFile{"a diffusers model_index.json, which lists the parts of a pipeline",
              "import the config.json of one part, such as transformer/config.json",
              {"_class_name", "_diffusers_version"},
              {"scheduler", "vae", "text_encoder", "tokenizer"}},
    OtherFile{"an adapter_config.json, which changes a model that is described elsewhere",
              "import the config.json of the base model",
              {},
              {"peft_type", "base_model_name_or_path"}},
    OtherFile{"a tokenizer_config.json, which describes how text becomes tokens",
              "import the config.json beside it",
              {},
              {"tokenizer_class", "added_tokens_decoder", "chat_template"}},
    OtherFile{"a tokenizer.json, which holds a vocabulary",
              "import the config.json beside it",
              {"added_tokens", "model"},
              {}},
    OtherFile{"the index of a checkpoint's shards, which lists tensors without their shapes",
              "import the config.json beside it",
              {"weight_map", ""},
              {}},
    OtherFile{"a preprocessor_config.json, which describes how inputs are prepared",
              "import the config.json beside it",
              {},
              {"image_processor_type", "feature_extractor_type", "processor_class"}},
    OtherFile{"a quantization config, which describes how weights are stored",
              "import the config.json beside it",
              {"bits", "group_size"},
              {}},
    OtherFile{"a design document",
              "it needs no import: hand it to analyze, show or validate as it is",
              {"symbols", "graph"},
              {}},
    OtherFile{"a params.json, the makers' own format",
              "import the config.json of the same model in the Hugging Face format",
              {"dim", "n_layers"},
              {}},
    OtherFile{"a generation_config.json, which describes how text is sampled",
              "import the config.json beside it",
              {},
              {"do_sample", "temperature", "_from_model_config", "max_new_tokens"}},
};

bool has(const json::Value& config, std::string_view key) { return config.find(key) != nullptr; }

bool is_such(const json::Value& config, const OtherFile& file) {
  for (const std::string_view key : file.all)
    if (!key.empty() && !has(config, key)) return false;
  if (file.some.front().empty()) return true;
  for (const std::string_view key : file.some)
    if (!key.empty() && has(config, key)) return true;
  return false;
}

// "LlamaForCausalLM" tells people, and so the hint, which type was left out.
std::string architecture_hint(const json::Value& config) {
  const json::Value* list = config.find("architectures");
  if (list == nullptr || !list->is_array() || list->array().empty() ||
      !list->array().front().is_string())
    return "a model's config.json states its type, for example \"model_type\": \"llama\"";
  return "the file names the class " + quoted(list->array().front().string()) +
         ": add the \"model_type\" that belongs to it";
}

}  // namespace

Diagnostic no_model_type(const json::Value& config) {
  for (const OtherFile& file : kOtherFiles)
    if (is_such(config, file))
      return {.code = "import.other_file",
              .path = "",
              .message = "this is " + std::string(file.is) + ", not a model's config.json",
              .hint = std::string(file.instead)};
  return {.code = "import.missing_model_type",
          .path = "/model_type",
          .message = "\"model_type\" is missing: wanted the name of a model type",
          .hint = architecture_hint(config)};
}

}  // namespace roofbeam
