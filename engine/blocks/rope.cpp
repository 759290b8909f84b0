#include <cmath>

#include "engine/base/text.h"
#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y = x cos + rotated(x) sin, rotated(x) = [-second half, first half]: six operations an element,
// the angles' own cosine and sine among them.
WorkPerToken work(const Arguments& a, const FormContext&) {
  return {.elementwise = {6 * a.number("heads") * a.number("head_dim")}};
}

// Cosines and sines come from tables, one row a token.
std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  const Tensor tensor = activation_tensor(context, x);
  const Tensor half = activation_tensor(context, with_last(x, x.back() / 2));
  const Tensor angles = activation_tensor(context, {x[0], 1, x[2], x[3]});
  return {broadcast("mul", {tensor, angles}, tensor, 1),
          view_of("slice", context, x, half.shape),
          view_of("slice", context, x, half.shape),
          broadcast("neg", {half}, half, 1),
          {.name = "cat", .reads = {half, half}, .writes = {tensor}},
          broadcast("mul", {tensor, angles}, tensor, 1),
          broadcast("add", {tensor, tensor}, tensor, 1)};
}

std::vector<Issue> check(const Arguments& a, const Scope&) {
  const double head_dim = a.number("head_dim");
  if (!(std::fmod(head_dim, 2) > 0)) return {};
  return {{.rule = "ROPE-01",
           .param = "head_dim",
           .message = "a head of width " + shortest(head_dim) + " has no pairs to rotate",
           .hint = "head_dim must be even"}};
}

Ports ports(const Arguments& a, const Ports& declared, const Scope&) {
  Ports ports = declared;
  if (!a.flag("positions")) ports.inputs.pop_back();
  return ports;
}

}  // namespace

const Forms rope_forms = {.work = work, .lower = lower, .check = check, .ports = ports};

}  // namespace roofbeam
