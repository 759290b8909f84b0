#pragma once

#include <cstdint>

#include "engine/base/result.h"
#include "engine/program/modules.h"

namespace roofbeam {

// Ranks of one stage are laid out as (outer, dp, ep, tp), tp innermost: a TP group is contiguous, a
// DP group takes every tp-th rank. The rank that is followed is 0, or, where it does not host the
// external shared experts, the first that hosts routed ones.
[[nodiscard]] Group contiguous_group(std::int64_t rank, std::int64_t size);
[[nodiscard]] Group strided_group(std::int64_t rank, std::int64_t size, std::int64_t stride);

// Leading ranks of an EP group that host shared experts alone: 1 where a token's experts and the
// shared one outnumber the ranks, ceil(ep / (top_k + 1)) otherwise; 0 without external ones.
[[nodiscard]] std::int64_t external_ranks(const ParallelSizes& sizes, Extent top_k);

// Modules cut to what one rank runs: heads, hidden widths and words divided, with the exchanges
// that put results together. `sizes` are those of one stage (pp = 1).
[[nodiscard]] Model sharded(Model model, const ParallelSizes& sizes);

}  // namespace roofbeam
