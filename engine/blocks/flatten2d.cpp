#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  return {view_of("view", context, context.inputs[0], context.outputs[0])};
}

}  // namespace

BlockSpec flatten2d_block() {
  return {
      .type = "flatten2d",
      .category = Category::shape,
      .docs = {.title = "flatten",
               .summary = "Lays the channels and pixels of an image out as one vector.",
               .formula = "y[b, (c h w)] = x[b, c, h, w]"},
      .params = {size_param("channels", "channels of the image"),
                 size_param("in_h", "height of the image"),
                 size_param("in_w", "width of the image")},
      .ports = {.inputs = {{.name = "x",
                            .shape = "B channels in_h in_w",
                            .element = ElementClass::real}},
                .outputs = {{.name = "y",
                             .shape = "B (channels in_h in_w)",
                             .element = ElementClass::real}}},
      .forms = {.lower = lower},
  };
}

}  // namespace roofbeam
