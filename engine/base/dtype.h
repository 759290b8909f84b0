#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace roofbeam {

// Storage formats of tensor elements.
enum class Dtype : std::uint8_t {
  fp32,
  bf16,
  fp16,
  fp8,
  int8,
  int4,
  fp4,
  int32,
  int64,
  boolean,
  uint8,  // two packed 4-bit weights
  e8m0    // an 8-bit exponent: the scale of a group of 4-bit floats
};

// Bytes one element takes: 4-bit formats half a byte, without scales.
[[nodiscard]] double bytes_per_element(Dtype dtype);

// "bf16", ...; the name used in JSON, on the command line and in tables.
[[nodiscard]] std::string_view name(Dtype dtype);

// The format of that name, or nothing.
[[nodiscard]] std::optional<Dtype> dtype_named(std::string_view name);

}  // namespace roofbeam
