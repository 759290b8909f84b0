#include "engine/device/collective.h"

#include <cmath>
#include <numeric>

namespace roofbeam {

CollectiveTime collective_time(CollectiveKind kind, Bytes message, std::size_t ranks,
                               const Link& link) {
  if (ranks <= 1) return {};
  const auto n = static_cast<double>(ranks);
  const double steps = std::log2(n);
  CollectiveTime result;
  std::string_view linear;
  std::string_view logarithmic;
  switch (kind) {
    case CollectiveKind::all_reduce:
      linear = "ring";
      logarithmic = "tree";
      result.linear = 2 * (n - 1) * link.latency + 2 * (n - 1) * message / n / link.bandwidth;
      result.logarithmic = 2 * steps * link.latency + 2 * message / link.bandwidth;
      break;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter: {
      linear = "ring";
      logarithmic = kind == CollectiveKind::all_gather ? "recursive_doubling" : "recursive_halving";
      const Bytes moved = (n - 1) * message / (kind == CollectiveKind::all_gather ? 1 : n);
      result.linear = (n - 1) * link.latency + moved / link.bandwidth;
      result.logarithmic = steps * link.latency + moved / link.bandwidth;
      break;
    }
    case CollectiveKind::all_to_all:
      linear = "pairwise";
      logarithmic = "bruck";
      result.linear = (n - 1) * link.latency + message / link.bandwidth;
      result.logarithmic = steps * link.latency + message / link.bandwidth;
      break;
    case CollectiveKind::send_receive:
      if (message.value == 0) return {};
      linear = logarithmic = "direct";
      result.linear = result.logarithmic = link.latency + message / link.bandwidth;
      break;
  }
  const bool linear_wins = result.linear < result.logarithmic;
  result.time = linear_wins ? result.linear : result.logarithmic;
  result.algorithm = linear_wins ? linear : logarithmic;
  return result;
}

Exchange exchanged(double elements, double bytes_per_element,
                   const std::vector<std::int64_t>& in_splits,
                   const std::vector<std::int64_t>& out_splits, std::size_t me) {
  const auto total = [](const std::vector<std::int64_t>& splits) {
    return std::accumulate(splits.begin(), splits.end(), std::int64_t{0});
  };
  const std::int64_t in_rows = total(in_splits);
  if (in_rows == 0) return {};
  const double per_row = std::floor(elements / static_cast<double>(in_rows)) * bytes_per_element;
  return {{per_row * static_cast<double>(in_rows - in_splits[me])},
          {per_row * static_cast<double>(total(out_splits) - out_splits[me])}};
}

}  // namespace roofbeam
