#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/algebra/expression.h"
#include "engine/design/finding.h"
#include "engine/json/value.h"

namespace roofbeam {

enum class ParamType : std::uint8_t {
  integer,
  number,
  boolean,
  choice,
  text,
  pattern,
  object,
  expressions
};

// One parameter a block type takes.
struct ParamSpec {
  std::string name;
  ParamType type = ParamType::integer;
  std::optional<json::Value> fallback;  // nothing: the parameter must be given
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::vector<std::string> choices;
  std::string doc;
};

// A parameter of one block instance: its written value, and for numbers both the polynomial that
// shapes are built from and its value.
struct Argument {
  const ParamSpec* spec = nullptr;
  json::Value written;              // as written, inherited from a composite, or the fallback
  Polynomial symbolic;              // integer and number parameters
  double value = 0;                 // the same as a number; NaN where it could not be had
  std::vector<Polynomial> items;    // a list of expressions: each item
  std::vector<double> item_values;  // and its value
  bool given = false;               // false: the fallback stands in
};

// The resolved parameters of one instance, in the order of its block type's declaration.
class Arguments {
 public:
  Arguments() = default;
  explicit Arguments(std::vector<Argument> arguments) : arguments_(std::move(arguments)) {}

  void add(Argument argument) { arguments_.push_back(std::move(argument)); }

  // Each requires a declared name.
  [[nodiscard]] const Argument& at(std::string_view name) const;
  [[nodiscard]] double number(std::string_view name) const { return at(name).value; }
  [[nodiscard]] bool is_null(std::string_view name) const { return at(name).written.is_null(); }
  // A boolean parameter; null counts as false.
  [[nodiscard]] bool flag(std::string_view name) const;
  // A choice or text parameter; null counts as "".
  [[nodiscard]] std::string_view text(std::string_view name) const;

  [[nodiscard]] const Argument* find(std::string_view name) const;
  [[nodiscard]] std::span<const Argument> all() const { return arguments_; }

  // Names for the block's patterns: every number parameter. Points into this object.
  [[nodiscard]] std::vector<Binding> bindings() const;

 private:
  std::vector<Argument> arguments_;
};

}  // namespace roofbeam
