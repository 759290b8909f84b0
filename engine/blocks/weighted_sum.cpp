#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y = sum over j of weights[j] x_j, x_j what the j-th chosen expert made of the token. The input's
// shape shows one of the n copies.
WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.elementwise = {a.number("dim") * a.number("n")}};
}

std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  const std::vector<Extent>& y = context.outputs[0];
  const Extent tokens = rows(y);
  const Extent n = context.inputs[1].back();
  const Tensor copies = activation_tensor(context, {tokens, n, y.back()});
  return {broadcast("mul", {copies, activation_tensor(context, {tokens, n, 1})}, copies, 1),
          {.name = "sum",
           .reads = {copies},
           .writes = {activation_tensor(context, {tokens, y.back()})},
           .work = elementwise_work(copies, elements(copies))},
          view_of("view", context, {tokens, y.back()}, y)};
}

}  // namespace

const Forms weighted_sum_forms = {.work = work, .lower = lower};

}  // namespace roofbeam
