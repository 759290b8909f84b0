#include "engine/simulate/simulate.h"

#include <algorithm>
#include <map>

namespace roofbeam {
namespace {

void add_bound(const OperatorTime& time, double calls, BoundTotals& totals) {
  const BoundParts parts = bound_parts(time);
  switch (bound_of(time)) {
    case Bound::none:
      return;
    case Bound::memory:
      totals.memory += calls * parts.memory;
      return;
    case Bound::communication:
      totals.communication += calls * parts.communication;
      return;
    case Bound::matrix:
    case Bound::vector:
      totals.matrix += calls * parts.matrix;
      totals.vector += calls * parts.vector;
      return;
  }
}

void price(Simulation& simulation) {
  Missing missing;
  const auto add = [&](const Operator& op, double calls, int stage, std::string_view segment) {
    simulation.calls.push_back(
        {&op, operator_time(op, simulation.device, missing), calls, stage, segment});
  };
  const StagedProgram& program = simulation.program;
  for (std::size_t s = 0; s < program.stages.size(); ++s) {
    const auto stage = static_cast<int>(s);
    for (const Segment& segment : program.stages[s].segments)
      for (const Operator& op : segment.operators)
        add(op, static_cast<double>(segment.copies), stage, segment.name);
    simulation.stages.emplace_back();
    if (s < program.transfers.size())
      simulation.stages.back().outgoing =
          operator_time(program.transfers[s], simulation.device, missing).total;
  }
  for (std::string& sentence : sentences(missing, simulation.device))
    simulation.warnings.push_back(std::move(sentence));
}

void sum_up(Simulation& simulation) {
  std::vector<std::map<std::string_view, std::size_t>> rows(simulation.stages.size());
  for (const PricedCall& call : simulation.calls) {
    const auto index = static_cast<std::size_t>(call.stage);
    StageTotals& stage = simulation.stages[index];
    const auto [row, added] = rows[index].try_emplace(call.op->name, stage.operators.size());
    if (added)
      stage.operators.push_back({.name = full_name(call.op->name), .total = {}, .calls = 0});
    OperatorTotal& total = stage.operators[row->second];
    const Seconds time = call.calls * call.time.total;
    total.total += time;
    total.calls += call.calls;
    stage.compute += time;
    add_bound(call.time, call.calls, simulation.bounds);
  }
  for (StageTotals& stage : simulation.stages) {
    std::ranges::stable_sort(stage.operators,
                             [](const auto& a, const auto& b) { return a.total > b.total; });
    simulation.execution += stage.compute + stage.outgoing;
  }
}

}  // namespace

Bytes Simulation::available() const {
  return device.memory - memory.weights - memory.cache -
         std::max(memory.activations, memory.live_activations) - reserved;
}

Result<Simulation> simulate(const Elaboration& design,
                            const std::optional<FrameworkConfig>& framework,
                            const TextWorkload& workload, const DeviceProfile& device) {
  Result<ResolvedWorkload> resolved = resolve(workload, design, device);
  if (!resolved) return resolved.errors();
  Result<StagedProgram> program = build_program(design, framework, resolved->step);
  if (!program) return program.errors();
  Simulation simulation;
  simulation.program = *std::move(program);
  simulation.workload = *std::move(resolved);
  simulation.warnings = simulation.workload.warnings;
  simulation.device = device;
  simulation.reserved = workload.reserved;
  price(simulation);
  sum_up(simulation);
  for (const Program& stage : simulation.program.stages) {
    const StepMemory memory = step_memory(stage);
    if (memory.peak() > simulation.memory.peak()) simulation.memory = memory;
    std::size_t counted = 0;
    for (const std::string& path : stage.priced_by_default)
      if (counted++ < 20)
        simulation.warnings.push_back(
            path +
            " has no formula of its own: its operators are priced by the bytes they "
            "move and their matrix work");
  }
  simulation.tokens_per_second =
      static_cast<double>(workload.queries) * static_cast<double>(workload.query_length) /
      (simulation.execution.value * static_cast<double>(workload.devices));
  return simulation;
}

}  // namespace roofbeam
