#include "engine/base/text.h"
#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// y[..., t, :] = x[..., t + by, :], zeros past the end: every position sees a later one.
std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  return {view_of("slice", context, x, x),
          {.name = "constant_pad_nd",
           .reads = {activation_tensor(context, x)},
           .writes = {activation_tensor(context, context.outputs[0])}}};
}

std::vector<Issue> check(const Arguments& a, const Scope&) {
  const double by = a.number("by");
  if (!(by < 0)) return {};
  return {{.rule = "SHIFT-01",
           .param = "by",
           .message = "a shift of " + shortest(by) + " positions",
           .hint = "a shift is zero or more positions"}};
}

}  // namespace

const Forms shift_forms = {.lower = lower, .check = check};

}  // namespace roofbeam
