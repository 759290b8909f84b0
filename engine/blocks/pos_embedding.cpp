#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y[..., t, :] = x[..., t, :] + W[t, :]
double weights(const Arguments& a) { return a.number("max_seq") * a.number("dim"); }

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.elementwise = {a.number("dim")}};
}

// One row a position, spread over the batch; with `pos` one row a token.
std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  std::vector<Extent> positions;
  if (a.flag("positions")) {
    positions = context.inputs[1];
  } else if (x.size() > 1) {
    positions = {x[x.size() - 2]};
  }
  std::vector<Extent> found_shape = positions;
  found_shape.push_back(x.back());
  const Tensor found = activation_tensor(context, std::move(found_shape));
  Tensor table = weight_tensor(context, {whole(a.number("max_seq")), x.back()});
  table.touched = elements(found);
  return {
      {.name = "embedding",
       .reads = {std::move(table), index_tensor(std::move(positions))},
       .writes = {found}},
      broadcast("add", {activation_tensor(context, x), found}, activation_tensor(context, x), 1)};
}

Ports ports(const Arguments& a, const Ports& declared, const Scope&) {
  Ports ports = declared;
  if (!a.flag("positions")) ports.inputs.pop_back();
  return ports;
}

}  // namespace

const Forms pos_embedding_forms = {
    .weights = weights, .work = work, .lower = lower, .ports = ports};

}  // namespace roofbeam
