#include "engine/blocks/template.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/check.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

// Calls `plain` with the stretches of text between references and `reference` with the names after
// each "$".
template <class Plain, class Reference>
void scan_references(std::string_view text, Plain plain, Reference reference) {
  std::size_t start = 0;
  for (std::size_t i = 0; i + 1 < text.size();) {
    if (text[i] != '$' || !is_name_start(text[i + 1])) {
      ++i;
      continue;
    }
    std::size_t end = i + 2;
    while (end < text.size() && is_name_part(text[end])) ++end;
    plain(text.substr(start, i - start));
    reference(text.substr(i + 1, end - i - 1));
    start = i = end;
  }
  plain(text.substr(start));
}

void collect_parameters(const json::Value& value, std::vector<std::string>& names) {
  if (value.is_string())
    scan_references(
        value.string(), [](std::string_view) {},
        [&](std::string_view name) {
          if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
        });
  else if (value.is_array())
    for (const json::Value& item : value.array()) collect_parameters(item, names);
  else if (value.is_object())
    for (const auto& [key, member] : value.object()) collect_parameters(member, names);
}

bool is_numeric(const Argument& argument) {
  return argument.spec->type == ParamType::integer || argument.spec->type == ParamType::number;
}

// A true flag, a nonzero number, a text that is not empty, any object.
bool is_set(const Argument& argument) {
  const json::Value& written = argument.written;
  if (written.is_null()) return false;
  if (is_numeric(argument)) return argument.value != 0 && !std::isnan(argument.value);
  if (written.is_bool()) return written.boolean();
  return !written.is_string() || !written.string().empty();
}

bool holds(const TemplateCondition::Clause& clause, const Arguments& arguments) {
  if (clause.choices.empty()) return is_set(arguments.at(clause.param)) == clause.wanted;
  return std::ranges::find(clause.choices, arguments.text(clause.param)) != clause.choices.end();
}

std::string as_operand(const Argument& argument) {
  const json::Value& written = argument.written;
  if (written.is_null()) return "0";
  if (written.is_bool()) return written.boolean() ? "1" : "0";
  if (written.is_number()) return parenthesised_if_needed(shortest(written.number()));
  // An expression refuses an object or an array with a message of its own.
  if (!written.is_string()) return json::described(written);
  const ParamType type = argument.spec->type;
  if (type == ParamType::choice || type == ParamType::pattern) return written.string();
  return trimmed(written.string()).empty() ? "0" : parenthesised_if_needed(written.string());
}

const json::Value& member_of(const TemplateValue& value, const Arguments& arguments) {
  static const json::Value absent;
  const json::Value* member = arguments.at(value.param).written.find(value.key);
  return member != nullptr ? *member : absent;
}

// Neither null nor the number 0.
bool is_given(const TemplateValue& value, const Arguments& arguments) {
  const auto nonzero = [](const json::Value& json) {
    return !json.is_null() && !(json.is_number() && json.number() == 0);
  };
  switch (value.kind) {
    case TemplateValue::Kind::literal:
      return nonzero(value.literal);
    case TemplateValue::Kind::inherited: {
      const Argument& argument = arguments.at(value.param);
      return is_numeric(argument) ? is_set(argument) : !argument.written.is_null();
    }
    case TemplateValue::Kind::member:
      return nonzero(member_of(value, arguments));
    case TemplateValue::Kind::first_set:
    case TemplateValue::Kind::expression:
      return true;
  }
  return true;
}

// The alternative of a node that is there, or of a boundary itself.
std::optional<std::size_t> present(std::size_t node, const TemplateGraph& graph,
                                   const Arguments& arguments) {
  if (node == kBoundaryIn || node == kBoundaryOut || holds(graph.nodes[node].when, arguments))
    return node;
  for (std::size_t i = node + 1; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].id == graph.nodes[node].id && holds(graph.nodes[i].when, arguments))
      return i;
  return std::nullopt;
}

std::optional<double> number_of(const std::string& expression, const Arguments& arguments,
                                const Scope& scope) {
  const Result<Polynomial> value = evaluate_expression(expression, scope, arguments.bindings());
  if (!value) return std::nullopt;
  const double number = evaluated(*value, scope);
  if (std::isnan(number)) return std::nullopt;
  return number;
}

// The parameter at fault ("" where the constraint names none); nothing where the relation holds or
// cannot be told.
struct RelationCheck {
  const Constraint& constraint;
  const Arguments& arguments;
  const Scope& scope;

  std::optional<std::string> at_fault() const { return constraint.param.value_or(""); }

  std::optional<std::string> operator()(const Constraint::Unset& unset) const {
    for (const std::string& name : unset.params)
      if (is_set(arguments.at(name))) return name;
    return std::nullopt;
  }
  std::optional<std::string> operator()(const Constraint::Divides& divides) const {
    const auto divisor = number_of(divides.divisor, arguments, scope);
    const auto dividend = number_of(divides.dividend, arguments, scope);
    if (!divisor || !dividend || *divisor == 0 || std::fmod(*dividend, *divisor) == 0)
      return std::nullopt;
    return at_fault();
  }
  std::optional<std::string> operator()(const Constraint::AtMost& bound) const {
    const auto smaller = number_of(bound.smaller, arguments, scope);
    const auto larger = number_of(bound.larger, arguments, scope);
    if (!smaller || !larger || *smaller <= *larger) return std::nullopt;
    return at_fault();
  }
};

