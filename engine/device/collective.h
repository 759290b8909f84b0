#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/collective.h"
#include "engine/base/units.h"
#include "engine/device/grid.h"

namespace roofbeam {

// A collective's time by the alpha-beta model (Thakur, Rabenseifner and Gropp 2005, "Optimization
// of Collective Communication Operations in MPICH"): the cheaper of two algorithms.
struct CollectiveTime {
  Seconds time;
  std::string_view algorithm;  // "ring", "tree", "recursive_doubling", ...; "" for one rank
  Seconds linear;              // ring or pairwise exchange
  Seconds logarithmic;         // tree, recursive halving or doubling, Bruck
};

// N ranks over a link of latency L and bandwidth B, M the bytes of `message`:
//   all_reduce       min( 2(N-1) L + 2(N-1) M / (N B), 2 log2(N) L + 2 M / B ), M the whole tensor
//   all_gather       min( (N-1) L, log2(N) L ) + (N-1) M / B, M what one rank holds before it
//   reduce_scatter   min( (N-1) L, log2(N) L ) + (N-1) M / (N B), M what one rank holds before it
//   all_to_all       min( (N-1) L, log2(N) L ) + M / B, M the larger of what a rank sends to and
//                    receives from the others
//   send_receive     L + M / B, from one rank to another
//   send_receive     L + M / B between two ranks; nothing to send takes no time
// The second of each pair wins a tie. One rank takes no time.
[[nodiscard]] CollectiveTime collective_time(CollectiveKind kind, Bytes message, std::size_t ranks,
                                             const Link& link);

// What a rank of an all_to_all sends to and receives from the others.
struct Exchange {
  Bytes sent;
  Bytes received;
};

// `elements` elements in all of `in_splits`, as many a row going out as coming in:
//   per row = elements / sum(in_splits), sent = per row * (sum(in_splits) - in_splits[me]), and the
//   same of out_splits for what is received.
[[nodiscard]] Exchange exchanged(double elements, double bytes_per_element,
                                 const std::vector<std::int64_t>& in_splits,
                                 const std::vector<std::int64_t>& out_splits, std::size_t me);

}  // namespace roofbeam
