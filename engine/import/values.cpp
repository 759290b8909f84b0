#include "engine/import/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/algebra/expression.h"
#include "engine/base/extent.h"

namespace roofbeam {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Doubles count whole numbers one by one up to here.
constexpr double kTwoTo53 = 9007199254740992.0;

json::Value as_json(double number) {
  const bool whole = number == std::floor(number) && std::abs(number) <= kTwoTo53;
  return whole ? json::Value(static_cast<Extent>(number)) : json::Value(number);
}

}  // namespace

void Values::set(std::string_view name, NamedValue value) {
  if (!value.faulty && value.value.is_number())
    numbers_.declare(name, value.value.number(), SymbolKind::design);
  else if (!value.faulty && value.value.is_bool())
    numbers_.declare(name, value.value.boolean() ? 1 : 0, SymbolKind::design);
  else
    numbers_.declare(name, kNan, SymbolKind::design);
  named_.insert_or_assign(std::string(name), std::move(value));
}

void Values::set(std::string_view name, json::Value value) {
  NamedValue named;
  named.value = std::move(value);
  set(name, std::move(named));
}

const NamedValue* Values::find(std::string_view name) const {
  const auto found = named_.find(name);
  return found != named_.end() ? &found->second : nullptr;
}

const json::Value& Values::operator[](std::string_view name) const {
  static const json::Value unset;
  const NamedValue* found = find(name);
  return found != nullptr ? found->value : unset;
}

std::optional<json::Value> Values::number(std::string_view expression) const {
  const Result<Polynomial> polynomial = evaluate_expression(expression, numbers_);
  const double number = polynomial ? evaluated(*polynomial, numbers_) : kNan;
  if (std::isfinite(number)) return as_json(number);
  const Result<std::vector<std::string>> names = names_in(expression);
  const bool due_to_fault = names && std::ranges::any_of(*names, [this](const std::string& name) {
                              const NamedValue* named = find(name);
                              return named != nullptr && named->faulty;
                            });
  return due_to_fault ? std::nullopt : std::optional(json::Value());
}

}  // namespace roofbeam
