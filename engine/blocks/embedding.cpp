#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y[..., dim] = W[ids[...], :]
double weights_read(const Arguments& a) { return a.number("vocab") * a.number("dim"); }

double weights(const Arguments& a) { return a.flag("tied") ? 0 : weights_read(a); }

// A gather: of the table only the rows asked for move.
std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& y = context.outputs[0];
  const Tensor found = activation_tensor(context, y);
  Tensor table = weight_tensor(context, {whole(a.number("vocab")), y.back()});
  table.tied = a.flag("tied");
  table.touched = elements(found);
  return {{.name = "embedding",
           .reads = {std::move(table), index_tensor(context.inputs[0])},
           .writes = {found}}};
}

}  // namespace

const Forms embedding_forms = {.weights = weights, .weights_read = weights_read, .lower = lower};

}  // namespace roofbeam
