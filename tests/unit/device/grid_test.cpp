#include "engine/device/grid.h"

#include <gtest/gtest.h>

#include "engine/device/collective.h"
#include "engine/device/profile.h"

namespace roofbeam {
namespace {

using Place = std::vector<std::int64_t>;

const Grid& grid_of(std::string_view id) {
  for (const DeviceProfile& device : built_in_devices())
    if (device.id == id) return *device.grid;
  ADD_FAILURE() << id;
  return *built_in_devices().front().grid;
}

std::vector<std::int64_t> first_ranks(std::int64_t count, std::int64_t stride = 1) {
  std::vector<std::int64_t> ranks;
  for (std::int64_t i = 0; i < count; ++i) ranks.push_back(i * stride);
  return ranks;
}

TEST(Grid, TheInnermostDimensionCountsFastest) {
  const Grid& grid = grid_of("ATLAS_800_A3_752T_128G_DIE");  // 48 x 8 x 2
  EXPECT_EQ(coordinates(grid, 0), (Place{0, 0, 0}));
  EXPECT_EQ(coordinates(grid, 1), (Place{0, 0, 1}));
  EXPECT_EQ(coordinates(grid, 15), (Place{0, 7, 1}));
  EXPECT_EQ(coordinates(grid, 16), (Place{1, 0, 0}));
  EXPECT_EQ(coordinates(grid, 767), (Place{47, 7, 1}));
}

TEST(Grid, AGroupUsesTheOutermostLinkItCrosses) {
  const Grid& grid = grid_of("ATLAS_800_A3_752T_128G_DIE");
  EXPECT_EQ(level_between(grid, Place{0, 1}), 2u);  // two dies
  EXPECT_EQ(level_between(grid, Place{0, 2}), 1u);  // two boards
  EXPECT_EQ(level_between(grid, first_ranks(16)), 1u);
  EXPECT_EQ(level_between(grid, first_ranks(17)), 0u);
  EXPECT_EQ(level_between(grid, Place{3, 3}), 2u);  // the same place: the innermost
}

TEST(Grid, AFullMeshLendsAGroupItsOwnLinks) {
  const Grid& grid = grid_of("TEST_DEVICE");  // 256 x 8, the 8 a full mesh of 196 GB/s
  const std::vector<std::int64_t> four = first_ranks(4);
  EXPECT_DOUBLE_EQ(link_of(grid, four).bandwidth.value, 196e9 * 0.7 * 3 / 7);
  EXPECT_DOUBLE_EQ(link_of(grid, first_ranks(8)).bandwidth.value, 196e9 * 0.7);
  EXPECT_DOUBLE_EQ(link_of(grid, first_ranks(16)).bandwidth.value, 50e9 * 0.7);  // switched
  EXPECT_DOUBLE_EQ(link_of(grid, first_ranks(4)).latency.value, 1.3e-6);
  EXPECT_DOUBLE_EQ(point_to_point(grid, 0, 3).bandwidth.value, 196e9 * 0.7);
}

TEST(Collective, ALargeAllReduceGoesRoundTheRing) {
  // f16[25600, 2048] over ranks 0 to 3 of A3 boards: 137.2 GB/s, 0.5 us a step
  const Link link = link_of(grid_of("ATLAS_800_A3_752T_128G_DIE"), first_ranks(4));
  const double m = 25600.0 * 2048 * 2;
  const CollectiveTime time = collective_time(CollectiveKind::all_reduce, {m}, 4, link);
  EXPECT_EQ(time.algorithm, "ring");
  EXPECT_NEAR(time.time.value, 0.001149402332361516, 1e-15);
  EXPECT_NEAR(time.linear.value, 2 * 3 * 0.5e-6 + 2 * 3 * m / (4 * 137.2e9), 1e-12);
  EXPECT_NEAR(time.logarithmic.value, 0.0015305364431486882, 1e-15);
}

TEST(Collective, ASmallOneClimbsTheTree) {
  // f16[64, 5120] over 8 ranks at 137.2 GB/s
  const Link link = link_of(grid_of("ATLAS_800_A2_376T_64G"), first_ranks(8));
  const CollectiveTime time = collective_time(CollectiveKind::all_reduce, {655360}, 8, link);
  EXPECT_EQ(time.algorithm, "tree");
  EXPECT_NEAR(time.time.value, 1.2553352769679301e-05, 1e-18);
  EXPECT_NEAR(time.linear.value, 1.5359183673469388e-05, 1e-18);
}

TEST(Collective, GatherAndScatterDoubleAndHalve) {
  const Link a2 = link_of(grid_of("ATLAS_800_A2_376T_64G"), first_ranks(8));
  const CollectiveTime gather = collective_time(CollectiveKind::all_gather, {81920}, 8, a2);
  EXPECT_EQ(gather.algorithm, "recursive_doubling");
  EXPECT_NEAR(gather.time.value, 5.679591836734695e-06, 1e-18);  // 3 * 0.5 us + 7 M / B
  EXPECT_NEAR(gather.linear.value, 7.679591836734694e-06, 1e-18);
  const Link four = link_of(grid_of("ATLAS_800_A2_376T_64G"), first_ranks(4));
  const CollectiveTime scatter =
      collective_time(CollectiveKind::reduce_scatter, {33554432}, 4, four);
  EXPECT_EQ(scatter.algorithm, "recursive_halving");
  EXPECT_NEAR(scatter.time.value, 0.00042899020408163275, 1e-15);  // 2 * 0.5 us + 3 M / (4 B)
}

TEST(Collective, TiesGoToTheLogarithmicAlgorithm) {
  const CollectiveTime pair =
      collective_time(CollectiveKind::all_gather, {1000}, 2, {{1e-6}, {1e9}});
  EXPECT_EQ(pair.algorithm, "recursive_doubling");
  EXPECT_DOUBLE_EQ(pair.time.value, 1e-6 + 1000 / 1e9);
  const CollectiveTime three = collective_time(CollectiveKind::all_to_all, {0}, 3, {{1e-6}, {1e9}});
  EXPECT_NEAR(three.time.value, 1.5849625007211562e-6, 1e-18);  // log2(3)
}

TEST(Collective, OneRankAndAnEmptyTransferTakeNoTime) {
  EXPECT_EQ(collective_time(CollectiveKind::all_reduce, {1e9}, 1, {{1e-6}, {1e9}}).time.value, 0);
  EXPECT_EQ(collective_time(CollectiveKind::send_receive, {0}, 2, {{1e-6}, {1e9}}).time.value, 0);
  EXPECT_DOUBLE_EQ(
      collective_time(CollectiveKind::send_receive, {1000}, 2, {{1e-6}, {1e9}}).time.value, 2e-6);
}

TEST(Collective, AnExchangeLeavesOutWhatStays) {
  // fp16 (16, 8), four rows to each of four ranks: 12 rows of 8 halves leave and arrive
  const Exchange even = exchanged(16 * 8, 2, {4, 4, 4, 4}, {4, 4, 4, 4}, 0);
  EXPECT_EQ(even.sent.value, 12 * 8 * 2);
  EXPECT_EQ(even.received.value, 12 * 8 * 2);
  // sixteen rows stay, fifteen ranks send sixteen each
  const std::vector<std::int64_t> in{16, 0, 0};
  const Exchange uneven = exchanged(16 * 3072, 2, in, {16, 16, 16}, 0);
  EXPECT_EQ(uneven.sent.value, 0);
  EXPECT_EQ(uneven.received.value, 32 * 3072 * 2);
  EXPECT_EQ(exchanged(0, 2, {0, 0}, {0, 0}, 0).sent.value, 0);
}

}  // namespace
}  // namespace roofbeam
