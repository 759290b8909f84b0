#include "engine/algebra/attention_mask.h"

#include <algorithm>
#include <array>

#include "engine/algebra/sampling.h"

namespace roofbeam {
namespace {

constexpr std::int64_t kQueries = 128;
constexpr std::int64_t kKeys = 512;
constexpr std::int64_t kHeads = 8;
constexpr std::int64_t kRows = 4;
constexpr std::int64_t kStart = 128;      // what "at the start" looks at
constexpr std::int64_t kSearched = 2048;  // positions searched for queries without keys
constexpr std::int64_t kMostTries = 4'000'000;

// A few heads, evenly apart and always the same: what the checks look at.
std::vector<std::int64_t> checked(std::int64_t count, std::int64_t most) {
  std::vector<std::int64_t> picks;
  const std::int64_t taken = std::min(count, most);
  for (std::int64_t i = 0; i < taken; ++i) picks.push_back(i * count / taken);
  return picks;
}

// Looks for a key that a query keeps.
class KeySearch {
 public:
  KeySearch(MaskEvaluator& mask, std::int64_t tries) : mask_(mask), tries_(tries) {}

  // Among these keys of the query set, the last ones first.
  bool finds(PositionRange keys) {
    constexpr std::int64_t kTriedOneByOne = 16;
    if (tries_ <= 0) return true;
    if (keys.last - keys.first < kTriedOneByOne) {
      tries_ -= keys.last - keys.first + 1;
      for (std::int64_t key = keys.last; key >= keys.first; --key) {
        if (mask_.keeps(key)) return true;
      }
      return false;
    }
    --tries_;
    const Kept kept = mask_.kept(keys.first, keys.last);
    if (kept != Kept::some) return kept == Kept::all;
    const std::int64_t middle = keys.first + (keys.last - keys.first) / 2;
    return finds({middle + 1, keys.last}) || finds({keys.first, middle});
  }

