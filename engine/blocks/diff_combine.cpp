#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y = a - lambda b, lambda = exp(q1 . k1) - exp(q2 . k2) + lambda_init
double weights(const Arguments& a) { return 4 * a.number("head_dim"); }

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.elementwise = {2 * a.number("heads") * a.number("dim")}};
}

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const Extent head_dim = whole(a.number("head_dim"));
  const Tensor vector = weight_tensor(context, {head_dim});
  const Tensor product = activation_tensor(context, {head_dim});
  const Tensor scalar = activation_tensor(context, {1});
  const Tensor tensor = activation_tensor(context, context.outputs[0]);
  std::vector<Operator> operators;
  for (int pair = 0; pair < 2; ++pair) {
    operators.push_back(broadcast("mul", {vector, vector}, product, 1));
    operators.push_back({.name = "sum",
                         .reads = {product},
                         .writes = {scalar},
                         .work = elementwise_work(product, elements(product))});
    operators.push_back(broadcast("exp", {scalar}, scalar, 1));
  }
  operators.push_back(broadcast("sub", {scalar, scalar}, scalar, 1));
  operators.push_back(broadcast("add", {scalar}, scalar, 1));
  operators.push_back(broadcast("mul", {tensor, scalar}, tensor, 1));
  operators.push_back(broadcast("sub", {tensor, tensor}, tensor, 1));
  return operators;
}

}  // namespace

BlockSpec diff_combine_block() {
  return {
      .type = "diff_combine",
      .category = Category::attention,
      .docs = {.title = "differential combination",
               .summary = "Subtracts a trained share of one attention's output from another's.",
               .formula = "y = a - (exp(q1 . k1) - exp(q2 . k2) + lambda_init) b",
               .references = {"Ye et al. 2024, arXiv:2410.05258"}},
      .params = {size_param("heads", "heads of either attention"),
                 size_param("head_dim", "width of the trained vectors: a query head's"),
                 size_param("dim", "width of a head's output"),
                 number_param("lambda_init", 0.8, "what the share starts from")},
      .ports =
          {.inputs = {{.name = "a", .shape = "B heads T dim", .element = ElementClass::real},
                      {.name = "b", .shape = "B heads T dim", .element = ElementClass::real}},
           .outputs = {{.name = "y", .shape = "B heads T dim", .element = ElementClass::real}}},
      // The gradient of the share needs b; a's is the incoming one.
      .forms = {.weights = weights, .work = work, .saves = {"b"}, .lower = lower},
  };
}

}  // namespace roofbeam
