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

BlockSpec position_bias_block() {
  return {
      .type = "position_bias",
      .category = Category::position,
      .docs = {.title = "relative position bias",
               .summary =
                   "Gives the trained table that a score expression adds by distance and head.",
               .formula = "table[bucket, head]",
               .references = {"Raffel et al. 2019, arXiv:1910.10683"}},
      .params = {size_param("buckets", "distances told apart"), size_param("heads", "heads")},
      .ports =
          {.outputs = {{.name = "table", .shape = "buckets heads", .element = ElementClass::real}}},
      .forms = {.weights = weights, .lower = lower, .autocast = Autocast::single},
  };
}

}  // namespace roofbeam
