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

BlockSpec shift_block() {
  return {
      .type = "shift",
      .category = Category::shape,
      .docs = {.title = "shift",
               .summary =
                   "Moves the sequence by a number of positions and fills the end with zeros.",
               .formula = "y_t = x_(t + by)"},
      .params = {size_param("dim", "width of the last axis"), integer_param("by", 1, "positions")},
      .ports = {.inputs = {{.name = "x", .shape = "... dim", .element = ElementClass::real}},
                .outputs = {{.name = "y", .shape = "... dim", .element = ElementClass::real}}},
      .forms = {.lower = lower, .check = check},
  };
}

}  // namespace roofbeam
