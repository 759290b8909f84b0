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

BlockSpec weighted_sum_block() {
  return {
      .type = "weighted_sum",
      .category = Category::moe,
      .docs = {.title = "weighted sum",
               .summary = "Adds what the chosen experts made of a token, by the router's weights.",
               .formula = "y = sum over j of w_j x_j",
               .references = {"Shazeer et al. 2017, arXiv:1701.06538"}},
      .params = {size_param("dim", "width of the last axis"), size_param("n", "experts chosen")},
      .ports = {.inputs = {{.name = "x", .shape = "... dim", .element = ElementClass::real},
                           {.name = "weights", .shape = "... n", .element = ElementClass::real}},
                .outputs = {{.name = "y", .shape = "... dim", .element = ElementClass::real}}},
      .forms = {.work = work, .lower = lower},
  };
}

}  // namespace roofbeam
