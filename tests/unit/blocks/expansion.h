#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/text.h"
#include "engine/blocks/catalog.h"
#include "engine/blocks/template.h"

// Arguments and expansions made in the plainest way, to hold templates against: no shapes, no
// diagnostics, numbers and expressions over one scope.

namespace roofbeam::testing {

using Given = std::vector<std::pair<std::string, json::Value>>;

inline Argument argument_of(const ParamSpec& spec, const json::Value& written, const Scope& scope) {
  Argument argument;
  argument.spec = &spec;
  argument.written = written;
  argument.value = std::numeric_limits<double>::quiet_NaN();
  const auto polynomial = [&](const json::Value& item) {
    Result<Polynomial> value =
        evaluate_expression(item.is_string() ? item.string() : shortest(item.number()), scope);
    ROOFBEAM_CHECK(value);
    return *std::move(value);
  };
  const bool numeric = spec.type == ParamType::integer || spec.type == ParamType::number;
  if (numeric && !written.is_null()) {
    argument.symbolic = polynomial(written);
    argument.value = evaluated(argument.symbolic, scope);
  }
  if (spec.type == ParamType::expressions)
    for (const json::Value& item : written.array()) {
      argument.items.push_back(polynomial(item));
      argument.item_values.push_back(evaluated(argument.items.back(), scope));
    }
  return argument;
}

// Every parameter of the block: as given, else its fallback. Requires the others to be given.
inline Arguments arguments_of(const BlockSpec& spec, const Given& given, const Scope& scope) {
  for (const auto& [name, value] : given) ROOFBEAM_CHECK(spec.param(name) != nullptr);
  std::vector<Argument> arguments;
  for (const ParamSpec& param : spec.params) {
    const json::Value* written = param.fallback ? &*param.fallback : nullptr;
    for (const auto& [name, value] : given)
      if (name == param.name && !(value.is_null() && param.fallback)) written = &value;
    ROOFBEAM_CHECK(written != nullptr);
    arguments.push_back(argument_of(param, *written, scope));
    ROOFBEAM_CHECK(param.type != ParamType::integer || written->is_null() ||
                   arguments.back().value == std::floor(arguments.back().value));
  }
  return Arguments(std::move(arguments));
}

// What a template gives a node's parameter, as it would be written in a document.
inline json::Value written_value(const TemplateValue& value, const Arguments& outer) {
  const TemplateValue& source = chosen(value, outer);
  if (source.kind == TemplateValue::Kind::inherited) return outer.at(source.param).written;
  if (source.kind == TemplateValue::Kind::member) {
    const json::Value* member = outer.at(source.param).written.find(source.key);
    return member != nullptr ? *member : json::Value();
  }
  return substituted(source.literal, outer);
}

inline Arguments arguments_of(const BlockSpec& spec, const TemplateNode& node,
                              const Arguments& outer, const Scope& scope) {
  Given given;
  for (const auto& [name, value] : node.params)
    given.emplace_back(name, written_value(value, outer));
  return arguments_of(spec, given, scope);
}

struct Expanded {
  std::string path;
  const BlockSpec* spec;
  Arguments arguments;
  double copies = 1;  // instances, each with weights of its own
  double active = 1;  // of which a token passes through
};

// Every primitive and container below a composite, in order.
class Expander {
 public:
  Expander(const Catalog& catalog, const Scope& scope) : catalog_(catalog), scope_(scope) {}

  std::vector<Expanded> expand(std::string_view type, const Given& given) {
    const BlockSpec* spec = catalog_.find(type);
    ROOFBEAM_CHECK(spec != nullptr);
    visit({"", spec, arguments_of(*spec, given, scope_)});
    return std::move(nodes_);
  }

 private:
  void visit(Expanded block) {
    if (block.spec->kind != BlockKind::composite) {
      nodes_.push_back(std::move(block));
      return;
    }
    const Template& body = *block.spec->body;
    visit_graph(body.graph, with_locals(body, block.arguments, scope_), block);
  }

  void visit_graph(const TemplateGraph& graph, const Arguments& outer, const Expanded& block) {
    for (const TemplateNode& node : graph.nodes) {
      if (!holds(node.when, outer)) continue;
      const BlockSpec* spec = catalog_.find(node.type);
      ROOFBEAM_CHECK(spec != nullptr);
      Expanded inner{block.path.empty() ? node.id : block.path + "/" + node.id, spec,
                     arguments_of(*spec, node, outer, scope_), block.copies, block.active};
      if (node.graph) {
        Expanded container = inner;
        container.copies *= container.arguments.number("experts");
        container.active *= container.arguments.number("top_k");
        nodes_.push_back(std::move(inner));
        visit_graph(*node.graph, outer, container);
      } else {
        visit(std::move(inner));
      }
    }
  }

  const Catalog& catalog_;
  const Scope& scope_;
  std::vector<Expanded> nodes_;
};

}  // namespace roofbeam::testing
