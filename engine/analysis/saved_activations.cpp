#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "engine/analysis/training_memory.h"
#include "engine/analysis/widths.h"
#include "engine/analysis/work.h"

namespace roofbeam {
namespace {

// How many elements of a shape belong to one position of one sequence, and how often a length
// multiplies them: a `B H T T` score matrix has its length twice.
struct PositionElements {
  double elements = 1;
  int target_powers = 0;
  int source_powers = 0;
};

PositionElements per_position(const SymbolicShape& shape, const Elaboration& design) {
  const SymbolId target = *design.scope.find("T");
  const SymbolId source = design.has_source ? *design.scope.find("S") : target;
  PositionElements result;
  for (const Polynomial& axis : shape) {
    double size = 0;
    int most_target = 0;
    int most_source = 0;
    for (const Term& term : axis.terms()) {
      double value = term.coefficient.value();
      int target_power = 0;
      int source_power = 0;
      for (const Power& power : term.powers) {
        if (!design.scope.is_runtime(power.symbol)) {
          value *= std::pow(design.scope.value(power.symbol), power.exponent);
        } else if (power.symbol == target) {
          target_power += power.exponent;
        } else if (power.symbol == source) {
          source_power += power.exponent;
        }
      }
      size += value;
      most_target = std::max(most_target, target_power);
      most_source = std::max(most_source, source_power);
    }
    result.elements *= size;
    result.target_powers += most_target;
    result.source_powers += most_source;
  }
  return result;
}

class Collector {
 public:
  Collector(const Elaboration& design, const OperatingPoint& point)
      : design_(design), point_(point), widths_(design, point) {}

  SavedActivations collect() && {
    for (const InstanceId id : design_.order) {
      const Instance& instance = design_.instances[id];
      const bool recomputed = point_.recompute == Recompute::full && instance.repeat != kNoInstance;
      if (recomputed) continue;
      if (point_.recompute == Recompute::full && instance.spec->type == "repeat") {
        keep_repeat_inputs(id);
        continue;
      }
      keep_inputs(id);
      keep_inside(id);
    }
    return std::move(result_);
  }

 private:
  // A tensor whose producer, seen from inside composites, is the outside of a repeat: every copy
  // reads the same one, so it is charged once.
  struct Source {
    Endpoint endpoint;
    double copies = 1;  // of the repeats it was followed out of
  };

  Source source_of(Endpoint endpoint) const {
    Source source{endpoint};
    Endpoint at = endpoint;
    while (true) {
      const Instance& entry = design_.instances[at.instance];
      if (entry.parent == kNoInstance || design_.instances[entry.parent].boundary_in != at.instance)
        return source;
      const Instance& owner = design_.instances[entry.parent];
      const std::string& port = entry.ports().outputs[at.port].name;
      const auto outer = owner.input(port);
      if (!outer || !owner.inputs[*outer].producer) return source;
      const bool broadcast = owner.spec->type == "repeat" && !owner.output(port);
      const bool through = owner.spec->type != "repeat";
      if (!broadcast && !through) return source;
      at = *owner.inputs[*outer].producer;
      if (broadcast) {
        source.copies *= owner.arguments.number("count");
        source.endpoint = at;
      }
    }
  }

  double bytes_of(const SymbolicShape& shape, double width) const {
    const PositionElements position = per_position(shape, design_);
    double positions = point_.B;
    if (position.target_powers == 0 && position.source_powers == 0) positions *= point_.T;
    for (int i = 0; i < position.target_powers; ++i) positions *= point_.T;
    for (int i = 0; i < position.source_powers; ++i) positions *= point_.S;
    return position.elements * width * positions;
  }

  void keep_inputs(InstanceId id) {
    const Instance& instance = design_.instances[id];
    for (const std::string& port : instance.spec->saves) {
      const auto index = instance.input(port);
      if (!index) continue;
      const InputState& input = instance.inputs[*index];
      if (!input.producer || !input.shape) continue;
      const Source source = source_of(*input.producer);
      const double kept = widths_.of(*input.producer);
      const double read = widths_.read_by(instance, kept);
      // A half-precision reader of an fp32 tensor keeps a cast copy of its own.
      const bool own_copy = read != kept;
      const Endpoint key = own_copy ? Endpoint{id, static_cast<std::uint32_t>(*index)} : source.endpoint;
      if (!seen_.insert(key_of(key, own_copy)).second) continue;
      const double bytes = bytes_of(*input.shape, read) * instance.active_copies / source.copies;
      const Instance& producer = design_.instances[source.endpoint.instance];
      add(source.endpoint.instance, producer.ports().outputs[source.endpoint.port].name, bytes);
    }
  }

  void keep_inside(InstanceId id) {
    const Instance& instance = design_.instances[id];
    const auto inside = instance.spec->forms.saves_inside;
    if (inside == nullptr) return;
    const Lengths lengths = lengths_of(instance, point_);
    const SavingContext context{.bytes_per_element = bytes_per_element(point_.dtype),
                                .fused_attention = point_.flash || point_.recompute == Recompute::selective,
                                .lengths = lengths};
    const double bytes = inside(instance.arguments, context).value * instance.active_copies *
                         point_.B * lengths.own;
    add(id, "", bytes);
    if (instance.spec->type == "lm_head") result_.logits += {bytes};
  }

  // Full recompute keeps what enters each layer: every input of the repeat at the repeat's own
  // length, whatever stream the input is of.
  void keep_repeat_inputs(InstanceId id) {
    const Instance& repeat = design_.instances[id];
    const double width = widths_.layer_inputs();
    const double positions = point_.B * lengths_of(repeat, point_).own;
    for (std::size_t port = 0; port < repeat.inputs.size(); ++port) {
      const InputState& input = repeat.inputs[port];
      if (!input.producer || !input.shape) continue;
      const double bytes = per_position(*input.shape, design_).elements * width * positions *
                           repeat.active_copies * repeat.arguments.number("count");
      add(id, repeat.ports().inputs[port].name, bytes);
    }
  }

  void add(InstanceId producer, const std::string& port, double bytes) {
    result_.total += {bytes};
    result_.by_tensor.push_back({producer, port, {bytes}});
    if (producer >= row_of_.size()) row_of_.resize(design_.instances.size(), 0);
    std::size_t& row = row_of_[producer];
    if (row == 0) {
      result_.by_path.push_back({producer, 0});
      row = result_.by_path.size();
    }
    result_.by_path[row - 1].amount += bytes;
  }

  static std::uint64_t key_of(const Endpoint& endpoint, bool own_copy) {
    return (static_cast<std::uint64_t>(endpoint.instance) << 32) |
           (static_cast<std::uint64_t>(endpoint.port) << 1) | static_cast<std::uint64_t>(own_copy);
  }

  const Elaboration& design_;
  const OperatingPoint& point_;
  TensorWidths widths_;
  SavedActivations result_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<std::size_t> row_of_;  // 1-based row of by_path for each instance
};

}  // namespace

SavedActivations saved_activations(const Elaboration& design, const OperatingPoint& point) {
  return Collector(design, point).collect();
}

}  // namespace roofbeam