// "$heads" in a message becomes the argument's value.
std::string message_with_values(std::string_view message, const Arguments& arguments) {
  std::string text;
  scan_references(
      message, [&](std::string_view plain) { text += plain; },
      [&](std::string_view name) { text += shortest(arguments.number(name)); });
  return text;
}

// A local's value, as a number the composite's own nodes may use.
Argument local_argument(const ParamSpec& spec, const TemplateValue& value,
                        const Arguments& arguments, const Scope& scope) {
  const TemplateValue& source = chosen(value, arguments);
  Argument argument;
  argument.given = true;
  if (source.kind == TemplateValue::Kind::inherited) {
    argument = arguments.at(source.param);
    argument.spec = &spec;
    return argument;
  }
  argument.spec = &spec;
  argument.value = std::numeric_limits<double>::quiet_NaN();
  argument.written = source.kind == TemplateValue::Kind::member
                         ? member_of(source, arguments)
                         : substituted(source.literal, arguments);
  const std::string expression = argument.written.is_string() ? argument.written.string()
                                 : argument.written.is_number()
                                     ? shortest(argument.written.number())
                                     : "";
  if (Result<Polynomial> polynomial = evaluate_expression(expression, scope)) {
    argument.symbolic = *std::move(polynomial);
    argument.value = evaluated(argument.symbolic, scope);
  }
  return argument;
}

}  // namespace

bool holds(const TemplateCondition& condition, const Arguments& arguments) {
  const auto clause_holds = [&](const TemplateCondition::Clause& clause) {
    return holds(clause, arguments);
  };
  return condition.alternatives.empty() ||
         std::ranges::any_of(condition.alternatives, [&](const auto& clauses) {
           return std::ranges::all_of(clauses, clause_holds);
         });
}

const TemplateValue& chosen(const TemplateValue& value, const Arguments& arguments) {
  if (value.kind != TemplateValue::Kind::first_set) return value;
  ROOFBEAM_CHECK(!value.candidates.empty());
  const auto set = std::ranges::find_if(value.candidates, [&](const TemplateValue& candidate) {
    return is_given(chosen(candidate, arguments), arguments);
  });
  return chosen(set != value.candidates.end() ? *set : value.candidates.back(), arguments);
}

std::string substituted(std::string_view text, const Arguments& arguments) {
  std::string result;
  scan_references(
      text, [&](std::string_view plain) { result += plain; },
      [&](std::string_view name) { result += as_operand(arguments.at(name)); });
  return result;
}

json::Value substituted(const json::Value& value, const Arguments& arguments) {
  if (value.is_string()) return substituted(std::string_view(value.string()), arguments);
  json::Value result = value;
  if (result.is_array())
    for (json::Value& item : result.array()) item = substituted(item, arguments);
  if (result.is_object())
    for (auto& [key, member] : result.object()) member = substituted(member, arguments);
  return result;
}

std::vector<std::string> parameters_in(const json::Value& value) {
  std::vector<std::string> names;
  collect_parameters(value, names);
  return names;
}

std::vector<TemplateWire> wires_of(const TemplateGraph& graph, const Arguments& arguments) {
  std::vector<TemplateWire> wires;
  std::vector<std::size_t> from_long_chains;  // indices into wires
  const auto add = [&](TemplateWire wire, bool long_chain) {
    if (long_chain) {
      const auto same = [&](std::size_t index) { return wires[index] == wire; };
      if (std::ranges::any_of(from_long_chains, same)) return;
      from_long_chains.push_back(wires.size());
    }
    wires.push_back(std::move(wire));
  };
  for (const TemplateChain& chain : graph.wires) {
    const std::vector<TemplateEnd>& ends = chain.ends;
    if (!holds(chain.when, arguments)) continue;
    const auto first = present(ends.front().node, graph, arguments);
    if (!first || !present(ends.back().node, graph, arguments)) continue;
    TemplateEnd from{*first, ends.front().port};
    for (std::size_t i = 1; i < ends.size(); ++i) {
      const auto node = present(ends[i].node, graph, arguments);
      if (!node) continue;
      add({std::move(from), {*node, ends[i].port}}, ends.size() > 2);
      from = {*node, ""};
    }
  }
  return wires;
}

Arguments with_locals(const Template& body, const Arguments& arguments, const Scope& scope) {
  Arguments extended = arguments;
  for (const auto& [spec, value] : body.locals)
    extended.add(local_argument(spec, value, extended, scope));
  return extended;
}

Ports ports_of(const BlockSpec& composite, const Arguments& arguments) {
  ROOFBEAM_CHECK(composite.body != nullptr);
  Ports ports{.inputs = {}, .outputs = composite.ports.outputs};
  for (std::size_t i = 0; i < composite.ports.inputs.size(); ++i)
    if (holds(composite.body->input_conditions[i], arguments))
      ports.inputs.push_back(composite.ports.inputs[i]);
  return ports;
}

std::vector<Issue> check_template(const BlockSpec& composite, const Arguments& arguments,
                                  const Scope& scope) {
  ROOFBEAM_CHECK(composite.body != nullptr);
  std::vector<Issue> issues;
  for (const Constraint& constraint : composite.body->constraints) {
    if (!holds(constraint.when, arguments)) continue;
    const std::optional<std::string> param =
        std::visit(RelationCheck{constraint, arguments, scope}, constraint.relation);
    if (!param) continue;
    issues.push_back({.rule = constraint.id,
                      .severity = constraint.severity,
                      .param = param->empty() ? std::nullopt : param,
                      .message = message_with_values(constraint.message, arguments),
                      .hint = constraint.hint});
  }
  return issues;
}

}  // namespace roofbeam
