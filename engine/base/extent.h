#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace roofbeam {

// The size of one tensor axis, or a product of such sizes.
using Extent = std::int64_t;

// a * b, or nothing where the product does not fit 64 bits.
[[nodiscard]] std::optional<Extent> checked_product(Extent a, Extent b);

// The product of all extents (1 for none), or nothing where it does not fit 64 bits.
[[nodiscard]] std::optional<Extent> checked_product(std::span<const Extent> extents);

// a + b, or nothing where the sum does not fit 64 bits.
[[nodiscard]] std::optional<Extent> checked_sum(Extent a, Extent b);

}  // namespace roofbeam
