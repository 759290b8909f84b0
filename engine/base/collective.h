#pragma once

#include <cstdint>

namespace roofbeam {

// How ranks of a group exchange a tensor.
enum class CollectiveKind : std::uint8_t {
  all_reduce,      // everyone has the sum
  all_gather,      // everyone has all pieces
  reduce_scatter,  // everyone has a piece of the sum
  all_to_all,      // everyone sends a piece to everyone
  send_receive     // one rank sends to one other
};

}  // namespace roofbeam
