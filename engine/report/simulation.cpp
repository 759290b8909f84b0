#include "engine/report/simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "engine/base/text.h"

namespace roofbeam {
namespace {

constexpr double kBytesPerGiB = 1024.0 * 1024 * 1024;

// One line of the table.
struct Row {
  std::string name = {};
  Bound bound = Bound::none;
  std::string shapes = {};
  Seconds total = {};
  double calls = 0;
  BoundParts parts = {};
};

// "[1, 7000, 5120], [128]": the tensors among the arguments, those in lists left out.
std::string shapes_of(const Operator& op) {
  std::string text;
  std::size_t next = 0;
  const auto add = [&] {
    if (next >= op.reads.size()) return;
    text += text.empty() ? "[" : ", [";
    const std::vector<Extent>& shape = op.reads[next++].shape;
    for (std::size_t i = 0; i < shape.size(); ++i)
      text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    text += "]";
  };
  if (op.arguments.empty()) {
    while (next < op.reads.size()) add();
    return text;
  }
  int depth = 0;
  for (const char letter : op.arguments) {
    if (letter == '(') ++depth;
    if (letter == ')') --depth;
    if (letter != '%') continue;
    if (depth == 0)
      add();
    else
      ++next;
  }
  return text;
}

std::vector<Row> rows_of(const Simulation& simulation, const SimulationView& view,
                         std::size_t stage) {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> places;
  for (const PricedCall& call : simulation.calls) {
    if (static_cast<std::size_t>(call.stage) != stage) continue;
    Row row{.name = full_name(call.op->name)};
    if (view.bounds) row.bound = bound_of(call.time);
    if (view.input_shapes) row.shapes = shapes_of(*call.op);
    const std::string key = row.name + "\n" + std::string(name(row.bound)) + "\n" + row.shapes;
    const auto [place, added] = places.try_emplace(key, rows.size());
    if (added) rows.push_back(std::move(row));
    Row& sum = rows[place->second];
    const BoundParts parts = bound_parts(call.time);
    sum.total += call.calls * call.time.total;
    sum.calls += call.calls;
    sum.parts.memory += call.calls * parts.memory;
    sum.parts.communication += call.calls * parts.communication;
    sum.parts.matrix += call.calls * parts.matrix;
    sum.parts.vector += call.calls * parts.vector;
  }
  std::ranges::stable_sort(rows, [](const Row& a, const Row& b) { return a.total > b.total; });
  return rows;
}

std::array<double, 4> shares(const BoundParts& parts) {
  const double all = (parts.memory + parts.communication + parts.matrix + parts.vector).value;
  if (all == 0) return {};
  return {parts.memory.value / all, parts.communication.value / all, parts.matrix.value / all,
          parts.vector.value / all};
}

std::string time_text(Seconds time) {
  struct Unit {
    double from;
    double factor;
    const char* name;
  };
  constexpr std::array<Unit, 4> kUnits{
      {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}, {0, 1e9, "ns"}}};
  for (const Unit& unit : kUnits)
    if (time.value >= unit.from) return fixed(time.value * unit.factor, 3) + unit.name;
  return fixed(time.value, 3) + "s";
}

std::string percent(double share) { return fixed(100 * share, 2) + "%"; }

std::vector<std::string> header(const SimulationView& view) {
  std::vector<std::string> cells{"Name"};
  if (view.bounds) cells.push_back("Bound (analytic)");
  if (view.input_shapes) cells.push_back("Input Shapes");
  cells.insert(cells.end(), {"analytic total", "analytic avg"});
  if (view.bounds)
    cells.insert(cells.end(),
                 {"analytic memory %", "analytic comm %", "analytic mma %", "analytic gp %"});
  cells.push_back("# of Calls");
  return cells;
}

// Significant digits as C prints "%.4g".
std::string four_digits(double value) {
  if (!std::isfinite(value)) return "unknown";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

std::string operator_table(const Simulation& simulation, const SimulationView& view,
                           std::size_t stage) {
  const std::size_t left = 1 + (view.bounds ? 1 : 0) + (view.input_shapes ? 1 : 0);
  std::vector<std::vector<std::string>> lines{header(view)};
  for (const Row& row : rows_of(simulation, view, stage)) {
    std::vector<std::string> cells{row.name};
    if (view.bounds) cells.emplace_back(name(row.bound));
    if (view.input_shapes) cells.push_back(row.shapes);
    cells.push_back(time_text(row.total));
    cells.push_back(time_text(row.total / row.calls));
    if (view.bounds)
      for (const double share : shares(row.parts)) cells.push_back(percent(share));
    cells.push_back(shortest(row.calls));
    lines.push_back(std::move(cells));
  }
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string dashes;
  for (const std::size_t width : widths) dashes += std::string(width, '-') + "  ";
  dashes.resize(dashes.size() - 2);
  std::string text = dashes + "\n";
  for (std::size_t l = 0; l < lines.size(); ++l) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::size_t room = widths[i] - lines[l][i].size();
      const std::size_t before = l == 0 ? room / 2 : i < left ? 0 : room;
      line += (i > 0 ? "  " : "") + std::string(before, ' ') + lines[l][i] +
              std::string(room - before, ' ');
    }
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (l == 0) text += dashes + "\n";
  }
  return text + dashes + "\n";
}

