#include "engine/blocks/image_window.h"
#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y[b, c, h, w] = max over u, v of x[b, c, h s + u - p, w s + v - p]
double comparisons(const Arguments& a) {
  const double kernel = a.number("kernel");
  return kernel * kernel;
}

// Per image: what a token is here.
WorkPerToken work(const Arguments& a, const FormContext&) {
  const auto [height, width] = output_size(a);
  return {.elementwise = {a.number("channels") * height * width * comparisons(a)}};
}

// Where each maximum stood is written too: the backward pass sends the gradient there.
std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  Operator pool =
      broadcast("max_pool2d_with_indices", {activation_tensor(context, context.inputs[0])},
                activation_tensor(context, context.outputs[0]), comparisons(a));
  pool.writes.push_back(index_tensor(context.outputs[0]));
  return {std::move(pool)};
}

std::vector<Issue> check(const Arguments& a, const Scope&) {
  std::vector<Issue> issues;
  check_window_fits(a, issues);
  return issues;
}

}  // namespace

const Forms maxpool2d_forms = {.work = work, .lower = lower, .check = check};

}  // namespace roofbeam
