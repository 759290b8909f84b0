#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/blocks/operator.h"
#include "engine/device/collective.h"
#include "engine/device/profile.h"

namespace roofbeam {

// What the time of one operator is made of. All parts but `static_cost` belong to the roofline.
struct OperatorTime {
  Seconds total;
  Seconds read;  // memory traffic by direction
  Seconds write;
  Seconds update;  // of what is changed in place
  Seconds matrix;
  Seconds vector;
  Seconds communication;
  Seconds static_cost;
  bool is_collective = false;
  // Of a collective: the algorithm and its terms.
  CollectiveTime collective;
  Bytes message;
  Exchange exchange;  // all_to_all
  Link link;
  std::size_t ranks = 0;
  // Of kernels side by side: each one's own, in order.
  std::vector<OperatorTime> parts;

  [[nodiscard]] Seconds memory() const { return read + write + update; }
  [[nodiscard]] Seconds compute() const { return matrix + vector; }
};

// What a profile lacks for an operator and what the time then leaves out, noted once each.
struct Missing {
  std::vector<Dtype> matrix;  // formats without a matrix peak: only the traffic is priced
  std::vector<Dtype> vector;
  bool grid = false;  // collectives without a grid: only the traffic is priced
};

// Roofline with static costs. With bw = bandwidth * memory_efficiency and e = compute_efficiency,
//   t_matrix = sum over formats of matrix work / (matrix peak * e), t_vector likewise,
//   t_memory = (bytes read + written + updated) / bw,
//   t = max(t_matrix + t_vector, t_memory), a collective's max(communication, t_memory)
// and, where t is not 0, one static cost more for the start and each of `extra_static_costs`: that
// of the matrix unit if the device has a peak for some matrix work, a collective's, or the vector
// unit's. Views take no time. Parts run side by side: t is the longest part's total.
[[nodiscard]] OperatorTime operator_time(const Operator& op, const DeviceProfile& device,
                                         Missing& missing);

// Which part of the device holds an operator up.
enum class Bound : std::uint8_t { none, memory, communication, matrix, vector };

// "memory_bound", "communication_bound", "compute_bound_mma", "compute_bound_gp", "unknown_bound":
// as the tables print it.
[[nodiscard]] std::string_view name(Bound bound);

// The largest of memory, communication and compute, ties in that order; compute is `matrix` where
// that is at least `vector`. Static costs don't count.
[[nodiscard]] Bound bound_of(const OperatorTime& time);

// Whole-operator parts for ratios, sums of the parts of kernels side by side.
struct BoundParts {
  Seconds memory;
  Seconds communication;
  Seconds matrix;
  Seconds vector;
};
[[nodiscard]] BoundParts bound_parts(const OperatorTime& time);

// One sentence for each thing that is missing.
[[nodiscard]] std::vector<std::string> sentences(const Missing& missing,
                                                 const DeviceProfile& device);

}  // namespace roofbeam
