#pragma once

#include "engine/blocks/block.h"

namespace roofbeam {

// The formulas of each primitive, in a file of its name or of what it shares: io, boundary,
// elementwise, eager_attention, containers. What a primitive declares (parameters, ports, text) is
// data: presets/primitives/<type>.json. The catalog joins the two.
extern const Forms input_forms;
extern const Forms boundary_in_forms;
extern const Forms boundary_out_forms;
extern const Forms embedding_forms;
extern const Forms pos_embedding_forms;
extern const Forms learned_tokens_forms;
extern const Forms linear_forms;
extern const Forms lm_head_forms;
extern const Forms conv2d_forms;
extern const Forms maxpool2d_forms;
extern const Forms flatten2d_forms;
extern const Forms rmsnorm_forms;
extern const Forms layernorm_forms;
extern const Forms activation_forms;
extern const Forms add_forms;
extern const Forms mul_forms;
extern const Forms gate_forms;
extern const Forms mix_forms;
extern const Forms scale_forms;
extern const Forms diff_combine_forms;
extern const Forms attn_scores_forms;
extern const Forms attn_softmax_forms;
extern const Forms head_mix_forms;
extern const Forms attn_values_forms;
extern const Forms rearrange_forms;
extern const Forms position_bias_forms;
extern const Forms rope_forms;
extern const Forms sdpa_forms;
extern const Forms topk_router_forms;
extern const Forms weighted_sum_forms;
extern const Forms split_forms;
extern const Forms concat_forms;
extern const Forms shift_forms;
extern const Forms expand_heads_forms;
extern const Forms kv_latent_cache_forms;
extern const Forms conv1d_forms;
extern const Forms gated_delta_scan_forms;
extern const Forms selective_scan_forms;
extern const Forms ssd_scan_forms;
extern const Forms moe_experts_forms;

}  // namespace roofbeam
