#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/analysis.h"
#include "engine/base/result.h"

namespace roofbeam {

// What to search: every way of splitting a training run over `gpus` devices.
struct PlanRequest {
  std::int64_t gpus = 1;
  std::int64_t gpus_per_node = 8;  // bounds tensor parallelism, which wants the fast link of a node
  double headroom = 0.1;  // share of the memory left to allocator and communication, below 1
  std::vector<double> micro_batches = {};  // sequences a device trains at once; empty: the point's B
  std::vector<Recompute> recomputes{Recompute::none, Recompute::selective, Recompute::full};
  std::size_t limit = 8;  // plans to return
};

// One way of training the design.
struct Plan {
  ParallelLayout layout;
  Recompute recompute = Recompute::none;
  double micro_batch = 1;
  MemoryPerGpu memory = {};
  double used = 0;    // of the budget; fits up to 1
  double demand = 0;  // how much it asks of whoever runs it: the order of the plans
};

struct PlanSearch {
  OperatingPoint point;  // lengths, dtypes, optimizer, device; layout and recompute are each plan's
  Bytes budget;          // the device's memory without the headroom
  std::int64_t considered = 0;
  std::int64_t fit_count = 0;   // without those that equal another in layout and bytes
  std::vector<Plan> fits;       // least demanding first, at most `limit`
  std::optional<Plan> closest;  // of those that do not fit, the one that lacks least
  std::vector<std::string> notes;
};

// The most candidates a search prices.
inline constexpr std::int64_t kMaxPlans = 1'000'000;

// Prices every layout: TP over the divisors of gpus up to a node, PP up to the largest repeat, EP
// where there are experts, DP with what is left, ZeRO 0 to 3 where DP > 1, sequence parallelism
// where TP > 1, each recompute setting, each micro-batch. Memory is analysis' per GPU; the analysis
// is made once a recompute setting and micro-batch. Errors: plan.too_many (over kMaxPlans).
[[nodiscard]] Result<PlanSearch> search_plans(const Elaboration& design,
                                              const OperatingPointOptions& options,
                                              const DeviceProfile& device,
                                              const PlanRequest& request);

// "DP 32 x TP 2, ZeRO-1, sequence parallel, full recompute"; "one device" where nothing is split.
// The micro-batch is named where several were searched.
[[nodiscard]] std::string plan_summary(const Plan& plan, bool names_micro_batch);

// What running it costs that bytes do not show, one sentence each.
[[nodiscard]] std::vector<std::string> plan_notes(const Plan& plan);

}  // namespace roofbeam
