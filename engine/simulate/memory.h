#pragma once

#include "engine/base/units.h"
#include "engine/program/program.h"

namespace roofbeam {

// Memory of one stage of a step on one device.
struct StepMemory {
  Bytes weights;
  Bytes cache;          // of keys and values, an indexer's included
  Bytes indexer_cache;  // that part of it
  // Peak of activations as the reference counts it, which frees a buffer once for every view of it
  // and so reports too little.
  Bytes activations;
  // Peak of activations when a buffer lives from the operator that writes it to the last one that
  // reads it or a view of it. Looked at when an operator starts, as the reference does: what that
  // operator writes counts from the next one on.
  Bytes live_activations;
  [[nodiscard]] Bytes peak() const { return weights + cache + activations; }
};

[[nodiscard]] StepMemory step_memory(const Program& program);

}  // namespace roofbeam
