#include "engine/base/dtype.h"

#include <array>

namespace roofbeam {
namespace {

struct Row {
  Dtype dtype;
  std::string_view name;
  double bytes;
};

constexpr std::array kRows{
    Row{Dtype::fp32, "fp32", 4},    Row{Dtype::bf16, "bf16", 2},   Row{Dtype::fp16, "fp16", 2},
    Row{Dtype::fp8, "fp8", 1},      Row{Dtype::int8, "int8", 1},   Row{Dtype::int4, "int4", 0.5},
    Row{Dtype::fp4, "fp4", 0.5},    Row{Dtype::int32, "int32", 4}, Row{Dtype::int64, "int64", 8},
    Row{Dtype::boolean, "bool", 1}, Row{Dtype::uint8, "uint8", 1}, Row{Dtype::e8m0, "e8m0", 1},
};

constexpr bool rows_follow_the_enum() {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (static_cast<std::size_t>(kRows[i].dtype) != i) return false;
  return true;
}
static_assert(rows_follow_the_enum());

}  // namespace

double bytes_per_element(Dtype dtype) { return kRows[static_cast<std::size_t>(dtype)].bytes; }

std::string_view name(Dtype dtype) { return kRows[static_cast<std::size_t>(dtype)].name; }

std::optional<Dtype> dtype_named(std::string_view name) {
  for (const Row& row : kRows)
    if (row.name == name) return row.dtype;
  return std::nullopt;
}

}  // namespace roofbeam
