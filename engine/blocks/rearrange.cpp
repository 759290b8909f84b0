#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

Ports ports(const Arguments& a, const Ports& declared, const Scope&) {
  Ports ports = declared;
  ports.inputs[0].shape = a.text("from");
  ports.outputs[0].shape = a.text("to");
  return ports;
}

// Axes are renamed, split and swapped by strides. Where a merge would need a copy (heads back into
// one vector), the kernel before it can write that order, and the framework's does.
std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  return {view_of("view", context, context.inputs[0], context.outputs[0])};
}

}  // namespace

BlockSpec rearrange_block() {
  return {
      .type = "rearrange",
      .category = Category::shape,
      .docs = {.title = "rearrangement",
               .summary = "Splits, swaps and merges axes from one pattern to another.",
               .formula = "y[to] = x[from]"},
      .params = {pattern_param("from", "the input's axes, as in B T (H dh)"),
                 pattern_param("to", "the output's, as in B H T dh")},
      .ports = {.inputs = {{.name = "x", .shape = "*"}}, .outputs = {{.name = "y", .shape = "*"}}},
      .forms = {.lower = lower, .ports = ports},
  };
}

}  // namespace roofbeam
