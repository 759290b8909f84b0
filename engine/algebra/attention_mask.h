#pragma once

#include <cstdint>
#include <vector>

#include "engine/algebra/attention_evaluate.h"
#include "engine/algebra/attention_expression.h"

// What a mask leaves of attention's work, and whether it leaves anything.
namespace roofbeam {

// The pairs an attention looks at before its mask: every query of a row of `length` tokens with the
// keys up to itself if causal, and no further back than `window` (0: no limit).
struct AttentionExtent {
  std::int64_t length = 1;  // tokens, >= 1
  bool causal = true;
  std::int64_t window = 0;
  std::int64_t heads = 1;  // >= 1
  std::int64_t batch = 1;  // >= 1
};

// Positions, both ends included.
struct PositionRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend bool operator==(const PositionRange&, const PositionRange&) = default;
};

// The keys a query looks at.
[[nodiscard]] PositionRange keys_of(const AttentionExtent& extent, std::int64_t query);

// The pairs of one row and head, exactly.
[[nodiscard]] double pairs_of(const AttentionExtent& extent);

// Whether the mask depends on the head, or on the batch row beyond looking up documents.
[[nodiscard]] bool reads_head(const Mask& mask);
[[nodiscard]] bool reads_batch(const Mask& mask);

// The part of `extent`'s pairs that the mask keeps, 0 to 1, where every row is one document.
// Sampled at places fixed by the mask's text: 128 queries of 512 keys each; where the mask depends
// on the head, up to 8 heads with 64 queries of 128 keys; on the batch row, up to 4 of them. Exact
// where that covers every pair.
[[nodiscard]] double kept_share(const Mask& mask, const AttentionExtent& extent);

// Whether the mask keeps no pair at all among the first 128 positions.
[[nodiscard]] bool keeps_nothing_at_start(const Mask& mask, const AttentionExtent& extent);

// Queries that some head leaves without a single key, as the first `most` ranges among the first
// 2048 positions. A search that has tried four million pairs takes the rest for served.
[[nodiscard]] std::vector<PositionRange> queries_without_keys(const Mask& mask,
                                                              const AttentionExtent& extent,
                                                              std::size_t most = 4);

// A picture of one head's mask: 32 x 32 cells, queries downwards, keys to the right, each the part
// of its 8 x 8 points that count, causality and window included. `documents` divides the row.
inline constexpr std::int64_t kGridCells = 32;
[[nodiscard]] std::vector<double> kept_grid(const Mask& mask, const AttentionExtent& extent,
                                            std::int64_t head, const DocumentRow& documents = {});

}  // namespace roofbeam
