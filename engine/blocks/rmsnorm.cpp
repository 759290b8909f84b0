#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y = x / sqrt(mean(x^2) + eps) * g
double weights(const Arguments& a) { return a.flag("scale") ? a.number("dim") : 0; }

// Square, accumulate, normalise, scale: four operations an element.
WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.elementwise = {4 * a.number("dim")}};
}

// The framework computes the norm in fp32 between two casts, one kernel a step.
std::vector<Operator> lower(const Arguments& a, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  const auto single = [](std::vector<Extent> shape) {
    return Tensor{.dtype = Dtype::fp32, .shape = std::move(shape)};
  };
  const std::vector<Extent> row = with_last(x, 1);
  const Tensor given = activation_tensor(context, x);
  const double n = elements(given);
  const double r = n / static_cast<double>(x.back());
  std::vector<Operator> operators{
      {.name = "_to_copy", .reads = {given}, .writes = {single(x)}},
      {.name = "pow",
       .reads = {single(x)},
       .writes = {single(x)},
       .work = elementwise_work(single(row), n)},
      {.name = "mean",
       .reads = {single(x)},
       .writes = {single(row)},
       .work = elementwise_work(single(row), n)},
      {.name = "add",
       .reads = {single(row)},
       .writes = {single(row)},
       .work = elementwise_work(single(row), r)},
      {.name = "rsqrt",
       .reads = {single(row)},
       .writes = {single(row)},
       .work = elementwise_work(single(row), r)},
      {.name = "mul",
       .reads = {single(x), single(row)},
       .writes = {single(x)},
       .work = elementwise_work(single(row), n)},
      {.name = "_to_copy", .reads = {single(x)}, .writes = {given}},
  };
  if (a.flag("scale"))
    operators.push_back({.name = "mul",
                         .reads = {weight_tensor(context, {x.back()}), given},
                         .writes = {given},
                         .work = elementwise_work(given, n)});
  return operators;
}

}  // namespace

const Forms rmsnorm_forms = {.weights = weights, .work = work, .lower = lower};

}  // namespace roofbeam
