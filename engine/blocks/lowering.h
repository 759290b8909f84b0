#pragma once

#include <string_view>
#include <vector>

#include "engine/blocks/block.h"

namespace roofbeam {

// Helpers the primitives' `lower` functions share. Shapes are outermost first.

// A multiply-add is two FLOPs everywhere in the engine: vendors' peak rates and the 6*N*D rule both
// count it so, and utilisation figures compare only if we do too.
// y[m, n] = x[m, k] * w[k, n]
[[nodiscard]] Flops matmul_flops(double m, double k, double n);

// An argument's value as an extent; 0 where that cannot be.
[[nodiscard]] Extent whole(double value);

// Product of all but the last axis: the rows a matrix multiplication sees.
[[nodiscard]] Extent rows(const std::vector<Extent>& shape);

// shape with its last axis replaced.
[[nodiscard]] std::vector<Extent> with_last(std::vector<Extent> shape, Extent last);

[[nodiscard]] Tensor activation_tensor(const LoweringContext& context, std::vector<Extent> shape);
[[nodiscard]] Tensor weight_tensor(const LoweringContext& context, std::vector<Extent> shape);
[[nodiscard]] Tensor cache_tensor(const LoweringContext& context, std::vector<Extent> shape);
[[nodiscard]] Tensor single_tensor(std::vector<Extent> shape);  // fp32, between two casts
[[nodiscard]] Tensor index_tensor(std::vector<Extent> shape);   // int64

// An element-by-element operator over one shape: reads `operands` tensors of it, writes one.
// `flops_per_element` is what the vector units do for each.
[[nodiscard]] Operator pointwise(std::string_view name, const LoweringContext& context,
                                 const std::vector<Extent>& shape, int operands,
                                 double flops_per_element);

// The same with operands of their own shapes, smaller ones spread over the result's.
[[nodiscard]] Operator broadcast(std::string_view name, std::vector<Tensor> reads, Tensor write,
                                 double flops_per_element);

// An operator that renames elements: the same storage under another shape.
[[nodiscard]] Operator view_of(std::string_view name, const LoweringContext& context,
                               std::vector<Extent> from, std::vector<Extent> to);

// A trained matrix at work.
struct Projection {
  Extent m = 1;  // rows
  Extent k = 1;  // width in
  Extent n = 1;  // width out
  bool bias = false;
  bool tied = false;  // the matrix is another block's
};

// y[m, n] = x[m, k] * w[k, n] (+ b[n]): "mm", or "addmm" with a bias.
[[nodiscard]] Operator matmul(const LoweringContext& context, const Projection& projection);

// Vector-unit operations of an activation function for one element: relu 1, relu2 2, gelu and
// gelu_tanh 8, silu and swish 5, tanh 6, sigmoid 4, identity 0.
[[nodiscard]] double activation_cost(std::string_view kind);

// Every activation kind the engine knows.
[[nodiscard]] const std::vector<std::string>& activation_kinds();

// The operators of an activation function over one shape; none for identity.
[[nodiscard]] std::vector<Operator> activation_operators(std::string_view kind,
                                                         const LoweringContext& context,
                                                         const std::vector<Extent>& shape);

}  // namespace roofbeam
