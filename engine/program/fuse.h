#pragma once

#include <string_view>

#include "engine/program/rewriter.h"

namespace roofbeam {

// The program as the framework's compiler leaves it: eager operators decomposed, chains of them
// fused into one, linear layers of one input merged, experts grouped. Every layer is compiled on
// its own, so nothing fuses across the border of two.
[[nodiscard]] Program compiled(Program program);

// The passes, in the order they run in; each a rewrite of one segment's operators.

// all_reduce of a view becomes a view of an all_reduce; sums take what lies below that view.
void reduce_below_views(Rewriter& graph);
// Views in the shape of what they view, joins of one part, joins of all parts of one tensor.
void drop_aliases(Rewriter& graph);
// Equal views of one tensor become one.
void merge_views(Rewriter& graph);
// An activation is quantized before its views are taken, and once for all of them.
void lift_quantizations(Rewriter& graph);
// Norms, gates, rotations; then norms with the sum before them; then both with the quantization
// behind them.
void fuse_chains(Rewriter& graph);
void fuse_rotations(Rewriter& graph);
// What is computed from weights alone becomes a weight.
void fold_weights(Rewriter& graph);
// Linear layers of one input become one, with its outputs split.
void merge_linears(Rewriter& graph);
// Products that each expert does on rows of its own become grouped products of all of them.
void group_experts(Rewriter& graph);

// Whether an operator of that name quantizes activations, and the same of another tensor: what it
// gives has that one's shape.
[[nodiscard]] bool is_quantization(std::string_view name);
[[nodiscard]] Operator quantization_of(Rewriter& graph, const Operator& op, const Tensor& x);

}  // namespace roofbeam
