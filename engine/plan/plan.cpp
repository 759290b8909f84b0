#include "engine/plan/plan.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "engine/analysis/widths.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

std::vector<std::int64_t> divisors_up_to(std::int64_t number, std::int64_t most) {
  std::vector<std::int64_t> small;
  std::vector<std::int64_t> large;
  for (std::int64_t d = 1; d * d <= number; ++d) {
    if (number % d != 0) continue;
    if (d <= most) small.push_back(d);
    if (d * d != number && number / d <= most) large.push_back(number / d);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

// The most stages a pipeline can have: the longest stack of equal layers.
std::int64_t largest_repeat(const Elaboration& design) {
  double largest = 1;
  for (const Instance& instance : design.instances)
    if (instance.spec->type == "repeat")
      largest = std::max(largest, instance.arguments.number("count"));
  constexpr double kMost = 1e9;
  return static_cast<std::int64_t>(std::min(largest, kMost));
}

// What decides a candidate's memory, beside its layout.
struct Setting {
  Recompute recompute;
  double micro_batch;
  Bytes activations;
};

// How much a plan asks of whoever runs it: recomputed work, exchanged weights, traffic within
// layers, bubbles, and a budget filled so far that a fragmented allocator may fail.
double demand_of(const Plan& plan) {
  constexpr double kComfortable = 0.85;  // share of the budget
  const ParallelLayout& layout = plan.layout;
  double demand = plan.recompute == Recompute::full        ? 5
                  : plan.recompute == Recompute::selective ? 2
                                                           : 0;
  demand += layout.zero;
  demand += 2 * std::log2(static_cast<double>(layout.tp));
  demand += 1.5 * std::log2(static_cast<double>(layout.ep));
  demand += 4 * std::log2(static_cast<double>(layout.pp));
  if (layout.sequence_parallel) demand += 0.5;
  if (plan.used > kComfortable) demand += 3 * (plan.used - kComfortable) / (1 - kComfortable);
  return demand;
}

class Search {
 public:
  Search(const Elaboration& design, const PlanRequest& request)
      : request_(request), params_(count_parameters(design)) {
    tps_ = divisors_up_to(request.gpus, request.gpus_per_node);
    pps_ = divisors_up_to(request.gpus, largest_repeat(design));
    eps_ = params_.expert > 0 ? divisors_up_to(request.gpus, request.gpus)
                              : std::vector<std::int64_t>{1};
  }

  [[nodiscard]] const ParameterCount& params() const { return params_; }

  // Calls `visit` for every layout, in the order that breaks ties; stops where it says false.
  template <class Visit>
  void each_layout(Visit visit) const {
    for (const std::int64_t tp : tps_)
      for (const std::int64_t pp : pps_)
        for (const std::int64_t ep : eps_) {
          if (tp * pp > request_.gpus || request_.gpus % (tp * pp) != 0) break;
          const std::int64_t rest = request_.gpus / (tp * pp);
          if (ep > rest) break;
          if (rest % ep != 0) continue;
          ParallelLayout layout{.dp = rest / ep, .tp = tp, .pp = pp, .ep = ep};
          for (layout.zero = 0; layout.zero <= (layout.dp == 1 ? 0 : 3); ++layout.zero)
            for (const bool sequence_parallel : {false, true}) {
              if (sequence_parallel && tp == 1) break;
              layout.sequence_parallel = sequence_parallel;
              if (!visit(layout)) return;
            }
        }
  }

 private:
  const PlanRequest& request_;
  ParameterCount params_;
  std::vector<std::int64_t> tps_, pps_, eps_;
};

// Keeps the first of those that differ in nothing a device would notice: selective recompute where
// attention is fused anyway, for one.
void drop_equal(std::vector<Plan>& plans) {
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, int, bool, double>;
  std::set<Key> seen;
  std::erase_if(plans, [&](const Plan& plan) {
    const ParallelLayout& layout = plan.layout;
    return !seen.insert({layout.dp, layout.tp, layout.pp, layout.ep, layout.zero,
                         layout.sequence_parallel, round_half_up(plan.memory.total().value)})
                .second;
  });
}

}  // namespace

Result<PlanSearch> search_plans(const Elaboration& design, const OperatingPointOptions& options,
                                const DeviceProfile& device, const PlanRequest& request) {
  const Search search(design, request);
  OperatingPoint point = resolve(options, design, device, search.params().non_embedding_active());
  const std::vector<double> micro_batches =
      request.micro_batches.empty() ? std::vector<double>{point.B} : request.micro_batches;
  const auto settings_count =
      static_cast<std::int64_t>(request.recomputes.size() * micro_batches.size());

  PlanSearch result;
  result.point = point;
  search.each_layout([&](const ParallelLayout&) {
    result.considered += settings_count;
    return result.considered <= kMaxPlans;
  });
  if (result.considered > kMaxPlans)
    return Diagnostic{.code = "plan.too_many",
                      .path = "",
                      .message = "there are more than " + std::to_string(kMaxPlans) +
                                 " plans for " + std::to_string(request.gpus) + " devices",
                      .hint = "give fewer micro-batches, one recompute setting or smaller nodes"};

  std::vector<Setting> settings;
  for (const Recompute recompute : request.recomputes)
    for (const double micro_batch : micro_batches) {
      point.recompute = recompute;
      point.B = micro_batch;
      settings.push_back({recompute, micro_batch,
                          saved_activations(design, point).total + cast_weights(design, point)});
    }

  result.budget = (1 - request.headroom) * device.memory;
  const OptimizerBytes bytes = optimizer_bytes(point.optimizer, uses_autocast(point));
  search.each_layout([&](const ParallelLayout& layout) {
    for (const Setting& setting : settings) {
      Plan plan{
          .layout = layout, .recompute = setting.recompute, .micro_batch = setting.micro_batch};
      plan.memory = memory_per_gpu(search.params(), bytes, setting.activations, layout);
      plan.used = plan.memory.total() / result.budget;
      if (plan.used <= 1) {
        plan.demand = demand_of(plan);
        result.fits.push_back(plan);
      } else if (!result.closest || plan.used < result.closest->used) {
        result.closest = plan;
      }
    }
    return true;
  });

  std::stable_sort(result.fits.begin(), result.fits.end(), [](const Plan& a, const Plan& b) {
    return std::tie(a.demand, a.used) < std::tie(b.demand, b.used);
  });
  drop_equal(result.fits);
  result.fit_count = static_cast<std::int64_t>(result.fits.size());
  if (result.fits.size() > request.limit) result.fits.resize(request.limit);

  if (search.params().expert == 0)
    result.notes.push_back("Expert parallelism is not searched: the design has no experts.");
  if (result.fits.empty() && result.closest)
    result.notes.push_back("Nothing fits. The nearest is " +
                           plan_summary(*result.closest, micro_batches.size() > 1) + ", at " +
                           fixed(100 * result.closest->used, 0) + "% of the budget.");
  return result;
}

}  // namespace roofbeam