std::string gigabytes(Bytes bytes) { return fixed(bytes.value / kBytesPerGiB, 3) + " GB"; }

// Statistics of one call under the reference's names; what is 0 is left out, as there.
class Statistics {
 public:
  Statistics(json::Writer& out, std::string prefix) : out_(out), prefix_(std::move(prefix)) {}
  void add(std::string_view key, double value) {
    if (value != 0) out_.key(prefix_ + std::string(key)).number(value);
  }
  void add(std::string_view key, std::string_view text) {
    if (!text.empty()) out_.key(prefix_ + std::string(key)).string(text);
  }

 private:
  json::Writer& out_;
  std::string prefix_;
};

std::string_view logarithmic_key(std::string_view algorithm_family) {
  if (algorithm_family == "all_reduce") return "estimated_tree_time_s";
  return algorithm_family == "all_to_all" ? "estimated_bruck_time_s" : "estimated_recursive_time_s";
}

void write_statistics(json::Writer& out, const Operator& op, const OperatorTime& time,
                      const std::string& prefix) {
  const bool part = !prefix.empty();
  Statistics stats(out, prefix);
  stats.add("memory_read_time_s", time.read.value);
  stats.add("memory_write_time_s", time.write.value);
  stats.add("memory_readwrite_time_s", time.update.value);
  stats.add(part ? "memory_access_time_s" : "MEMORY_ACCESS", time.memory().value);
  stats.add(part ? "compute_time_s" : "COMPUTE", time.compute().value);
  stats.add(part ? "mma_ops_time_s" : "MMA_OPS", time.matrix.value);
  stats.add(part ? "gp_ops_time_s" : "GP_OPS", time.vector.value);
  if (!time.is_collective) {
    stats.add("is_compute_bound", time.compute() > time.memory() ? 1 : 0);
    stats.add("static_cost_time_s", time.static_cost.value);
    return;
  }
  stats.add(part ? "comm_time_s" : "COMMUNICATION", time.communication.value);
  stats.add("algorithm", time.collective.algorithm);
  stats.add("message_size_bytes", time.message.value);
  stats.add("total_bytes_sent", time.exchange.sent.value);
  stats.add("total_bytes_received", time.exchange.received.value);
  stats.add("group_size", static_cast<double>(time.ranks));
  stats.add("latency_s", time.link.latency.value);
  stats.add("bandwidth_bytes_ps", time.link.bandwidth.value);
  stats.add(op.collective->kind == CollectiveKind::all_to_all ? "estimated_pairwise_time_s"
                                                              : "estimated_ring_time_s",
            time.collective.linear.value);
  stats.add(logarithmic_key(op.collective->kind == CollectiveKind::all_reduce   ? "all_reduce"
                            : op.collective->kind == CollectiveKind::all_to_all ? "all_to_all"
                                                                                : ""),
            time.collective.logarithmic.value);
}

void write_signatures(json::Writer& out, const Simulation& simulation) {
  struct Signature {
    const PricedCall* call;
    std::string inputs;
    std::string outputs;
    double calls = 0;
  };
  std::vector<Signature> signatures;
  std::map<std::string, std::size_t> places;
  for (const PricedCall& call : simulation.calls) {
    if (call.op->view || static_cast<std::size_t>(call.stage) + 1 != simulation.stages.size())
      continue;
    Signature signature{&call, signature_of_inputs(*call.op), signature_of_outputs(*call.op)};
    const std::string key =
        std::string(call.op->name) + "\n" + signature.inputs + "\n" + signature.outputs;
    const auto [place, added] = places.try_emplace(key, signatures.size());
    if (added) signatures.push_back(std::move(signature));
    signatures[place->second].calls += call.calls;
  }
  out.begin_array();
  for (const Signature& signature : signatures) {
    const Operator& op = *signature.call->op;
    const OperatorTime& time = signature.call->time;
    out.begin_array().string(full_name(op.name)).string(signature.inputs).string(signature.outputs);
    out.number(time.total.value).number(signature.calls).begin_object();
    if (op.parts.empty()) write_statistics(out, op, time, "");
    for (std::size_t i = 0; i < op.parts.size(); ++i)
      write_statistics(out, op.parts[i], time.parts[i], std::string(op.parts[i].name) + ".");
    out.end_object().end_array();
  }
  out.end_array();
}

}  // namespace

