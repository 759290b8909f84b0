#pragma once

#include <vector>

#include "engine/analysis/analysis.h"
#include "engine/graph/elaboration.h"

namespace roofbeam {

// What one block, with everything inside it and all its copies, adds to the design's figures.
struct Contribution {
  double params = 0;
  double active_params = 0;
  double share_of_params = 0;  // of the design's; NaN where that has none
  Flops flops_per_token;       // forward, masked pairs left out
  double share_of_flops = 0;
  Bytes activations;         // kept for the backward pass at the analysis' point
  Bytes cache_per_token;     // at 2 bytes an element, whatever the point's
  Bytes cache_per_sequence;  // what does not grow with the length, likewise
};

// The contributions of every block of a design: figures of primitives summed up to whatever holds
// them, so that a container's is that of its parts.
class Contributions {
 public:
  Contributions(const Elaboration& design, const Analysis& analysis);

  [[nodiscard]] const Contribution& of(InstanceId id) const { return contributions_[id]; }

 private:
  std::vector<Contribution> contributions_;  // by instance
};

// Weights of one copy of every block, by instance: of a repeat all its layers', of a block in it one
// layer's.
[[nodiscard]] std::vector<double> weights_of_one_copy(const Elaboration& design);

// The primitives with weights in a block (itself, if it is one), largest first, at most `most`.
[[nodiscard]] std::vector<InstanceId> largest_parts(const Elaboration& design,
                                                    const Contributions& contributions, InstanceId id,
                                                    std::size_t most = 12);

// The document's own blocks, composites not opened, largest by parameters first.
[[nodiscard]] std::vector<InstanceId> blocks_by_size(const Elaboration& design,
                                                     const Contributions& contributions);

}  // namespace roofbeam
