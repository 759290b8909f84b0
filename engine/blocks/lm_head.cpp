#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y[..., vocab] = c tanh(x[..., dim] * W[dim, vocab] (+ b) / c)
double bias(const Arguments& a) { return a.flag("bias") ? a.number("vocab") : 0; }

double weights_read(const Arguments& a) { return a.number("vocab") * a.number("dim") + bias(a); }

double weights(const Arguments& a) { return a.flag("tied") ? bias(a) : weights_read(a); }

// The cap divides, takes a tanh of six operations, and multiplies.
WorkPerToken work(const Arguments& a, const FormContext&) {
  const double cap = a.number("softcap") > 0 ? 8 * a.number("vocab") : 0;
  return {.matrix = matmul_flops(1, a.number("dim"), a.number("vocab")), .elementwise = {cap}};
}

// The loss keeps the logits and a copy in fp32.
Bytes saves_inside(const Arguments& a, const SavingContext& context) {
  return {a.number("vocab") * (context.bytes_per_element + 4)};
}

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  const std::vector<Extent>& y = context.outputs[0];
  const Projection projection{
      .m = rows(x), .k = x.back(), .n = y.back(), .bias = a.flag("bias"), .tied = a.flag("tied")};
  std::vector<Operator> operators{view_of("view", context, x, {projection.m, projection.k}),
                                  matmul(context, projection),
                                  view_of("view", context, {projection.m, projection.n}, y)};
  if (a.number("softcap") > 0) {
    operators.push_back(pointwise("div", context, y, 1, 1));
    operators.push_back(pointwise("tanh", context, y, 1, activation_cost("tanh")));
    operators.push_back(pointwise("mul", context, y, 1, 1));
  }
  return operators;
}

}  // namespace

const Forms lm_head_forms = {.weights = weights,
                             .weights_read = weights_read,
                             .work = work,
                             .saves_inside = saves_inside,
                             .lower = lower};

}  // namespace roofbeam
