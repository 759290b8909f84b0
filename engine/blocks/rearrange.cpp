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

const Forms rearrange_forms = {.lower = lower, .ports = ports};

}  // namespace roofbeam
