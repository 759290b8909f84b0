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

BlockSpec expand_heads_block() {
  return {
      .type = "expand_heads",
      .category = Category::shape,
      .docs = {.title = "one for all heads",
               .summary = "Shows the same vector to every head.",
               .formula = "y[b, h, t, :] = x[b, t, :]"},
      .params = {size_param("heads", "heads"), size_param("dim", "width of the vector")},
      .ports = {.inputs = {{.name = "x", .shape = "B T dim"}},
                .outputs = {{.name = "y", .shape = "B heads T dim"}}},
      .forms = {.lower = lower},
  };
}

}  // namespace roofbeam
