#include "engine/analysis/widths.h"

#include <algorithm>

namespace roofbeam {
namespace {

constexpr double kHalfBytes = 2;
constexpr double kSingleBytes = 4;

}  // namespace

bool uses_autocast(const OperatingPoint& point) {
  return point.precision == Precision::autocast && bytes_per_element(point.dtype) < kSingleBytes;
}

TensorWidths::TensorWidths(const Elaboration& design, const OperatingPoint& point)
    : autocast_(uses_autocast(point)), uniform_(bytes_per_element(point.dtype)) {
  if (autocast_) spread(design);
}

// Widths only grow along wires, so passes in graph order settle: the second pass carries what a
// repeat's body returns back to its entry, a third finds nothing new unless repeats nest.
void TensorWidths::spread(const Elaboration& design) {
  widths_.resize(design.instances.size());
  for (InstanceId id = 0; id < design.instances.size(); ++id)
    widths_[id].assign(design.instances[id].outputs.size(), kHalfBytes);
  const auto reaching = [&](const InputState& input) {
    return input.producer ? widths_[input.producer->instance][input.producer->port] : kHalfBytes;
  };
  bool changed = true;
  const auto raise = [&](InstanceId id, std::size_t port, double width) {
    if (widths_[id][port] >= width) return;
    widths_[id][port] = width;
    changed = true;
  };
  while (changed) {
    changed = false;
    for (const InstanceId id : design.order) {
      const Instance& instance = design.instances[id];
      if (instance.spec->kind != BlockKind::primitive) {
        // Outside, what reaches the exit; at the entry, what comes from outside and, in a repeat,
        // what the body returns.
        for (std::size_t port = 0; port < instance.outputs.size(); ++port) {
          if (instance.boundary_out == kNoInstance) break;
          const Instance& exit = design.instances[instance.boundary_out];
          const auto inner = exit.input(instance.ports().outputs[port].name);
          if (inner) raise(id, port, reaching(exit.inputs[*inner]));
        }
        if (instance.boundary_in == kNoInstance) continue;
        const Instance& entry = design.instances[instance.boundary_in];
        for (std::size_t port = 0; port < entry.outputs.size(); ++port) {
          const std::string& name = entry.ports().outputs[port].name;
          if (const auto outer = instance.input(name))
            raise(instance.boundary_in, port, reaching(instance.inputs[*outer]));
          const auto returned = instance.output(name);
          if (returned && instance.spec->type == "repeat")
            raise(instance.boundary_in, port, widths_[id][*returned]);
        }
        continue;
      }
      if (instance.spec->type == "boundary_in" || instance.spec->type == "input") continue;
      double width = kHalfBytes;
      if (instance.spec->autocast == Autocast::single) width = kSingleBytes;
      if (instance.spec->autocast == Autocast::widest_input)
        for (const InputState& input : instance.inputs) width = std::max(width, reaching(input));
      for (std::size_t port = 0; port < instance.outputs.size(); ++port) raise(id, port, width);
    }
  }
}

double TensorWidths::of(const Endpoint& endpoint) const {
  return autocast_ ? widths_[endpoint.instance][endpoint.port] : uniform_;
}

double TensorWidths::read_by(const Instance& reader, double kept) const {
  if (!autocast_) return kept;
  return reader.spec->autocast == Autocast::half ? std::min(kept, kHalfBytes) : kept;
}

double TensorWidths::layer_inputs() const { return autocast_ ? kSingleBytes : uniform_; }

}  // namespace roofbeam
