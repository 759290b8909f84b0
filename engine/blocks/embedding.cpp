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

BlockSpec embedding_block() {
  return {
      .type = "embedding",
      .category = Category::embedding,
      .docs = {.title = "embedding",
               .summary = "Looks up one trained vector for every id.",
               .formula = "y = W[ids]"},
      .params = {size_param("vocab", "rows of the table"), size_param("dim", "width of a row"),
                 tristate_param("tied", "reads the design's first table and owns none")},
      .ports = {.inputs = {{.name = "ids", .shape = "...", .element = ElementClass::integer}},
                .outputs = {{.name = "y", .shape = "... dim", .element = ElementClass::real}}},
      .forms = {.weights = weights,
                .weights_read = weights_read,
                .lower = lower,
                .autocast = Autocast::single},
  };
}

}  // namespace roofbeam