void write_json(json::Writer& out, const Simulation& simulation) {
  const StepMemory& memory = simulation.memory;
  out.begin_object();
  out.key("total_s").number(simulation.last_stage().compute.value);
  out.key("execution_time_s").number(simulation.execution.value);
  out.key("tps_per_device").number(simulation.tokens_per_second);
  out.key("memory").begin_object();
  out.key("total_bytes").number(simulation.device.memory.value);
  out.key("weights_bytes").number(memory.weights.value);
  out.key("kv_bytes").number(memory.cache.value);
  out.key("indexer_bytes").number(memory.indexer_cache.value);
  out.key("activation_bytes").number(memory.activations.value);
  out.key("activation_liveness_bytes").number(memory.live_activations.value);
  out.key("reserved_bytes").number(simulation.reserved.value);
  out.key("available_bytes").number(simulation.available().value);
  out.end_object();
  out.key("bounds").begin_object();
  out.key("memory_bound_s").number(simulation.bounds.memory.value);
  out.key("communication_bound_s").number(simulation.bounds.communication.value);
  out.key("compute_bound_mma_s").number(simulation.bounds.matrix.value);
  out.key("compute_bound_gp_s").number(simulation.bounds.vector.value);
  out.end_object();
  const auto write_operators = [&](const StageTotals& stage) {
    out.begin_array();
    for (const OperatorTotal& op : stage.operators) {
      out.begin_object().key("name").string(op.name).key("total_s").number(op.total.value);
      out.key("avg_s").number(op.total.value / op.calls).key("calls").number(op.calls).end_object();
    }
    out.end_array();
  };
  out.key("stages").begin_array();
  for (const StageTotals& stage : simulation.stages) {
    out.begin_object()
        .key("compute_s")
        .number(stage.compute.value)
        .key("outgoing_s")
        .number(stage.outgoing.value);
    out.key("ops");
    write_operators(stage);
    out.end_object();
  }
  out.end_array();
  out.key("ops");
  write_operators(simulation.last_stage());
  out.key("signatures");
  write_signatures(out, simulation);
  out.key("warnings").begin_array();
  for (const std::string& warning : simulation.warnings) out.string(warning);
  out.end_array().end_object();
}

std::string simulation_text(const Simulation& simulation, const SimulationView& view) {
  std::string text;
  for (std::size_t i = 0; i < simulation.stages.size(); ++i) {
    if (simulation.stages.size() > 1) text += "PP Stage " + std::to_string(i) + "\n";
    text += operator_table(simulation, view, i);
    text += "Total time for analytic: " + time_text(simulation.stages[i].compute) + "\n";
  }
  text += "[analytic] Execution time: " + fixed(simulation.execution.value, 6) + " s\n";
  text += "[analytic] TPS/Device: " + four_digits(simulation.tokens_per_second) + " token/s\n";
  if (simulation.stages.size() > 1)
    for (std::size_t i = 0; i < simulation.stages.size(); ++i)
      text += "[analytic] stage " + std::to_string(i) +
              ": compute=" + time_text(simulation.stages[i].compute) +
              " outgoing_comm=" + time_text(simulation.stages[i].outgoing) +
              " total=" + time_text(simulation.stages[i].compute + simulation.stages[i].outgoing) +
              "\n";
  const StepMemory& memory = simulation.memory;
  text += "Total device memory: " + gigabytes(simulation.device.memory) + "\n";
  text += "  Model weight size: " + gigabytes(memory.weights) + "\n";
  text += "  KV cache: " + gigabytes(memory.cache) + "\n";
  text += "  Model activation size: " + gigabytes(memory.activations) + "\n";
  text += "  Live activations: " + gigabytes(memory.live_activations) +
          "  (the line above frees a buffer once for every view of it and so reports too little)\n";
  text += "  Reserved memory: " + gigabytes(simulation.reserved) + "\n";
  text += "  Memory available: " + gigabytes(simulation.available()) +
          "  (with the larger of both activations)\n";
  const BoundTotals& bounds = simulation.bounds;
  const auto share = shares({bounds.memory, bounds.communication, bounds.matrix, bounds.vector});
  text += "Stats breakdowns:\n  analytic_OpBound: memory_bound: " + fixed(100 * share[0], 2) +
          ", communication_bound: " + fixed(100 * share[1], 2) +
          ", compute_bound_mma: " + fixed(100 * share[2], 2) +
          ", compute_bound_gp: " + fixed(100 * share[3], 2) + "\n";
  return text;
}

std::string simulation_csv(const Simulation& simulation, const SimulationView& view) {
  std::string text = simulation.stages.size() > 1 ? "stage,name" : "name";
  if (view.bounds) text += ",bound";
  if (view.input_shapes) text += ",input_shapes";
  text += ",total_s,avg_s";
  if (view.bounds) text += ",memory_share,communication_share,matrix_share,vector_share";
  text += ",calls\n";
  for (std::size_t stage = 0; stage < simulation.stages.size(); ++stage)
    for (const Row& row : rows_of(simulation, view, stage)) {
      if (simulation.stages.size() > 1) text += std::to_string(stage) + ",";
      text += row.name;
      if (view.bounds) text += "," + std::string(name(row.bound));
      if (view.input_shapes) text += ",\"" + row.shapes + "\"";
      text += "," + shortest(row.total.value) + "," + shortest(row.total.value / row.calls);
      if (view.bounds)
        for (const double share : shares(row.parts)) text += "," + shortest(share);
      text += "," + shortest(row.calls) + "\n";
    }
  return text;
}

}  // namespace roofbeam
