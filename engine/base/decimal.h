#pragma once

#include <cstdint>

namespace roofbeam {

// digits * 10^exponent, where the last digit is not 0.
struct Decimal {
  std::uint64_t digits;
  int exponent;
};

// The decimal of fewest digits that lies nearer to `value` than to any other double; the nearest to
// `value` among those. Requires a finite value above zero.
//
// Schubfach (Raffaello Giulietti, "The Schubfach way to render doubles", 2020), with the powers of
// ten made from a table of 24 instead of 617. The standard library's to_chars gives the same digits
// from tables that take 54 KB of compressed WebAssembly.
[[nodiscard]] Decimal shortest_decimal(double value);

}  // namespace roofbeam
