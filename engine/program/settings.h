#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/base/dtype.h"
#include "engine/base/extent.h"

namespace roofbeam {

// How linear layers are stored and run: format of weights, format of activations, and whether the
// activations' scales are known beforehand (static) or measured in every step (dynamic).
enum class LinearMode : std::uint8_t {
  disabled,  // as the model is: half precision
  w8a16_static,
  w8a8_static,
  w4a8_static,
  w8a16_dynamic,
  w8a8_dynamic,
  w4a8_dynamic,
  fp8,
  mxfp4,
};

// "DISABLED", "W8A8_DYNAMIC", ...: every mode in the order above.
[[nodiscard]] std::span<const std::string_view> linear_mode_names();
[[nodiscard]] std::string_view name(LinearMode mode);
[[nodiscard]] std::optional<LinearMode> linear_mode_named(std::string_view name);

// How keys, values and the products with them are kept: as activations, or in one byte.
enum class AttentionMode : std::uint8_t { disabled, int8, fp8 };

// "DISABLED", "INT8", "FP8".
[[nodiscard]] std::span<const std::string_view> attention_mode_names();
[[nodiscard]] std::string_view name(AttentionMode mode);
[[nodiscard]] std::optional<AttentionMode> attention_mode_named(std::string_view name);

struct Quantization {
  LinearMode linear = LinearMode::disabled;
  std::optional<LinearMode> non_expert =
      {};                   // of every linear but the routed experts'; as `linear`
  Extent mxfp4_group = 32;  // elements that share a scale
  AttentionMode attention = AttentionMode::disabled;
};

// How the table of words is cut among the ranks of a TP group.
enum class WordEmbedding : std::uint8_t { replicated, columns, rows };

// Sizes of the groups the ranks form; resolved (nothing derived any more) and consistent:
// tp * dp * pp = devices, the same of each override's pair, moe_tp * moe_dp * ep * pp = devices.
struct ParallelSizes {
  std::int64_t devices = 1;
  std::int64_t tp = 1;
  std::int64_t dp = 1;
  std::int64_t pp = 1;
  std::int64_t dcp = 1;  // ranks of a TP group that share a decode context
  std::int64_t o_proj_tp = 1;
  std::int64_t mlp_tp = 1;
  std::int64_t lm_head_tp = 1;
  std::int64_t ep = 1;
  std::int64_t moe_tp = 1;
  std::int64_t moe_dp = 1;
  WordEmbedding word_embedding = WordEmbedding::replicated;
  bool redundant_experts = false;
  bool shared_expert_tp = false;
  bool external_shared_experts = false;
  bool hosts_external_shared_experts = false;  // the rank at hand is one of theirs
};

// One step of one replica.
struct StepSettings {
  Extent sequences = 1;       // of this replica: ceil(queries / dp)
  Extent query_tokens = 1;    // new positions of each sequence
  Extent context_tokens = 0;  // positions already cached
  bool decode = false;        // every new position is scored, not the last of each sequence alone
  Extent mtp_tokens = 0;      // multi-token-prediction modules that run
  Extent layers = 0;          // only the first so many; 0 for all
  Dtype dtype = Dtype::fp16;  // of weights and activations before quantization
  Quantization quantization = {};
  ParallelSizes parallel = {};
  bool compile = false;    // operators are fused as the framework's compiler does
  bool repetition = true;  // equal layers are compiled as one; else operators fuse across layers
};

// Positions one page of a paged cache holds.
inline constexpr Extent kPageTokens = 128;

}  // namespace roofbeam
