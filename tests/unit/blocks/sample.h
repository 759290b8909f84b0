#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/algebra/pattern.h"
#include "engine/blocks/block.h"
#include "engine/blocks/catalog.h"

namespace roofbeam {

// The reserved symbols at the values of one workload. A step's T is its new positions.
inline Scope scope_of(const Workload& workload) {
  Scope scope;
  scope.declare("B", static_cast<double>(workload.batch), SymbolKind::runtime);
  scope.declare("T", static_cast<double>(workload.query_tokens), SymbolKind::runtime);
  scope.declare("S", static_cast<double>(workload.source_tokens), SymbolKind::runtime);
  return scope;
}

using Written = std::vector<std::pair<std::string, json::Value>>;

inline const BlockSpec& built_in_block(std::string_view type) {
  const std::span<const BlockSpec> blocks = built_in_blocks();
  const auto found = std::ranges::find(blocks, type, &BlockSpec::type);
  if (found == blocks.end()) throw std::invalid_argument("no block type " + std::string(type));
  return *found;
}

// One primitive with its arguments, outside any design.
class Sample {
 public:
  Sample(std::string_view type, const Written& written, const Scope& scope)
      : spec_(built_in_block(type)) {
    for (const auto& [name, value] : written)
      EXPECT_NE(spec_.param(name), nullptr) << spec_.type << " has no parameter " << name;
    std::vector<Argument> arguments;
    for (const ParamSpec& param : spec_.params)
      arguments.push_back(argument(param, written, scope));
    arguments_ = Arguments(std::move(arguments));
    ports_ = spec_.forms.ports != nullptr ? spec_.forms.ports(arguments_, spec_.ports, scope)
                                          : spec_.ports;
  }
  Sample(const Sample&) = delete;  // arguments point into the block type
  Sample& operator=(const Sample&) = delete;

  [[nodiscard]] const BlockSpec& spec() const { return spec_; }
  [[nodiscard]] const Arguments& arguments() const { return arguments_; }
  [[nodiscard]] const Ports& ports() const { return ports_; }

  [[nodiscard]] double weights() const {
    return spec_.forms.weights != nullptr ? spec_.forms.weights(arguments_) : 0;
  }
  [[nodiscard]] double weights_read() const {
    return spec_.forms.weights_read != nullptr ? spec_.forms.weights_read(arguments_) : weights();
  }
  [[nodiscard]] WorkPerToken work(const Scope& scope, const Lengths& lengths) const {
    if (spec_.forms.work == nullptr) return {};
    return spec_.forms.work(arguments_, {.scope = scope, .lengths = lengths});
  }
  [[nodiscard]] Bytes saves_inside(const SavingContext& context) const {
    return spec_.forms.saves_inside != nullptr ? spec_.forms.saves_inside(arguments_, context)
                                               : Bytes{};
  }
  [[nodiscard]] CacheBytes cache(double bytes_per_element, const Lengths& lengths) const {
    return spec_.forms.cache != nullptr ? spec_.forms.cache(arguments_, bytes_per_element, lengths)
                                        : CacheBytes{};
  }
  [[nodiscard]] std::vector<Issue> issues(const Scope& scope) const {
    return spec_.forms.check != nullptr ? spec_.forms.check(arguments_, scope)
                                        : std::vector<Issue>{};
  }

  // One forward step. `table` is the shape of what a mask or score expression reads.
  [[nodiscard]] std::vector<Operator> lowered(const Workload& workload,
                                              const std::vector<Extent>& table = {8, 8}) const {
    if (spec_.forms.lower == nullptr) return {};
    const Scope scope = scope_of(workload);
    return spec_.forms.lower(arguments_, {.scope = scope,
                                          .workload = workload,
                                          .inputs = shapes(ports_.inputs, workload, table),
                                          .outputs = shapes(ports_.outputs, workload, table)});
  }

  // The ports' patterns in numbers.
  [[nodiscard]] std::vector<std::vector<Extent>> shapes(const std::vector<PortSpec>& ports,
                                                        const Workload& workload,
                                                        const std::vector<Extent>& table = {
                                                            8, 8}) const {
    const Scope scope = scope_of(workload);
    std::vector<std::vector<Extent>> shapes;
    for (const PortSpec& port : ports) shapes.push_back(shape(port, scope, table));
    return shapes;
  }

 private:
  static Argument argument(const ParamSpec& param, const Written& written, const Scope& scope) {
    Argument argument;
    argument.spec = &param;
    for (const auto& [name, value] : written) {
      if (name != param.name) continue;
      argument.written = value;
      argument.given = true;
    }
    if (!argument.given) {
      EXPECT_TRUE(param.fallback) << "the parameter " << param.name << " is missing";
      if (param.fallback) argument.written = *param.fallback;
    }
    if (param.type == ParamType::integer || param.type == ParamType::number) {
      argument.symbolic = polynomial(argument.written, scope);
      argument.value = evaluated(argument.symbolic, scope);
    }
    if (param.type == ParamType::expressions) {
      for (const json::Value& item : argument.written.array()) {
        argument.items.push_back(polynomial(item, scope));
        argument.item_values.push_back(evaluated(argument.items.back(), scope));
      }
    }
    return argument;
  }

  static Polynomial polynomial(const json::Value& value, const Scope& scope) {
    if (value.is_number()) return Polynomial(*rational_of(value.number()));
    return value.is_string() ? *evaluate_expression(value.string(), scope) : Polynomial();
  }

  // A port's pattern in numbers; "..." is a batch of sequences.
  [[nodiscard]] std::vector<Extent> shape(const PortSpec& port, const Scope& scope,
                                          const std::vector<Extent>& table) const {
    const Result<Pattern> pattern = parse_pattern(port.shape);
    EXPECT_TRUE(pattern) << spec_.type << ":" << port.name << " " << port.shape;
    if (!pattern) return {};
    if (pattern->any) return table;
    const SymbolicShape batch{Polynomial::symbol(*scope.find("B")),
                              Polynomial::symbol(*scope.find("T"))};
    const Result<SymbolicShape> axes = instantiate(*pattern, scope, arguments_.bindings(), batch);
    EXPECT_TRUE(axes) << spec_.type << ":" << port.name << " " << port.shape;
    std::vector<Extent> shape;
    if (axes)
      for (const Polynomial& axis : *axes)
        shape.push_back(static_cast<Extent>(evaluated(axis, scope)));
    return shape;
  }

  const BlockSpec& spec_;
  Arguments arguments_;
  Ports ports_;
};

inline Flops matrix_flops(const std::vector<Operator>& operators) {
  Flops sum;
  for (const Operator& op : operators) sum += matrix_flops(op);
  return sum;
}

}  // namespace roofbeam
