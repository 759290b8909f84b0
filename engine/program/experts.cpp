#include "engine/program/experts.h"

namespace roofbeam {

RoutedRows routed_rows(Extent tokens, const Routing& routing, const ExpertParallel& parallel) {
  const std::int64_t ranks = parallel.ep.size();
  const std::int64_t external = parallel.external;
  const std::int64_t owners = ranks - external;
  const std::int64_t experts = routing.experts + parallel.redundant;
  const std::int64_t rows = tokens * routing.top_k;
  const auto me = static_cast<std::int64_t>(parallel.ep.me);

  RoutedRows result{.rows = rows + (external > 0 ? tokens : 0)};
  for (std::int64_t rank = 0; rank < external; ++rank)
    result.sent.push_back(tokens / external + (rank < tokens % external ? 1 : 0));
  if (external > 0 && me < external) result.experts = {result.sent[parallel.ep.me]};
  std::int64_t expert = 0;
  for (std::int64_t owner = 0; owner < owners; ++owner) {
    const std::int64_t owned = experts / owners + (owner < experts % owners ? 1 : 0);
    std::int64_t sent = 0;
    for (std::int64_t i = 0; i < owned; ++i, ++expert) {
      const std::int64_t share = rows / experts + (expert < rows % experts ? 1 : 0);
      sent += share;
      if (external + owner == me) result.experts.push_back(share);
    }
    result.sent.push_back(sent);
  }
  result.received.assign(static_cast<std::size_t>(ranks), result.sent[parallel.ep.me]);
  return result;
}

}  // namespace roofbeam