 private:
  MaskEvaluator& mask_;
  std::int64_t tries_;
};

}  // namespace

PositionRange keys_of(const AttentionExtent& extent, std::int64_t query) {
  const bool windowed = extent.window > 0;
  return {windowed ? std::max<std::int64_t>(0, query - extent.window + 1) : 0,
          extent.causal ? query : extent.length - 1};
}

double pairs_of(const AttentionExtent& extent) {
  // With n tokens and a window of w <= n, w - 1 queries see 1, 2, ... keys behind them and the
  // others w; a query's own position is counted among those.
  const auto n = static_cast<double>(extent.length);
  const auto w = static_cast<double>(extent.window > 0 ? std::min(extent.window, extent.length)
                                                       : extent.length);
  const double backward = w * (w - 1) / 2 + (n - w + 1) * w;
  return extent.causal ? backward : backward + n * (n - 1) / 2;
}

bool reads_head(const Mask& mask) {
  const std::vector<AttentionNode>& nodes = mask.expression.folded;
  return std::ranges::find(nodes, AttentionOp::head, &AttentionNode::op) != nodes.end();
}

bool reads_batch(const Mask& mask) {
  // A table's first index is the batch row.
  const std::vector<AttentionNode>& nodes = mask.expression.folded;
  return std::ranges::count(nodes, AttentionOp::batch, &AttentionNode::op) >
         std::ranges::count(nodes, AttentionOp::table, &AttentionNode::op);
}

double kept_share(const Mask& mask, const AttentionExtent& extent) {
  Sampler sampler(mask.expression.text);
  MaskEvaluator evaluator(mask);
  const bool by_head = reads_head(mask);
  const std::vector<std::int64_t> rows =
      sampler.spread(reads_batch(mask) ? extent.batch : 1, kRows);
  const std::vector<std::int64_t> heads = sampler.spread(by_head ? extent.heads : 1, kHeads);
  const std::int64_t query_budget = by_head ? kQueries / 2 : kQueries;
  const std::int64_t key_budget = by_head ? kKeys / 4 : kKeys;

  double kept = 0;
  double total = 0;
  for (const std::int64_t row : rows) {
    for (const std::int64_t head : heads) {
      evaluator.set_row(static_cast<double>(row), static_cast<double>(head));
      for (const std::int64_t query : sampler.spread(extent.length, query_budget)) {
        evaluator.set_query(query);
        const PositionRange keys = keys_of(extent, query);
        const std::int64_t span = keys.last - keys.first + 1;
        const std::int64_t picks = std::min(span, key_budget);
        std::int64_t hits = 0;
        sampler.visit_spread(span, key_budget, [&](std::int64_t pick) {
          hits += evaluator.keeps(keys.first + pick) ? 1 : 0;
        });
        // A query counts as much as it has keys, however few of them were looked at.
        kept += static_cast<double>(hits * span) / static_cast<double>(picks);
        total += static_cast<double>(span);
      }
    }
  }
  return kept / total;
}

bool keeps_nothing_at_start(const Mask& mask, const AttentionExtent& extent) {
  MaskEvaluator evaluator(mask);
  for (const std::int64_t row : checked(reads_batch(mask) ? extent.batch : 1, kRows)) {
    for (const std::int64_t head : checked(reads_head(mask) ? extent.heads : 1, kHeads)) {
      evaluator.set_row(static_cast<double>(row), static_cast<double>(head));
      for (std::int64_t query = 0; query < std::min(extent.length, kStart); ++query) {
        evaluator.set_query(query);
        const PositionRange keys = keys_of(extent, query);
        for (std::int64_t key = keys.first; key <= std::min(keys.last, kStart - 1); ++key) {
          if (evaluator.keeps(key)) return false;
        }
      }
    }
  }
  return true;
}

std::vector<PositionRange> queries_without_keys(const Mask& mask, const AttentionExtent& extent,
                                                std::size_t most) {
  MaskEvaluator evaluator(mask);
  KeySearch search(evaluator, kMostTries);
  const std::vector<std::int64_t> heads = checked(reads_head(mask) ? extent.heads : 1, kHeads);
  std::vector<PositionRange> ranges;
  for (std::int64_t query = 0; query < std::min(extent.length, kSearched); ++query) {
    const PositionRange keys = keys_of(extent, query);
    const bool served = std::ranges::all_of(heads, [&](std::int64_t head) {
      evaluator.set_row(0, static_cast<double>(head));
      evaluator.set_query(query);
      if (evaluator.keeps(query)) return true;
      evaluator.set_queries(query, query);
      const bool has_ahead = keys.last > query;
      return search.finds({keys.first, query}) ||
             (has_ahead && search.finds({query + 1, keys.last}));
    });
    if (served) continue;
    if (!ranges.empty() && ranges.back().last == query - 1) {
      ranges.back().last = query;
    } else if (ranges.size() == most) {
      break;
    } else {
      ranges.push_back({query, query});
    }
  }
  return ranges;
}

std::vector<double> kept_grid(const Mask& mask, const AttentionExtent& extent, std::int64_t head,
                              const DocumentRow& documents) {
  constexpr std::int64_t kPoints = 8;  // a side of a cell
  constexpr std::int64_t kSide = kGridCells * kPoints;
  // The middle of each of the side's equal parts.
  const auto position = [&](std::int64_t point) {
    return static_cast<std::int64_t>((static_cast<double>(point) + 0.5) / kSide *
                                     static_cast<double>(extent.length));
  };
  MaskEvaluator evaluator(mask);
  evaluator.set_row(0, static_cast<double>(head), documents);
  std::vector<double> cells(kGridCells * kGridCells);
  for (std::int64_t down = 0; down < kSide; ++down) {
    const std::int64_t query = position(down);
    const PositionRange keys = keys_of(extent, query);
    evaluator.set_query(query);
    for (std::int64_t right = 0; right < kSide; ++right) {
      const std::int64_t key = position(right);
      if (key < keys.first || key > keys.last || !evaluator.keeps(key)) continue;
      cells[static_cast<std::size_t>(down / kPoints * kGridCells + right / kPoints)] +=
          1.0 / (kPoints * kPoints);
    }
  }
  return cells;
}

}  // namespace roofbeam
