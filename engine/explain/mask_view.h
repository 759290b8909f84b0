#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/analysis/operating_point.h"
#include "engine/graph/elaboration.h"

namespace roofbeam {

// What an attention's queries see of the keys, as a picture of 32 x 32 cells.
struct MaskView {
  InstanceId attention = kNoInstance;
  std::int64_t head = 0;
  std::int64_t heads = 1;
  std::int64_t length = 1;  // tokens along both sides
  // Queries downwards, keys to the right; the part of each cell's pairs that count, 0 to 1.
  std::vector<double> kept;
};

// The view of the first sdpa block in a block (or of the block itself) for one head; heads beyond
// the last count as the last. Causality, window and mask expression are all in it; documents are
// drawn where the point packs them and the mask reads them. Nothing where there is no such block,
// where it reads another stream, or where its mask or its sizes have errors.
[[nodiscard]] std::optional<MaskView> mask_view(const Elaboration& design, const OperatingPoint& point,
                                                InstanceId block, std::int64_t head);

}  // namespace roofbeam
