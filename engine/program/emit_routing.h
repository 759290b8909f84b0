#pragma once

#include "engine/program/emitter.h"

namespace roofbeam {

// Whom tokens go to, and how much of each expert's result they take.
struct Routes {
  Tensor weights;  // [..., top_k]
  Tensor experts;  // [..., top_k], indices
};

// Scores of every expert: x [tokens, hidden] to [tokens, experts].
[[nodiscard]] Tensor emit_scores(Emitter& e, const Routing& routing, const Tensor& x);

// The choice, as the model's class makes it from the scores. `batch` is the shape the class gives
// what it returns, without the last axis: [tokens] or [1, tokens].
[[nodiscard]] Routes emit_choice(Emitter& e, const Routing& routing, const Tensor& scores);

}  // namespace roofbeam
