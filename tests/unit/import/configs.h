#pragma once

#include <string>
#include <string_view>

#include "engine/import/import.h"
#include "engine/json/writer.h"
#include "tests/unit/import/files.h"

namespace roofbeam {

// Small configs of each kind, as JSON text; cases change a few members.
inline constexpr std::string_view kDense = R"({
  "model_type": "llama", "num_hidden_layers": 4, "hidden_size": 256, "num_attention_heads": 8,
  "num_key_value_heads": 2, "head_dim": 64, "intermediate_size": 512, "vocab_size": 1000})";
inline constexpr std::string_view kExperts = R"({
  "model_type": "mixtral", "num_hidden_layers": 4, "hidden_size": 256, "num_attention_heads": 8,
  "num_key_value_heads": 8, "head_dim": 32, "intermediate_size": 1024, "vocab_size": 1000,
  "num_local_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 128,
  "n_shared_experts": 1, "first_k_dense_replace": 1})";
inline constexpr std::string_view kLatent = R"({
  "model_type": "deepseek_v3", "num_hidden_layers": 3, "hidden_size": 256,
  "num_attention_heads": 4, "intermediate_size": 512, "vocab_size": 1000, "q_lora_rank": 64,
  "kv_lora_rank": 32, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 16})";

// `base` with the members of `changes`; a member "-key" removes "key".
inline std::string changed(std::string_view base, std::string_view changes) {
  json::Value config = json_of(base);
  const json::Value set = json_of(changes);
  for (const auto& [key, value] : set.object()) {
    if (key.starts_with('-'))
      std::erase_if(config.object(),
                    [&](const json::Member& m) { return m.first == key.substr(1); });
    else
      config.set(key, value);
  }
  return json::write(config, json::Layout::compact);
}

// "code path; code path": what an import says, in its order.
inline std::string listed(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics)
    text += (text.empty() ? "" : "; ") + d.code + (d.path.empty() ? "" : " " + d.path);
  return text;
}

}  // namespace roofbeam
