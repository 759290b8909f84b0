#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

double weights(const Arguments& a) { return a.number("buckets") * a.number("heads"); }

// The table is read where an attention's score expression indexes it.
std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  const std::vector<Extent>& table = context.outputs[0];
  return {{.name = "alias",
           .reads = {weight_tensor(context, table)},
           .writes = {activation_tensor(context, table)},
           .view = true}};
}

}  // namespace

const Forms position_bias_forms = {.weights = weights, .lower = lower};

}  // namespace roofbeam
