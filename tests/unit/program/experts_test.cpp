#include "engine/program/experts.h"

#include <gtest/gtest.h>

#include <numeric>

#include "engine/program/shard.h"

namespace roofbeam {
namespace {

using Rows = std::vector<std::int64_t>;

// 8 tokens to 8 of 128 experts on 4 ranks: one row each for the first 64 experts.
TEST(RoutedRows, GoToTheFirstExpertsWhereThereAreFew) {
  const RoutedRows rows =
      routed_rows(8, {.experts = 128, .top_k = 8}, {.ep = contiguous_group(0, 4)});
  EXPECT_EQ(rows.rows, 64);
  EXPECT_EQ(rows.sent, (Rows{32, 32, 0, 0}));
  EXPECT_EQ(rows.received, (Rows{32, 32, 32, 32}));
  EXPECT_EQ(rows.experts, Rows(32, 1));
}

TEST(RoutedRows, KeepExpertsWithoutRows) {
  const RoutedRows rows = routed_rows(1, {.experts = 8, .top_k = 3}, {});
  EXPECT_EQ(rows.experts, (Rows{1, 1, 1, 0, 0, 0, 0, 0}));
}

// 4 tokens, 2 ranks for the shared experts, 266 routed ones on 14: 19 each.
TEST(RoutedRows, GiveExternalSharedExpertsEveryToken) {
  const RoutedRows rows =
      routed_rows(4, {.experts = 256, .top_k = 8},
                  {.ep = contiguous_group(2, 16), .redundant = 10, .external = 2});
  EXPECT_EQ(rows.rows, 36);
  EXPECT_EQ(rows.sent, (Rows{2, 2, 19, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(rows.received, Rows(16, 19));
}

TEST(RoutedRows, AreNeitherLostNorAdded) {
  for (const Extent tokens : {1, 7, 64, 1000})
    for (const std::int64_t ranks : {1, 3, 8}) {
      const RoutedRows rows =
          routed_rows(tokens, {.experts = 60, .top_k = 4}, {.ep = contiguous_group(0, ranks)});
      EXPECT_EQ(std::accumulate(rows.sent.begin(), rows.sent.end(), std::int64_t{0}), 4 * tokens);
      EXPECT_EQ(std::accumulate(rows.experts.begin(), rows.experts.end(), std::int64_t{0}),
                rows.sent[0]);
    }
}

}  // namespace
}  // namespace roofbeam
