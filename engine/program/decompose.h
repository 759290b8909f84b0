#pragma once

#include "engine/program/program.h"

namespace roofbeam {

// A compiler's own operators in place of the framework's eager ones: what changes a tensor in place
// gives a new one, composites are written as their parts, all reshaping is a view, all reordering
// of axes a permute.
void decompose(Program& program, Segment& segment);

}  // namespace roofbeam
