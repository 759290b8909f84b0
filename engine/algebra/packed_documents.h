#pragma once

#include <cstdint>
#include <vector>

#include "engine/algebra/attention_mask.h"
#include "engine/algebra/sampling.h"

// Rows of training tokens that several documents share, and what a mask keeps of them.
namespace roofbeam {

// The lengths of documents as they are packed into rows: gamma distributed.
struct Packing {
  double mean = 1;    // tokens, >= 1
  double spread = 0;  // coefficient of variation, >= 0: 0 all alike, 1 exponential
};

// P(shape, x): the part of a gamma distribution of scale 1 that lies below x. shape > 0, x >= 0.
[[nodiscard]] double regularised_lower_gamma(double shape, double x);

// Documents joined to one endless, circular stream.
struct DocumentStream {
  std::vector<std::int64_t> starts;  // rising, from 0
  std::int64_t total = 0;            // tokens until the first document comes again

  // The row that begins at `offset`, 0 <= offset < total. A view of this stream.
  [[nodiscard]] DocumentRow row(std::int64_t offset, std::int64_t length) const;
};

// max(1024, 4 * row_length / mean) documents, one from each of as many equally likely ranges of
// length, in random order; at most 65,536. Spreads below 0.005 count as none.
[[nodiscard]] DocumentStream draw_documents(const Packing& packing, std::int64_t row_length,
                                            Sampler& sampler);

// Both relative to the pairs that `extent` leaves (pairs_of).
struct PackedShare {
  double kept = 0;  // pairs that count
  // Pairs in the 128 x 128 blocks that a kernel works through: those that interval arithmetic does
  // not show to be empty, each counted whole. Can exceed 1.
  double blocks = 0;
};

// Rows are cut from a stream of documents at 1024 places. For the pairs, 16 queries of each row
// meet their keys in bands of distance that widen fourfold: bands that interval arithmetic shows to
// be kept or left out as a whole count so, the others share 16 sampled keys. For the blocks, 8
// blocks of queries of each row meet every block of keys; a count that has looked at a million
// ranges of blocks takes the rest for kept.
[[nodiscard]] PackedShare packed_share(const Mask& mask, const AttentionExtent& extent,
                                       const Packing& packing);

// kept_grid of the first of these rows.
[[nodiscard]] std::vector<double> packed_grid(const Mask& mask, const AttentionExtent& extent,
                                              std::int64_t head, const Packing& packing);

}  // namespace roofbeam
