#include "engine/program/products.h"

#include <algorithm>
#include <string>
#include <utility>

namespace roofbeam {
namespace {

// How the products are called whose operands stand one behind another: what each reads beside x
// and w, and what its group is called.
struct ProductKind {
  std::string_view name;
  std::string_view grouped;
  std::string_view grouped_swiglu;
  bool x_scale_first;
};
constexpr ProductKind kQuantizedKinds[] = {
    {"static_quant_linear", "grouped_matmul_quant", "grouped_matmul_quant_swiglu", false},
    {"static_quant_linear_int4", "grouped_matmul_quant_int4", "grouped_matmul_quant_int4_swiglu",
     false},
    {"fp8_linear", "grouped_matmul_fp8", "grouped_matmul_fp8_swiglu", false},
    {"mxfp4_linear", "grouped_matmul_mxfp4", "grouped_matmul_mxfp4_swiglu", true},
};

const ProductKind* kind_named(std::string_view name) {
  const auto* found = std::ranges::find(kQuantizedKinds, name, &ProductKind::name);
  return found == std::end(kQuantizedKinds) ? nullptr : found;
}

std::string nones(std::size_t count) {
  constexpr std::size_t kListed = 16;  // as signatures write longer lists
  if (count > kListed) return "(None;..x" + std::to_string(count) + ")";
  std::string text = "(";
  for (std::size_t i = 0; i < count; ++i) text += i > 0 ? ";None" : "None";
  return text + ")";
}

void add_work(std::vector<Work>& sum, const Work& work) {
  const auto same = std::ranges::find(sum, work.dtype, &Work::dtype);
  if (same == sum.end()) {
    sum.push_back(work);
    return;
  }
  same->matrix += work.matrix;
  same->elementwise += work.elementwise;
}

}  // namespace

std::optional<Product> product_of(const Operator& op) {
  if (op.name == "mm")
    return Product{.name = op.name, .x = op.reads[0], .w = op.reads[1], .y = op.writes[0]};
  if (op.name == "addmm")
    return Product{.name = op.name,
                   .x = op.reads[1],
                   .w = op.reads[2],
                   .y = op.writes[0],
                   .bias = op.reads[0]};
  const ProductKind* kind = kind_named(op.name);
  if (kind == nullptr) return std::nullopt;
  Product product{.name = op.name, .x = op.reads[0], .w = op.reads[1], .y = op.writes[0]};
  product.x_scale = op.reads[kind->x_scale_first ? 2 : 3];
  product.w_scale = op.reads[kind->x_scale_first ? 3 : 2];
  if (op.reads.size() > 4) product.bias = op.reads[4];
  return product;
}

Operator operator_of(const Product& product) {
  if (product.x_scale && product.w_scale)
    return quantized_linear({.x = product.x,
                             .w = product.w,
                             .x_scale = *product.x_scale,
                             .w_scale = *product.w_scale,
                             .y = product.y,
                             .bias = product.bias});
  return product.bias ? addmm(*product.bias, product.x, product.w, product.y)
                      : mm(product.x, product.w, product.y);
}

Operator grouped_product(const std::vector<Product>& products, const Tensor& y) {
  const Product& first = products.front();
  const ProductKind* kind = kind_named(first.name);
  Operator result{.name = kind == nullptr ? "grouped_matmul" : kind->grouped, .writes = {y}};
  const auto add_list = [&](auto&& operand) {
    for (const Product& product : products) result.reads.push_back(operand(product));
    result.arguments += (result.arguments.empty() ? "" : ",") + list_argument(products.size());
  };
  const auto add_nones = [&] { result.arguments += "," + nones(products.size()); };
  add_list([](const Product& p) { return p.x; });
  add_list([](const Product& p) { return p.w; });
  if (kind != nullptr) {
    const auto x_scale = [](const Product& p) { return *p.x_scale; };
    const auto w_scale = [](const Product& p) { return *p.w_scale; };
    const bool has_offsets = first.name.starts_with("static_quant_linear");
    if (kind->x_scale_first) add_list(x_scale);
    add_list(w_scale);
    if (has_offsets) add_nones();
    if (!kind->x_scale_first) add_list(x_scale);
    if (has_offsets) add_nones();
  }
  if (first.bias)
    add_list([](const Product& p) { return *p.bias; });
  else
    add_nones();
  if (kind != nullptr) result.arguments += ",torch.float16";
  for (const Product& product : products)
    for (const Work& work : operator_of(product).work) add_work(result.work, work);
  return result;
}

Operator grouped_swiglu(const std::vector<Product>& products, const Tensor& y) {
  Operator result = grouped_product(products, y);
  const ProductKind* kind = kind_named(products.front().name);
  result.name = kind == nullptr ? "grouped_matmul_swiglu" : kind->grouped_swiglu;
  add_work(result.work, {y.dtype, {}, {7 * elements(y)}});
  return result;
}

}  // namespace roofbeam
