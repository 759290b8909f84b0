#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/profile.h"
#include "engine/graph/elaboration.h"
#include "engine/program/settings.h"

namespace roofbeam {

// What is asked of a text model: one prefill or decode step of equal requests. Sizes of groups that
// are left open are derived.
struct TextWorkload {
  std::int64_t queries = 1;         // over all replicas
  std::int64_t query_length = 1;    // new tokens of each
  std::int64_t context_length = 0;  // tokens in the cache
  bool decode = false;
  double prefix_cache_hit_rate = 0;  // share of a prompt found in the cache, [0, 1)
  std::int64_t mtp_tokens = 0;
  std::int64_t layers = 0;  // 0: all
  bool compile = false;
  bool repetition = true;
  Quantization quantization = {.linear = LinearMode::w8a8_dynamic};
  std::int64_t devices = 1;
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::int64_t dcp = 1;
  std::int64_t ep = 1;
  std::int64_t moe_dp = 1;
  std::optional<std::int64_t> dp = {};
  std::optional<std::int64_t> o_proj_tp = {};
  std::optional<std::int64_t> o_proj_dp = {};
  std::optional<std::int64_t> mlp_tp = {};
  std::optional<std::int64_t> mlp_dp = {};
  std::optional<std::int64_t> lm_head_tp = {};
  std::optional<std::int64_t> lm_head_dp = {};
  std::optional<std::int64_t> moe_tp = {};
  WordEmbedding word_embedding = WordEmbedding::replicated;
  bool redundant_experts = false;
  bool shared_expert_tp = false;
  bool external_shared_experts = false;
  bool hosts_external_shared_experts = false;
  Bytes reserved = {};
};

// A workload that can be run, with everything derived, and what is to be said about it.
struct ResolvedWorkload {
  StepSettings step;
  std::vector<std::string> warnings;
};

// Derives what is open and checks the whole against the model and the device. Diagnostics carry
// "/<key>" of the option at fault, in the request's spelling ("/tp_size"), and state the rule:
//   tp * dp * pp = devices, the same of each pair of o_proj, mlp and lm head; moe_tp * moe_dp * ep
//   * pp = devices; tp divides the attention heads, and the key/value heads where they are not
//   fewer.
// Sequences of a replica are ceil(queries / dp). A prefill that finds
// floor(query_length * hit rate) tokens in the cache computes the others and reads those as
// context.
[[nodiscard]] Result<ResolvedWorkload> resolve(const TextWorkload& workload,
                                               const Elaboration& design,
                                               const DeviceProfile& device);

}  // namespace roofbeam
