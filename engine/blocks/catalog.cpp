#include "engine/blocks/catalog.h"

#include <algorithm>
#include <cstddef>

#include "engine/base/check.h"
#include "engine/base/embedded.h"
#include "engine/base/text.h"
#include "engine/blocks/primitives.h"
#include "engine/blocks/template.h"

namespace roofbeam {
namespace {

// A primitive or container: its definition's file and its formulas; none where all of them are
// zero.
struct Written {
  std::string_view type;
  const Forms* forms;
};

constexpr Written kPrimitives[] = {
    {"input", &input_forms},
    {"output", nullptr},
    {"boundary_in", &boundary_in_forms},
    {"boundary_out", &boundary_out_forms},
    {"embedding", &embedding_forms},
    {"pos_embedding", &pos_embedding_forms},
    {"learned_tokens", &learned_tokens_forms},
    {"linear", &linear_forms},
    {"lm_head", &lm_head_forms},
    {"conv2d", &conv2d_forms},
    {"maxpool2d", &maxpool2d_forms},
    {"flatten2d", &flatten2d_forms},
    {"rmsnorm", &rmsnorm_forms},
    {"layernorm", &layernorm_forms},
    {"activation", &activation_forms},
    {"add", &add_forms},
    {"mul", &mul_forms},
    {"gate", &gate_forms},
    {"mix", &mix_forms},
    {"scale", &scale_forms},
    {"diff_combine", &diff_combine_forms},
    {"attn_scores", &attn_scores_forms},
    {"attn_softmax", &attn_softmax_forms},
    {"head_mix", &head_mix_forms},
    {"attn_values", &attn_values_forms},
    {"rearrange", &rearrange_forms},
    {"position_bias", &position_bias_forms},
    {"rope", &rope_forms},
    {"sdpa", &sdpa_forms},
    {"topk_router", &topk_router_forms},
    {"weighted_sum", &weighted_sum_forms},
    {"split", &split_forms},
    {"concat", &concat_forms},
    {"shift", &shift_forms},
    {"expand_heads", &expand_heads_forms},
    {"kv_latent_cache", &kv_latent_cache_forms},
    {"conv1d", &conv1d_forms},
    {"gated_delta_scan", &gated_delta_scan_forms},
    {"selective_scan", &selective_scan_forms},
    {"ssd_scan", &ssd_scan_forms},
};

constexpr Written kContainers[] = {{"repeat", nullptr}, {"moe_experts", &moe_experts_forms}};

BlockSpec embedded_block(std::string_view type, std::string_view text, DefinitionOrigin origin) {
  const Result<json::Value> definition = json::parse(text);
  ROOFBEAM_CHECK(definition);
  Result<BlockSpec> block = read_block(type, *definition, "", origin);
  ROOFBEAM_CHECK(block);
  return *std::move(block);
}

BlockSpec joined(const Written& written) {
  const EmbeddedFile* file = embedded_file("primitives", written.type);
  ROOFBEAM_CHECK(file != nullptr);
  BlockSpec block = embedded_block(written.type, file->text, DefinitionOrigin::primitive);
  if (written.forms != nullptr) block.forms = *written.forms;
  return block;
}

std::vector<BlockSpec> make_built_in_blocks() {
  std::vector<BlockSpec> blocks;
  for (const Written& written : kPrimitives) blocks.push_back(joined(written));
  for (const EmbeddedFile& file : embedded_files("blocks"))
    blocks.push_back(embedded_block(file.name, file.text, DefinitionOrigin::built_in));
  for (const Written& written : kContainers) blocks.push_back(joined(written));
  return blocks;
}

// Positions in built_in_blocks() by type, for a binary search.
std::vector<const BlockSpec*> make_built_in_index() {
  std::vector<const BlockSpec*> index;
  for (const BlockSpec& block : built_in_blocks()) index.push_back(&block);
  std::ranges::sort(index, {}, &BlockSpec::type);
  return index;
}

const BlockSpec* find_built_in(std::string_view type) {
  static const std::vector<const BlockSpec*> index = make_built_in_index();
  const auto found = std::ranges::lower_bound(index, type, {}, &BlockSpec::type);
  return found != index.end() && (*found)->type == type ? *found : nullptr;
}

Finding finding(const std::string& type, std::string message, std::string hint) {
  return {.rule = "user-blocks",
          .severity = Severity::error,
          .path = type,
          .port = {},
          .param = {},
          .message = std::move(message),
          .hint = std::move(hint)};
}

// A structural fault says where in the definition it is; the others are about the whole of it.
std::string message_of(const Diagnostic& problem) {
  const bool structural = problem.code.starts_with("json.") || problem.code == "block.wire";
  if (!structural || problem.path.empty()) return problem.message;
  return problem.path + ": " + problem.message;
}

}  // namespace

std::span<const BlockSpec> built_in_blocks() {
  static const std::vector<BlockSpec> blocks = make_built_in_blocks();
  return blocks;
}

Catalog::Catalog(const Document& document) {
  for (const DefinedBlock& defined : document.defs) {
    if (find_built_in(defined.type) != nullptr) {
      problems_.push_back(finding(defined.type, quoted(defined.type) + " is already built in",
                                  "give the block another type name"));
      continue;
    }
    Result<BlockSpec> block = read_block(defined.type, defined.definition);
    if (block) {
      own_.push_back(*std::move(block));
      continue;
    }
    for (const Diagnostic& problem : block.errors())
      problems_.push_back(
          finding(defined.type, message_of(problem),
                  problem.hint.empty() ? "edit or delete the definition" : problem.hint));
  }
  std::ranges::sort(own_, {}, &BlockSpec::type);
}

const BlockSpec* Catalog::find(std::string_view type) const {
  if (const BlockSpec* block = find_built_in(type)) return block;
  const auto found = std::ranges::lower_bound(own_, type, {}, &BlockSpec::type);
  return found != own_.end() && found->type == type ? &*found : nullptr;
}

std::vector<std::string_view> Catalog::types() const {
  std::vector<std::string_view> types;
  for (const BlockSpec& block : built_in_blocks()) types.emplace_back(block.type);
  for (const BlockSpec& block : own_) types.emplace_back(block.type);
  return types;
}

}  // namespace roofbeam
