#include "engine/device/operator_time.h"

#include <gtest/gtest.h>

namespace roofbeam {
namespace {

// 1.6 TiB/s at 60%.
constexpr double kTestBandwidth = 1.6 * 1024 * 1024 * 1024 * 1024 * 0.6;

Operator cast(Extent rows, Extent width) {
  return {.name = "_to_copy",
          .reads = {{.dtype = Dtype::fp16, .shape = {1, rows, width}}},
          .writes = {{.dtype = Dtype::fp32, .shape = {1, rows, width}}}};
}

OperatorTime priced(const Operator& op, std::string_view device = "TEST_DEVICE") {
  Missing missing;
  return operator_time(op, *device_named(device), missing);
}

TEST(OperatorTime, TrafficAndTheVectorUnitsStart) {
  const OperatorTime time = priced(cast(7000, 5120));
  const double elements = 7000.0 * 5120;
  EXPECT_DOUBLE_EQ(time.total.value, elements * (2 + 4) / kTestBandwidth + 2e-6);
  EXPECT_NEAR(time.total.value, 0.00020572681319713592, 1e-18);
  EXPECT_EQ(bound_of(time), Bound::memory);
}

TEST(OperatorTime, ComputeBoundWorkPaysTheMatrixUnitsStart) {
  const Tensor x{.dtype = Dtype::int8, .shape = {7000, 5120}};
  const Operator op{.name = "static_quant_linear",
                    .reads = {x, {.dtype = Dtype::int8, .shape = {5120, 8192}}},
                    .writes = {{.dtype = Dtype::fp16, .shape = {7000, 8192}}},
                    .work = matrix_work(x, {2.0 * 7000 * 5120 * 8192})};
  const OperatorTime time = priced(op);
  EXPECT_DOUBLE_EQ(time.total.value, 2.0 * 7000 * 5120 * 8192 / (707.8e12 * 0.7) + 5e-6);
  EXPECT_EQ(bound_of(time), Bound::matrix);
}

TEST(OperatorTime, AnUnsupportedFormatLeavesTheTrafficAndIsSaid) {
  const Tensor x{.dtype = Dtype::fp8, .shape = {128, 128}};
  const Operator op{
      .name = "fp8_linear", .reads = {x}, .writes = {x}, .work = matrix_work(x, {1e12})};
  Missing missing;
  const DeviceProfile a2 = *device_named("ATLAS_800_A2_376T_64G");
  const OperatorTime time = operator_time(op, a2, missing);
  EXPECT_DOUBLE_EQ(time.total.value,
                   2 * 128.0 * 128 / kTestBandwidth + 2e-6);  // the vector unit's start
  EXPECT_EQ(missing.matrix, (std::vector<Dtype>{Dtype::fp8}));
  ASSERT_EQ(sentences(missing, a2).size(), 1u);
  EXPECT_NE(sentences(missing, a2).front().find("no matrix peak for fp8"), std::string::npos);
}

TEST(OperatorTime, KernelsOfSeveralStagesStartSeveralTimes) {
  Operator op = cast(1, 1);
  op.extra_static_costs = 15;
  EXPECT_DOUBLE_EQ(priced(op).static_cost.value, 16 * 2e-6);
}

TEST(OperatorTime, ViewsAndEmptyOperatorsTakeNoTime) {
  Operator view = cast(7000, 5120);
  view.view = true;
  EXPECT_EQ(priced(view).total.value, 0);
  EXPECT_EQ(priced(cast(0, 5120)).total.value, 0);
}

TEST(OperatorTime, ACollectiveTakesTheLongerOfLinkAndMemory) {
  const Tensor x{.dtype = Dtype::fp16, .shape = {25600, 2048}};
  const Operator op{.name = "all_reduce",
                    .reads = {x},
                    .writes = {x},
                    .collective = Collective{
                        .kind = CollectiveKind::all_reduce, .ranks = {0, 1, 2, 3}, .message = x}};
  const OperatorTime time = priced(op, "ATLAS_800_A3_752T_128G_DIE");
  EXPECT_NEAR(time.total.value, 0.001159402332361516, 1e-15);  // 1.149 ms on the ring and 10 us
  EXPECT_EQ(bound_of(time), Bound::communication);
  Operator alone = op;
  alone.collective->ranks = {0};
  const double memory = 2 * 25600.0 * 2048 * 2 / kTestBandwidth;
  EXPECT_DOUBLE_EQ(priced(alone, "ATLAS_800_A2_376T_64G").total.value, memory + 1e-5);
}

TEST(OperatorTime, WithoutAGridCollectivesAreSaidToBeLeftOut) {
  const Tensor x{.dtype = Dtype::fp16, .shape = {64, 64}};
  const Operator op{
      .name = "all_reduce",
      .reads = {x},
      .writes = {x},
      .collective = Collective{.kind = CollectiveKind::all_reduce, .ranks = {0, 1}, .message = x}};
  Missing missing;
  const DeviceProfile geforce = *device_named("rtx4090");
  EXPECT_EQ(operator_time(op, geforce, missing).communication.value, 0);
  EXPECT_TRUE(missing.grid);
  EXPECT_NE(sentences(missing, geforce).front().find("no communication grid"), std::string::npos);
}

TEST(OperatorTime, PartsRunSideBySide) {
  Operator fused{.name = "matmul_all_reduce"};
  fused.parts = {cast(7000, 5120), cast(700, 5120)};
  const OperatorTime time = priced(fused);
  EXPECT_EQ(time.total.value, priced(cast(7000, 5120)).total.value);
  EXPECT_DOUBLE_EQ(bound_parts(time).memory.value, 7700.0 * 5120 * 6 / kTestBandwidth);
}

TEST(OperatorTime, TiesAreMemorysThenCommunications) {
  OperatorTime time;
  EXPECT_EQ(bound_of(time), Bound::none);
  time.read = time.communication = time.matrix = {1};
  EXPECT_EQ(bound_of(time), Bound::memory);
  time.read = {0};
  EXPECT_EQ(bound_of(time), Bound::communication);
  time.communication = {0};
  time.vector = {1};
  EXPECT_EQ(bound_of(time), Bound::matrix);  // matrix >= vector
  time.vector = {1.5};
  EXPECT_EQ(bound_of(time), Bound::vector);
}

}  // namespace
}  // namespace roofbeam
