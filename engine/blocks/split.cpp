#include "engine/blocks/lowering.h"
#include "engine/blocks/pieces.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

constexpr int kLastAxis = -1;

Ports ports(const Arguments& a, const Ports& declared, const Scope& scope) {
  Ports ports = declared;
  ports.inputs[0].shape = a.text("from");
  ports.outputs = piece_ports(a, scope, a.text("from"), kLastAxis);
  return ports;
}

std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  Operator split{.name = "split_with_sizes",
                 .reads = {activation_tensor(context, context.inputs[0])},
                 .view = true};
  for (const std::vector<Extent>& piece : context.outputs)
    split.writes.push_back(activation_tensor(context, piece));
  return {std::move(split)};
}

std::vector<Issue> check(const Arguments& a, const Scope& scope) {
  std::vector<Issue> issues;
  check_pieces(a, scope, a.text("from"), kLastAxis, "SPLIT-01", issues);
  return issues;
}

}  // namespace

const Forms split_forms = {.lower = lower, .check = check, .ports = ports};

}  // namespace roofbeam
