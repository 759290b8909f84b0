#include <gtest/gtest.h>

#include "engine/program/kinds.h"
#include "engine/program/program.h"

namespace roofbeam {
namespace {

Tensor tensor(Dtype dtype, std::vector<Extent> shape) {
  return {.dtype = dtype, .shape = std::move(shape)};
}

TEST(Signatures, NameOperatorsInFull) {
  EXPECT_EQ(full_name("mul"), "aten.mul.Tensor");
  EXPECT_EQ(full_name("attention"), "tensor_cast.attention.default");
  EXPECT_EQ(full_name("selective_scan"), "roofbeam.selective_scan");
}

TEST(Signatures, ShowFormatsShapesAndScalars) {
  const Operator sum =
      plain("add", {tensor(Dtype::fp32, {1, 7, 1})}, tensor(Dtype::fp32, {1, 7, 1}), "%,1e-06");
  EXPECT_EQ(signature_of_inputs(sum), "f32[1,7,1],1e-06");
  EXPECT_EQ(signature_of_outputs(sum), "f32[1,7,1]");
  const Operator product = plain("mul", {tensor(Dtype::fp16, {4}), tensor(Dtype::fp16, {3, 4})},
                                 tensor(Dtype::fp16, {3, 4}));
  EXPECT_EQ(signature_of_inputs(product), "f16[4],f16[3,4]");
}

TEST(Signatures, ShortenLongLists) {
  const Tensor part = tensor(Dtype::fp16, {1, 8});
  const auto joined = [&](std::size_t parts) {
    return plain("cat", std::vector<Tensor>(parts, part), tensor(Dtype::fp16, {9, 8}),
                 list_argument(parts) + ",-1");
  };
  EXPECT_EQ(signature_of_inputs(joined(2)), "(f16[1,8];f16[1,8]),-1");
  EXPECT_EQ(signature_of_inputs(joined(17)), "(f16[1,8];..x17),-1");
}

TEST(Signatures, ListSeveralResults) {
  const Operator op = dynamic_quantize_symmetric(
      tensor(Dtype::fp16, {2, 8}), tensor(Dtype::int8, {2, 8}), tensor(Dtype::fp32, {}));
  EXPECT_EQ(signature_of_inputs(op), "f16[2,8],()");
  EXPECT_EQ(signature_of_outputs(op), "(i8[2,8];f32[])");
}

}  // namespace
}  // namespace roofbeam
