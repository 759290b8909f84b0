#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/blocks/block.h"
#include "engine/blocks/lowering.h"

namespace roofbeam {

// What sdpa and the composites above it share about masks, scores and windows.

// Which keys one query may read.
struct KeySpan {
  double length = 1;  // of the block's own stream
  double source = 0;
  bool causal = true;
  double window = 0;  // 0: none
  bool cross = false;
};

// Keys a query reads on average: S across streams; T/2 causal; W - W^2/(2T) causal in a window
// 0 < W < T; min(T, W) in a window both ways; T otherwise. Causal halves count T/2, not (T+1)/2, as
// fused kernels are credited.
[[nodiscard]] double keys_per_query(const KeySpan& span);

// Vector operations a kept pair and head costs beyond the softmax: the score expression's, and 8
// for a cap.
[[nodiscard]] double score_cost(const Arguments& arguments, const Scope& scope);

// The tables the mask and score expressions read, each a port of that name, in order of appearance.
[[nodiscard]] std::vector<std::string> attention_tables(const Arguments& arguments,
                                                        const Scope& scope);

// Appends one "*" input for each table.
void add_table_ports(const Arguments& arguments, const Scope& scope, Ports& ports);

// Syntax, types and table misuse of the two expressions (rule "expression"), SDPA-04 and SDPA-05.
[[nodiscard]] std::vector<Issue> check_attention_expressions(const Arguments& arguments,
                                                             const Scope& scope);

// Positions one page of a paged cache holds.
inline constexpr Extent kCachePageTokens = 128;

// "reshape_and_cache": stores what a step brings (keys and values, or a latent; each of the given
// shapes, batch first) at the slots of its positions.
[[nodiscard]] Operator cache_write(const LoweringContext& context,
                                   const std::vector<std::vector<Extent>>& step);

// What a kernel reads beside a paged cache of `keys` positions a sequence: the page table, where
// each sequence starts, and its lengths.
[[nodiscard]] std::vector<Tensor> page_tables(const LoweringContext& context, Extent keys);

}  // namespace roofbeam
