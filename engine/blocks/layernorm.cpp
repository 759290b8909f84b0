#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y = (x - mean(x)) / sqrt(var(x) + eps) * g (+ b)
double weights(const Arguments& a) { return (a.flag("bias") ? 2 : 1) * a.number("dim"); }

// Mean, difference, square, accumulate, normalise, scale: six operations an element.
constexpr double kOperationsPerElement = 6;

WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.elementwise = {kOperationsPerElement * a.number("dim")}};
}

// The framework's one kernel also hands out each row's mean and reciprocal deviation, in fp32.
std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  const Tensor vector = weight_tensor(context, {x.back()});
  const Tensor row = single_tensor(with_last(x, 1));
  Operator norm = broadcast("native_layer_norm", {activation_tensor(context, x), vector},
                            activation_tensor(context, x), kOperationsPerElement);
  if (a.flag("bias")) norm.reads.push_back(vector);
  norm.writes.insert(norm.writes.end(), 2, row);
  return {std::move(norm)};
}

}  // namespace

BlockSpec layernorm_block() {
  return {
      .type = "layernorm",
      .category = Category::norm,
      .docs = {.title = "layer norm",
               .summary = "Shifts and scales each vector to mean 0 and variance 1, then by trained "
                          "vectors.",
               .formula = "y = (x - mean(x)) / sqrt(var(x) + eps) * g (+ b)",
               .references = {"Ba, Kiros and Hinton 2016, arXiv:1607.06450"}},
      .params = {size_param("dim", "width of the normalised axis"),
                 number_param("eps", 1e-5, "keeps the division finite"),
                 flag_param("bias", true, "adds a trained vector")},
      .ports = {.inputs = {{.name = "x", .shape = "... dim", .element = ElementClass::real}},
                .outputs = {{.name = "y", .shape = "... dim", .element = ElementClass::real}}},
      .forms = {.weights = weights,
                .work = work,
                .saves = {"x"},
                .lower = lower,
                .autocast = Autocast::single},
  };
}

}  // namespace roofbeam
