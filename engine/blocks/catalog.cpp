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

constexpr BlockSpec (*kPrimitives[])() = {
    input_block,
    output_block,
    boundary_in_block,
    boundary_out_block,
    embedding_block,
    pos_embedding_block,
    learned_tokens_block,
    linear_block,
    lm_head_block,
    conv2d_block,
    maxpool2d_block,
    flatten2d_block,
    rmsnorm_block,
    layernorm_block,
    activation_block,
    add_block,
    mul_block,
    gate_block,
    mix_block,
    scale_block,
    diff_combine_block,
    attn_scores_block,
    attn_softmax_block,
    head_mix_block,
    attn_values_block,
    rearrange_block,
    position_bias_block,
    rope_block,
    sdpa_block,
    topk_router_block,
    weighted_sum_block,
    split_block,
    concat_block,
    shift_block,
    expand_heads_block,
    kv_latent_cache_block,
    conv1d_block,
    gated_delta_scan_block,
    selective_scan_block,
    ssd_scan_block,
};

constexpr BlockSpec (*kContainers[])() = {repeat_block, moe_experts_block};

BlockSpec embedded_block(const EmbeddedFile& file) {
  const Result<json::Value> definition = json::parse(file.text);
  ROOFBEAM_CHECK(definition);
  Result<BlockSpec> block = read_block(file.name, *definition, "", DefinitionOrigin::built_in);
  ROOFBEAM_CHECK(block);
  return *std::move(block);
}

std::vector<BlockSpec> make_built_in_blocks() {
  std::vector<BlockSpec> blocks;
  for (const auto make : kPrimitives) blocks.push_back(make());
  for (const EmbeddedFile& file : embedded_files("blocks")) blocks.push_back(embedded_block(file));
  for (const auto make : kContainers) blocks.push_back(make());
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
