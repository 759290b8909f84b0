#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y[b, i, :] = W[i, :]; one trained vector may stand at many places.
double weights(const Arguments& a) { return a.number("count") * a.number("dim"); }

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& y = context.outputs[0];
  return {{.name = "expand",
           .reads = {weight_tensor(context, {whole(a.number("count")), y.back()})},
           .writes = {activation_tensor(context, y)},
           .view = true}};
}

Ports ports(const Arguments& a, const Ports& declared, const Scope&) {
  Ports ports = declared;
  if (a.number("tokens") > 0) ports.outputs[0].shape = "B tokens dim";
  return ports;
}

}  // namespace

BlockSpec learned_tokens_block() {
  return {
      .type = "learned_tokens",
      .category = Category::embedding,
      .docs = {.title = "learned tokens",
               .summary = "Gives trained vectors that stand for no input: class, register or mask "
                          "tokens.",
               .formula = "y_i = W[i]",
               .references = {"Darcet et al. 2023, arXiv:2309.16588"}},
      .params = {size_param("dim", "width of a vector"), size_param("count", 1, "trained vectors"),
                 whole_param("tokens", 0, "places they stand at; 0 for one each")},
      .ports = {.outputs = {{.name = "y", .shape = "B count dim", .element = ElementClass::real}}},
      .forms = {.weights = weights, .lower = lower, .ports = ports, .autocast = Autocast::single},
  };
}

}  // namespace roofbeam
