#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  const std::vector<Extent> one_head{x[0], 1, x[1], x[2]};
  return {view_of("unsqueeze", context, x, one_head),
          view_of("expand", context, one_head, context.outputs[0])};
}

}  // namespace

const Forms expand_heads_forms = {.lower = lower};

}  // namespace roofbeam
