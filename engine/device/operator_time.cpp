#include "engine/device/operator_time.h"

#include <algorithm>

namespace roofbeam {
namespace {

template <class T>
void note(std::vector<T>& list, T item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

void add_traffic(const Operator& op, const DeviceProfile& device, OperatorTime& time) {
  Bytes read = op.beside.read;
  Bytes written = op.beside.written;
  Bytes updated = op.beside.updated;
  for (const Tensor& tensor : op.reads) (tensor.updated ? updated : read) += traffic(tensor);
  for (const Tensor& tensor : op.writes) written += traffic(tensor);
  const BytesPerSecond reached = device.bandwidth * device.memory_efficiency;
  time.read = read / reached;
  time.write = written / reached;
  time.update = updated / reached;
}

void add_collective(const Collective& collective, const DeviceProfile& device, OperatorTime& time,
                    Missing& missing) {
  time.is_collective = true;
  time.ranks = collective.ranks.size();
  time.message = bytes(collective.message);
  if (collective.kind == CollectiveKind::all_to_all) {
    time.exchange =
        exchanged(elements(collective.message), bytes_per_element(collective.message.dtype),
                  collective.in_splits, collective.out_splits, collective.me);
    time.message = std::max(time.exchange.sent, time.exchange.received);
  }
  if (collective.ranks.size() <= 1) return;
  if (!device.grid) {
    missing.grid = true;
    return;
  }
  time.link = collective.kind == CollectiveKind::send_receive
                  ? point_to_point(*device.grid, collective.ranks.front(), collective.ranks.back())
                  : link_of(*device.grid, collective.ranks);
  time.collective =
      collective_time(collective.kind, time.message, collective.ranks.size(), time.link);
  time.communication = time.collective.time;
}

// Whether some of the matrix work has a peak.
bool add_work(const Operator& op, const DeviceProfile& device, OperatorTime& time,
              Missing& missing) {
  bool on_matrix_unit = false;
  for (const Work& work : op.work) {
    if (work.matrix.value > 0) {
      if (const auto peak = device.matrix_peaks.of(work.dtype)) {
        time.matrix += work.matrix / (*peak * device.compute_efficiency);
        on_matrix_unit = true;
      } else {
        note(missing.matrix, work.dtype);
      }
    }
    if (work.elementwise.value > 0) {
      if (const auto peak = device.vector_peaks.of(work.dtype))
        time.vector += work.elementwise / (*peak * device.compute_efficiency);
      else
        note(missing.vector, work.dtype);
    }
  }
  return on_matrix_unit;
}

}  // namespace

OperatorTime operator_time(const Operator& op, const DeviceProfile& device, Missing& missing) {
  OperatorTime time;
  if (op.view) return time;
  if (!op.parts.empty()) {
    for (const Operator& part : op.parts) {
      time.parts.push_back(operator_time(part, device, missing));
      time.total = std::max(time.total, time.parts.back().total);
    }
    return time;
  }
  if (op.collective && op.collective->kind == CollectiveKind::send_receive) {
    add_collective(*op.collective, device, time, missing);
    if (time.message.value == 0) return time;
    time.static_cost = device.static_costs.collective;
    time.total = time.communication + time.static_cost;
    return time;
  }
  add_traffic(op, device, time);
  if (op.collective) {
    add_collective(*op.collective, device, time, missing);
    time.static_cost = device.static_costs.collective;
    time.total = std::max(time.communication, time.memory()) + time.static_cost;
    return time;
  }
  const bool on_matrix_unit = add_work(op, device, time, missing);
  time.total = std::max(time.compute(), time.memory());
  if (time.total.value == 0) return time;
  time.static_cost = (1.0 + op.extra_static_costs) *
                     (on_matrix_unit ? device.static_costs.matrix : device.static_costs.vector);
  time.total += time.static_cost;
  return time;
}

std::string_view name(Bound bound) {
  switch (bound) {
    case Bound::none:
      return "unknown_bound";
    case Bound::memory:
      return "memory_bound";
    case Bound::communication:
      return "communication_bound";
    case Bound::matrix:
      return "compute_bound_mma";
    case Bound::vector:
      return "compute_bound_gp";
  }
  return "unknown_bound";
}

BoundParts bound_parts(const OperatorTime& time) {
  BoundParts sum{time.memory(), time.communication, time.matrix, time.vector};
  for (const OperatorTime& part : time.parts) {
    const BoundParts parts = bound_parts(part);
    sum.memory += parts.memory;
    sum.communication += parts.communication;
    sum.matrix += parts.matrix;
    sum.vector += parts.vector;
  }
  return sum;
}

Bound bound_of(const OperatorTime& time) {
  const BoundParts parts = bound_parts(time);
  const Seconds compute = parts.matrix + parts.vector;
  const Seconds largest = std::max({parts.memory, parts.communication, compute});
  if (largest.value == 0) return Bound::none;
  if (parts.memory == largest) return Bound::memory;
  if (parts.communication == largest) return Bound::communication;
  return parts.matrix >= parts.vector ? Bound::matrix : Bound::vector;
}

std::vector<std::string> sentences(const Missing& missing, const DeviceProfile& device) {
  std::vector<std::string> all;
  for (const Dtype dtype : missing.matrix)
    all.push_back(device.id + " has no matrix peak for " + std::string(name(dtype)) +
                  ": matrix work in it is left out, and such operators take the time of their "
                  "memory traffic.");
  for (const Dtype dtype : missing.vector)
    all.push_back(device.id + " has no vector peak for " + std::string(name(dtype)) +
                  ": elementwise work in it is left out, and such operators take the time of their "
                  "memory traffic.");
  if (missing.grid)
    all.push_back(
        device.id +
        " has no communication grid: collectives take the time of their memory traffic alone.");
  return all;
}

}  // namespace roofbeam
