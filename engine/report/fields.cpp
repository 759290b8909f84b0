#include "engine/report/fields.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"

namespace roofbeam {
namespace {

bool is_numeric(const Argument& argument) {
  return argument.spec->type == ParamType::integer || argument.spec->type == ParamType::number;
}

// A number where the polynomial is one, else its text.
json::Value written_polynomial(const Polynomial& polynomial, const Scope& scope) {
  if (const std::optional<Rational> constant = polynomial.as_constant()) return json::Value(constant->value());
  return json::Value(text(polynomial, scope));
}

bool is_of_template(const json::Value& written) {
  if (written.is_string()) return written.string().find('$') != std::string::npos;
  return written.is_array() && std::ranges::any_of(written.array(), is_of_template);
}

}  // namespace

void write_text_or_null(json::Writer& out, const std::optional<std::string>& text) {
  if (text)
    out.string(*text);
  else
    out.null();
}

void write_number_or_null(json::Writer& out, const std::optional<double>& number) {
  if (number)
    out.number(*number);
  else
    out.null();
}

std::string_view kind_name(BlockKind kind) {
  switch (kind) {
    case BlockKind::primitive: return "primitive";
    case BlockKind::composite: return "composite";
    case BlockKind::container: return "container";
  }
  return "primitive";
}

std::optional<std::string> numeric_text(const SymbolicShape& shape, const Scope& scope) {
  SymbolicShape numeric;
  for (const Polynomial& axis : shape) {
    std::optional<Polynomial> value = with_design_values(axis, scope);
    if (!value) return std::nullopt;
    numeric.push_back(std::move(*value));
  }
  return text(numeric, scope);
}

json::Value as_written(const Argument& argument, const Scope& scope) {
  if (!is_of_template(argument.written)) return argument.written;
  if (is_numeric(argument)) return written_polynomial(argument.symbolic, scope);
  if (argument.spec->type != ParamType::expressions) return argument.written;
  json::Array items;
  for (const Polynomial& item : argument.items) items.push_back(written_polynomial(item, scope));
  return json::Value(std::move(items));
}

std::optional<std::string> expression_of(const Argument& argument, const Scope& scope) {
  if (!is_numeric(argument) && argument.spec->type != ParamType::expressions) return std::nullopt;
  const json::Value written = as_written(argument, scope);
  if (written.is_string()) return written.string();
  if (!written.is_array() || std::ranges::none_of(written.array(), &json::Value::is_string)) return std::nullopt;
  std::string list;
  for (const json::Value& item : written.array()) list += (list.empty() ? "" : ", ") + value_text(item);
  return list;
}

json::Value value_of(const Argument& argument) {
  if (is_numeric(argument) && argument.written.is_null()) return json::Value();
  if (is_numeric(argument)) return json::Value(argument.value);
  if (argument.spec->type != ParamType::expressions) return argument.written;
  json::Array values;
  for (const double value : argument.item_values) values.push_back(json::Value(value));
  return json::Value(std::move(values));
}

std::string value_text(const json::Value& value) {
  if (value.is_number()) return shortest(value.number());
  if (value.is_string() && value.string().find_first_of(" \t\n\"=") == std::string::npos && !value.string().empty())
    return value.string();
  return json::write(value, json::Layout::compact);
}

}  // namespace roofbeam
