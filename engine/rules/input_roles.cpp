#include <optional>
#include <string>
#include <string_view>

#include "engine/algebra/attention_expression.h"
#include "engine/base/text.h"
#include "engine/rules/checks.h"
#include "engine/rules/tensor_origins.h"

namespace roofbeam {
namespace {

constexpr std::string_view kRule = "input-roles";

// A port that only an input of one role may feed.
struct RolePort {
  std::string name;
  std::string_view role;
};

// The block types that have such ports.
struct RoleReaders {
  const BlockSpec* sdpa;
  const BlockSpec* rope;
  const BlockSpec* pos_embedding;
};

std::vector<RolePort> role_ports(const Instance& instance, const RoleReaders& readers) {
  std::vector<RolePort> ports;
  if (instance.spec == readers.sdpa) {
    const std::string_view mask = instance.arguments.text("mask");
    if (mask.empty()) return ports;
    const Result<std::vector<std::string>> tables = tables_in(mask);
    if (!tables) return ports;  // the block's own check has said why
    for (const std::string& table : *tables) ports.push_back({table, "documents"});
  } else if (instance.spec == readers.rope || instance.spec == readers.pos_embedding) {
    if (instance.arguments.flag("positions")) ports.push_back({"pos", "positions"});
  }
  return ports;
}

bool holds_indices(const Instance& input) {
  return input.ports().outputs.front().element == ElementClass::integer;
}

std::string wanted_input(std::string_view role) {
  return "an input block with role " + quoted(role) + " and an integer dtype";
}

// What is wrong with where the tensor comes from; nothing where that is as it should be.
std::optional<std::string> fault(const Instance& origin, std::string_view role,
                                 const RuleContext& context) {
  if (origin.spec != context.type("input"))
    return "the block " + quoted(origin.path) + " of type " + origin.spec->type;
  if (origin.arguments.text("role") != role)
    return "the input " + quoted(origin.path) + " with role " +
           quoted(origin.arguments.text("role"));
  if (!holds_indices(origin))
    return "the input " + quoted(origin.path) + " of dtype " +
           std::string(origin.arguments.text("dtype"));
  return std::nullopt;
}

}  // namespace

void check_input_roles(const RuleContext& context, Findings& findings) {
  const RoleReaders readers{context.type("sdpa"), context.type("rope"), context.type("pos_embedding")};
  std::optional<TensorOrigins> origins;  // few designs have such ports
  for (const Instance& instance : context.design.instances) {
    for (const RolePort& port : role_ports(instance, readers)) {
      const auto index = instance.input(port.name);
      if (!index) continue;
      if (!origins) origins.emplace(context.design);
      const InstanceId origin = origins->reaching(instance.inputs[*index]);
      if (origin == kNoInstance) continue;  // an open wire has a finding of its own
      const std::optional<std::string> found =
          fault(context.design.instances[origin], port.role, context);
      if (!found) continue;
      Finding finding = about_block(
          kRule, Severity::error, instance,
          "the port " + quoted(port.name) + " traces back to " + *found + ", wanted " + wanted_input(port.role),
          "wire an input with that role");
      finding.port = port.name;
      findings.push_back(std::move(finding));
    }
  }
}

}  // namespace roofbeam
