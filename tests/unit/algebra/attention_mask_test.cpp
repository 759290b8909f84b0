#include "engine/algebra/attention_mask.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/algebra/sampling.h"

namespace roofbeam {
namespace {

Mask mask(std::string_view text, double heads = 8) {
  const Scope scope;
  Result<Mask> read = parse_mask(text, {scope, heads});
  EXPECT_TRUE(read) << text << ": " << read.errors().front().message;
  return *std::move(read);
}

// Every pair of one head of one row, one by one.
double share_by_counting(const Mask& m, const AttentionExtent& extent, std::int64_t head) {
  double kept = 0;
  double total = 0;
  for (std::int64_t query = 0; query < extent.length; ++query) {
    const PositionRange keys = keys_of(extent, query);
    for (std::int64_t key = keys.first; key <= keys.last; ++key) {
      kept += evaluate(m.expression,
                       {.head = static_cast<double>(head),
                        .query = static_cast<double>(query),
                        .key = static_cast<double>(key)},
                       [](std::size_t, double, double) { return 0.0; });
      total += 1;
    }
  }
  return kept / total;
}

TEST(Sampling, SplitmixAndSeedsAreAsPublished) {
  // The first outputs of splitmix64 for seed 0.
  Sampler zero(std::uint64_t{0});
  EXPECT_EQ(zero.bits(), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(zero.bits(), 0x6E789E6AA1B965F4u);
  // The hash of "a": (basis xor 97) * prime.
  Sampler text("a");
  Sampler seed((1469598103934665603u ^ 97u) * 1099511628211u);
  EXPECT_EQ(text.bits(), seed.bits());
}

TEST(Sampling, SpreadTakesOnePickFromEachStratum) {
  Sampler sampler(std::uint64_t{3});
  EXPECT_EQ(sampler.spread(3, 5), (std::vector<std::int64_t>{0, 1, 2}));
  for (const std::int64_t count : {7, 1000, 1 << 20}) {
    const std::vector<std::int64_t> picks = sampler.spread(count, 6);
    ASSERT_EQ(picks.size(), 6u);
    for (std::size_t i = 0; i < picks.size(); ++i) {
      const double stratum = static_cast<double>(count) / 6;
      EXPECT_GE(static_cast<double>(picks[i]), std::floor(static_cast<double>(i) * stratum));
      EXPECT_LT(static_cast<double>(picks[i]), static_cast<double>(i + 1) * stratum);
    }
  }
}

TEST(AttentionMask, PairsInClosedForm) {
  for (const bool causal : {true, false}) {
    for (const std::int64_t window : {0, 1, 5, 12, 40}) {
      const AttentionExtent extent{.length = 12, .causal = causal, .window = window};
      double counted = 0;
      for (std::int64_t query = 0; query < extent.length; ++query) {
        const PositionRange keys = keys_of(extent, query);
        counted += static_cast<double>(keys.last - keys.first + 1);
      }
      EXPECT_EQ(pairs_of(extent), counted) << causal << " " << window;
    }
  }
}

TEST(AttentionMask, SamplingIsExactWhereItCoversEveryPair) {
  for (const char* text : {"q - kv < 7", "q % 3 == kv % 3", "kv < 10 or q - kv < 3 and kv > 40"}) {
    for (const bool causal : {true, false}) {
      for (const std::int64_t window : {0, 30}) {
        const AttentionExtent extent{.length = 100, .causal = causal, .window = window};
        EXPECT_NEAR(kept_share(mask(text), extent), share_by_counting(mask(text), extent, 0), 1e-12)
            << text;
      }
    }
  }
}

TEST(AttentionMask, SharesOfKnownMasks) {
  const AttentionExtent causal{.length = 8192, .heads = 32};
  const AttentionExtent both{.length = 8192, .causal = false, .heads = 32};
  const AttentionExtent windowed{.length = 8192, .window = 1024, .heads = 32};
  // A mask that says what causality says keeps all of it, and of every pair half: (T + 1)/(2T).
  EXPECT_EQ(kept_share(mask("kv <= q"), causal), 1);
  EXPECT_NEAR(kept_share(mask("kv <= q"), both), 8193.0 / (2 * 8192), 0.003);
  // A window as a mask keeps what the window would.
  EXPECT_NEAR(kept_share(mask("q - kv < 1024"), causal), pairs_of(windowed) / pairs_of(causal),
              0.001);
  EXPECT_EQ(kept_share(mask("q - kv < 1024"), windowed), 1);
  // One key of eight, and half of the heads.
  EXPECT_NEAR(kept_share(mask("kv % 8 == 3"), causal), 1.0 / 8, 0.003);
  EXPECT_NEAR(kept_share(mask("h < 4"), {.length = 64, .heads = 8}), 0.5, 1e-12);
  EXPECT_NEAR(kept_share(mask("h < 16"), causal), 0.5, 0.001);
  EXPECT_NEAR(kept_share(mask("b % 2 == 0"), {.length = 64, .batch = 4}), 0.5, 1e-12);
  // A row that is one document.
  EXPECT_EQ(kept_share(mask("doc(b, q) == doc(b, kv)"), causal), 1);
}

TEST(AttentionMask, SharesStayBetweenNothingAndAll) {
  for (const char* text : {"q < kv", "q != kv", "(q * 7 + kv * 3) % 11 < 4", "h % 2 == q % 2"}) {
    for (const std::int64_t length : {1, 2, 127, 128, 129, 1000, 1'000'000}) {
      const double share = kept_share(mask(text), {.length = length, .heads = 8});
      EXPECT_GE(share, 0) << text << length;
      EXPECT_LE(share, 1) << text << length;
    }
  }
}

TEST(AttentionMask, NoticesMasksThatKeepNothing) {
  const AttentionExtent extent{.length = 1024, .heads = 8};
  EXPECT_TRUE(keeps_nothing_at_start(mask("q - kv >= 512"), extent));
  EXPECT_TRUE(keeps_nothing_at_start(mask("q < kv"), extent));
  EXPECT_FALSE(keeps_nothing_at_start(mask("q < kv"), {.length = 1024, .causal = false}));
  EXPECT_FALSE(keeps_nothing_at_start(mask("q == 127 and kv == 0"), extent));
  EXPECT_TRUE(keeps_nothing_at_start(mask("q == 127 and kv == 0"), {.length = 64}));
  EXPECT_FALSE(keeps_nothing_at_start(mask("h == 7"), extent));
}

TEST(AttentionMask, FindsQueriesWithoutKeys) {
  const auto found = [](std::string_view text, const AttentionExtent& extent) {
    return queries_without_keys(mask(text), extent);
  };
  const AttentionExtent extent{.length = 1024, .heads = 8};
  EXPECT_EQ(found("q - kv >= 512", extent), (std::vector<PositionRange>{{0, 511}}));
  EXPECT_EQ(found("q - kv < 512", extent), std::vector<PositionRange>{});
  EXPECT_EQ(found("kv % 100 == 7", extent), (std::vector<PositionRange>{{0, 6}}));
  // Every other hundred of queries, and no more than four of those.
  EXPECT_EQ(found("floor(q / 100) % 2 == 0", extent),
            (std::vector<PositionRange>{{100, 199}, {300, 399}, {500, 599}, {700, 799}}));
  // One head is enough.
  EXPECT_EQ(found("h < 7 or kv > 20", extent), (std::vector<PositionRange>{{0, 20}}));
  // A key far behind or ahead is found.
  EXPECT_EQ(found("kv == 0", extent), std::vector<PositionRange>{});
  EXPECT_EQ(found("kv == 1023", {.length = 1024, .causal = false}), std::vector<PositionRange>{});
  EXPECT_EQ(found("q < kv", {.length = 1024, .causal = false}),
            (std::vector<PositionRange>{{1023, 1023}}));
}

TEST(AttentionMask, DrawsAGrid) {
  const AttentionExtent extent{.length = 256};  // each of 8 x 8 points of a cell is one pair
  const std::vector<double> cells = kept_grid(mask("q - kv < 8"), extent, 0);
  ASSERT_EQ(cells.size(), 32u * 32u);
  // On the diagonal 8 * 9 / 2 pairs of a cell, left of it those nearer than 8, 8 * 7 / 2.
  for (std::size_t i = 0; i < 32; ++i) {
    for (std::size_t j = 0; j < 32; ++j) {
      const double wanted = i == j ? 36.0 / 64 : i == j + 1 ? 28.0 / 64 : 0;
      EXPECT_EQ(cells[i * 32 + j], wanted) << i << " " << j;
    }
  }
  const std::vector<std::int64_t> starts = {128};
  const std::vector<double> packed =
      kept_grid(mask("doc(b, q) == doc(b, kv)"), extent, 0, {.starts = starts});
  EXPECT_EQ(packed[15 * 32 + 0], 1);
  EXPECT_EQ(packed[16 * 32 + 0], 0);
  EXPECT_EQ(packed[31 * 32 + 16], 1);
  // Its sum is the share of pairs, where the length is no multiple of the points.
  const AttentionExtent odd{.length = 1000, .causal = false};
  const std::vector<double> all = kept_grid(mask("kv <= q"), odd, 0);
  EXPECT_NEAR(std::accumulate(all.begin(), all.end(), 0.0) / (32 * 32), 0.5, 0.01);
}

}  // namespace
}  // namespace roofbeam
