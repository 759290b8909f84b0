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

const Forms layernorm_forms = {.weights = weights, .work = work, .lower = lower};

}  // namespace roofbeam
