#include <cmath>

#include "engine/base/text.h"
#include "engine/blocks/image_window.h"
#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y[b, o, h, w] = act(sum over i, u, v of W[o, i, u, v] x[b, i, h s + u - p, w s + v - p] (+ b[o]))
// Taps: the inputs one output element is made of.
double taps(const Arguments& a) {
  const double kernel = a.number("kernel");
  return std::floor(a.number("in_channels") / a.number("groups")) * kernel * kernel;
}

double weights(const Arguments& a) {
  const double out = a.number("out_channels");
  return taps(a) * out + (a.flag("bias") ? out : 0);
}

// Per image: what a token is here.
WorkPerToken work(const Arguments& a, const FormContext&) {
  const auto [height, width] = output_size(a);
  const double outputs = a.number("out_channels") * height * width;
  return {.matrix = matmul_flops(outputs, taps(a), 1),
          .elementwise = {activation_cost(a.text("act")) * outputs}};
}

std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const Tensor x = activation_tensor(context, context.inputs[0]);
  const Tensor y = activation_tensor(context, context.outputs[0]);
  const Extent out = y.shape[1];
  const Extent kernel = whole(a.number("kernel"));
  const Extent in_group = whole(std::floor(a.number("in_channels") / a.number("groups")));
  Operator convolution{.name = "convolution",
                       .reads = {x, weight_tensor(context, {out, in_group, kernel, kernel})},
                       .writes = {y},
                       .work = matrix_work(x, matmul_flops(elements(y), taps(a), 1))};
  if (a.flag("bias")) {
    convolution.reads.push_back(weight_tensor(context, {out}));
    convolution.work[0].elementwise = {elements(y)};
  }
  std::vector<Operator> operators{std::move(convolution)};
  for (Operator& activation : activation_operators(a.text("act"), context, y.shape))
    operators.push_back(std::move(activation));
  return operators;
}

std::vector<Issue> check(const Arguments& a, const Scope&) {
  std::vector<Issue> issues;
  check_window_fits(a, issues);
  const double groups = a.number("groups");
  for (const std::string_view channels : {"in_channels", "out_channels"})
    if (std::fmod(a.number(channels), groups) > 0)
      issues.push_back({.rule = "CONV-01",
                        .param = "groups",
                        .message = shortest(groups) + " groups do not divide " +
                                   shortest(a.number(channels)) + " " + std::string(channels),
                        .hint = "groups must divide both channel counts"});
  return issues;
}

}  // namespace

const Forms conv2d_forms = {.weights = weights, .work = work, .lower = lower, .check = check};

}  // namespace roofbeam
