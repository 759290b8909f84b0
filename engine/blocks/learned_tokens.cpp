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

const Forms learned_tokens_forms = {.weights = weights, .lower = lower, .ports = ports};

}  // namespace roofbeam
