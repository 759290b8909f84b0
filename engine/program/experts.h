#pragma once

#include <cstdint>
#include <vector>

#include "engine/program/modules.h"

namespace roofbeam {

// Where the routed rows of one rank go, with experts loaded as evenly as whole rows allow.
struct RoutedRows {
  std::vector<std::int64_t> sent = {};      // to each rank of the EP group
  std::vector<std::int64_t> received = {};  // from each: peers send what this rank would
  std::vector<std::int64_t> experts = {};   // of this rank's experts, rows from one peer each
  Extent rows = 0;                          // sent in all
};

// Expert e of E gets rows / E and one more where e < rows mod E. Ranks own contiguous experts, the
// first ones one more where they don't divide. Leading ranks that host external shared experts
// alone get tokens / their number each, the first of them one more where that doesn't divide.
[[nodiscard]] RoutedRows routed_rows(Extent tokens, const Routing& routing,
                                     const ExpertParallel& parallel);

}  // namespace roofbeam
