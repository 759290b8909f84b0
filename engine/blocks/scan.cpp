#include "engine/blocks/scan.h"

namespace roofbeam {

Operator lowered(const LoweringContext& context, Scan scan) {
  const bool goes_on = context.workload.context_tokens > 0;
  const Tensor state = cache_tensor(context, std::move(scan.state));
  Operator result{.name = goes_on ? scan.step_name : scan.whole_name,
                  .reads = std::move(scan.reads),
                  .writes = {std::move(scan.write)},
                  .work = {}};
  result.work = {{result.writes[0].dtype, scan.matrix, scan.elementwise}};
  if (goes_on) result.reads.push_back(state);
  if (context.workload.keeps_cache) result.writes.push_back(state);
  return result;
}

}  // namespace roofbeam
