#pragma once

#include "engine/blocks/lowering.h"

namespace roofbeam {

// A recurrence over the sequence: one state a sequence, read from the steps before where there are
// any, written for the steps after.
struct Scan {
  std::string_view whole_name;  // the kernel over a whole sequence
  std::string_view step_name;   // the kernel that goes on from a state
  std::vector<Tensor> reads;
  Tensor write;
  std::vector<Extent> state;
  Flops matrix;
  Flops elementwise = {};
};

[[nodiscard]] Operator lowered(const LoweringContext& context, Scan scan);

}  // namespace roofbeam
