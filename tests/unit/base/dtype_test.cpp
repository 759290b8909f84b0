#include "engine/base/dtype.h"

#include <gtest/gtest.h>

namespace roofbeam {
namespace {

struct Case {
  Dtype dtype;
  const char* name;
  double bytes;
};

constexpr Case kCases[] = {
    {Dtype::fp32, "fp32", 4},    {Dtype::bf16, "bf16", 2},   {Dtype::fp16, "fp16", 2},
    {Dtype::fp8, "fp8", 1},      {Dtype::int8, "int8", 1},   {Dtype::int4, "int4", 0.5},
    {Dtype::fp4, "fp4", 0.5},    {Dtype::int32, "int32", 4}, {Dtype::int64, "int64", 8},
    {Dtype::boolean, "bool", 1}, {Dtype::uint8, "uint8", 1}, {Dtype::e8m0, "e8m0", 1},
};

TEST(DtypeTable, NamesAndSizes) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(name(c.dtype), c.name);
    EXPECT_EQ(bytes_per_element(c.dtype), c.bytes);
    EXPECT_EQ(dtype_named(c.name), c.dtype);
  }
}

TEST(DtypeTable, UnknownNames) {
  for (const char* unknown : {"", "BF16", "float32", "fp", "boolean", "bf16 "})
    EXPECT_EQ(dtype_named(unknown), std::nullopt) << unknown;
}

}  // namespace
}  // namespace roofbeam
