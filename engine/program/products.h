#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/program/kinds.h"

namespace roofbeam {

// A linear layer as it is called: mm, addmm or one of the quantized products.
struct Product {
  std::string_view name = {};
  Tensor x = {}, w = {}, y = {};
  std::optional<Tensor> x_scale = {}, w_scale = {};
  std::optional<Tensor> bias = {};
};

// None where `op` is another operator.
[[nodiscard]] std::optional<Product> product_of(const Operator& op);
[[nodiscard]] Operator operator_of(const Product& product);

// Products side by side, one an expert, as one operator: work and bytes of all, started once. The
// result is that of all experts' rows, one below the other.
[[nodiscard]] Operator grouped_product(const std::vector<Product>& products, const Tensor& y);

// The same with swiglu(gate, up) of each product's two halves behind it, 7 operations an element
// (6 for silu, 1 for the product) in the format of the result.
[[nodiscard]] Operator grouped_swiglu(const std::vector<Product>& products, const Tensor& y);

}  // namespace roofbeam
