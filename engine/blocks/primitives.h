#pragma once

#include "engine/blocks/block.h"

namespace roofbeam {

// One function a primitive, in a file of its name or of what it shares: io, boundary, elementwise,
// eager_attention, containers. The catalog calls each once.
BlockSpec input_block();
BlockSpec output_block();
BlockSpec boundary_in_block();
BlockSpec boundary_out_block();
BlockSpec embedding_block();
BlockSpec pos_embedding_block();
BlockSpec learned_tokens_block();
BlockSpec linear_block();
BlockSpec lm_head_block();
BlockSpec conv2d_block();
BlockSpec maxpool2d_block();
BlockSpec flatten2d_block();
BlockSpec rmsnorm_block();
BlockSpec layernorm_block();
BlockSpec activation_block();
BlockSpec add_block();
BlockSpec mul_block();
BlockSpec gate_block();
BlockSpec mix_block();
BlockSpec scale_block();
BlockSpec diff_combine_block();
BlockSpec attn_scores_block();
BlockSpec attn_softmax_block();
BlockSpec head_mix_block();
BlockSpec attn_values_block();
BlockSpec rearrange_block();
BlockSpec position_bias_block();
BlockSpec rope_block();
BlockSpec sdpa_block();
BlockSpec topk_router_block();
BlockSpec weighted_sum_block();
BlockSpec split_block();
BlockSpec concat_block();
BlockSpec shift_block();
BlockSpec expand_heads_block();
BlockSpec kv_latent_cache_block();
BlockSpec conv1d_block();
BlockSpec gated_delta_scan_block();
BlockSpec selective_scan_block();
BlockSpec ssd_scan_block();

// The containers, whose ports are those of the graph inside.
BlockSpec repeat_block();
BlockSpec moe_experts_block();

}  // namespace roofbeam
