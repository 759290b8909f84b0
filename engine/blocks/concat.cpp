#include "engine/blocks/lowering.h"
#include "engine/blocks/pieces.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

int axis_of(const Arguments& a) {
  const double axis = a.number("axis");
  return axis >= -64 && axis <= 64 ? static_cast<int>(axis) : 64;  // no pattern is that long
}

Ports ports(const Arguments& a, const Ports& declared, const Scope& scope) {
  Ports ports = declared;
  ports.inputs = piece_ports(a, scope, a.text("to"), axis_of(a));
  ports.outputs[0].shape = a.text("to");
  return ports;
}

std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  Operator cat{.name = "cat", .writes = {activation_tensor(context, context.outputs[0])}};
  for (const std::vector<Extent>& piece : context.inputs)
    cat.reads.push_back(activation_tensor(context, piece));
  return {std::move(cat)};
}

std::vector<Issue> check(const Arguments& a, const Scope& scope) {
  std::vector<Issue> issues;
  check_pieces(a, scope, a.text("to"), axis_of(a), "CONCAT-01", issues);
  return issues;
}

}  // namespace

const Forms concat_forms = {.lower = lower, .check = check, .ports = ports};

}  // namespace roofbeam
