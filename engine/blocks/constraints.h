#pragma once

#include <string_view>
#include <vector>

#include "engine/blocks/block.h"

namespace roofbeam {

// Constraints between arguments that several block types share. Each appends what it finds.

// `rule` where kv_heads does not divide heads: SDPA-01 on the kernel, ATTN-01 on what holds it.
void check_heads_divide(const Arguments& arguments, std::string_view rule,
                        std::vector<Issue>& issues);

// `rule` where top_k is more than experts: ROUTER-01 on the router, MOE-01 on the experts.
void check_top_k(const Arguments& arguments, std::string_view rule, std::vector<Issue>& issues);

// ROPE-02 where positions are asked for and nothing rotates by them. Reads `positions` and `rope`.
void check_positions(const Arguments& arguments, std::vector<Issue>& issues);

// ATTN-02 where written-out attention (`written_out`, `talking_heads`) is asked for what only the
// kernel can do: a window, a cap, a mask, a score, sinks, a scale.
void check_written_out(const Arguments& arguments, std::vector<Issue>& issues);

}  // namespace roofbeam
