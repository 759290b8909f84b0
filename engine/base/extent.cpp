#include "engine/base/extent.h"

namespace roofbeam {

std::optional<Extent> checked_product(Extent a, Extent b) {
  Extent product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::optional<Extent> checked_product(std::span<const Extent> extents) {
  std::optional<Extent> product = 1;
  for (const Extent extent : extents) {
    product = checked_product(*product, extent);
    if (!product) return std::nullopt;
  }
  return product;
}

std::optional<Extent> checked_sum(Extent a, Extent b) {
  Extent sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

}  // namespace roofbeam
