#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  return {view_of("view", context, context.inputs[0], context.outputs[0])};
}

}  // namespace

const Forms flatten2d_forms = {.lower = lower};

}  // namespace roofbeam
