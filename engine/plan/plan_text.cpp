#include "engine/base/text.h"
#include "engine/plan/plan.h"

namespace roofbeam {

std::string plan_summary(const Plan& plan, bool names_micro_batch) {
  const ParallelLayout& layout = plan.layout;
  std::vector<std::string> degrees;
  const auto degree = [&](const char* name, std::int64_t size) {
    if (size > 1) degrees.push_back(name + (" " + std::to_string(size)));
  };
  degree("DP", layout.dp);
  degree("TP", layout.tp);
  degree("PP", layout.pp);
  degree("EP", layout.ep);
  std::vector<std::string> parts{degrees.empty() ? "one device" : join(degrees, " x ")};
  if (layout.zero > 0) parts.push_back("ZeRO-" + std::to_string(layout.zero));
  if (layout.sequence_parallel) parts.push_back("sequence parallel");
  if (plan.recompute == Recompute::selective) parts.push_back("selective recompute");
  if (plan.recompute == Recompute::full) parts.push_back("full recompute");
  if (names_micro_batch) parts.push_back("micro-batch " + shortest(plan.micro_batch));
  return join(parts, ", ");
}

std::vector<std::string> plan_notes(const Plan& plan) {
  const ParallelLayout& layout = plan.layout;
  std::vector<std::string> notes;
  if (layout.tp > 1)
    notes.push_back(
        "TP " + std::to_string(layout.tp) +
        (layout.sequence_parallel
             ? ": each layer gathers and scatters its activations twice a pass, within a node."
             : ": each layer sums its activations with two all-reduces a pass, within a node."));
  if (layout.pp > 1)
    notes.push_back("PP " + std::to_string(layout.pp) + ": stages idle for " +
                    std::to_string(layout.pp - 1) +
                    " of every m micro-batches' time; take many a step.");
  if (layout.ep > 1)
    notes.push_back(
        "EP " + std::to_string(layout.ep) +
        ": tokens travel to their experts and back, two all-to-alls a sparse layer and pass.");
  if (layout.zero == 3)
    notes.push_back("ZeRO-3: weights are gathered before every layer, forward and backward.");
  if (plan.recompute == Recompute::selective)
    notes.push_back("Selective recompute repeats attention's inside only.");
  if (plan.recompute == Recompute::full)
    notes.push_back(
        "Full recompute runs every layer's forward pass twice: about a third more compute.");
  if (plan.used > 0.85 && plan.used <= 1)
    notes.push_back("It fills " + fixed(100 * plan.used, 0) +
                    "% of the budget: a longer sequence or a fragmented allocator may not fit.");
  return notes;
}

}  // namespace roofbeam
