#include "engine/graph/resolve.h"

#include <cmath>
#include <limits>

#include "engine/base/text.h"
#include "engine/graph/hints.h"

namespace roofbeam {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool is_numeric(ParamType type) {
  return type == ParamType::integer || type == ParamType::number;
}

// Resolves the parameters of one block, collecting findings.
class Resolver {
 public:
  Resolver(const BlockSpec& spec, const Scope& scope, const std::string& path, Findings& findings)
      : spec_(spec), scope_(scope), path_(path), findings_(findings) {
    arguments_.resize(spec.params.size());
    for (std::size_t i = 0; i < spec.params.size(); ++i) arguments_[i].spec = &spec.params[i];
  }

  // The argument of that name, to be filled; nullptr (and a finding) where the block has none.
  Argument* argument(std::string_view name) {
    for (Argument& argument : arguments_)
      if (argument.spec->name == name) return &argument;
    std::vector<std::string_view> known;
    if (is_hinted(findings_))
      for (const ParamSpec& spec : spec_.params) known.push_back(spec.name);
    problem(std::string(name), spec_.type + " has no parameter " + quoted(name),
            spec_.params.empty() ? "it takes none" : closest_hint(name, known));
    return nullptr;
  }

  void set_written(Argument& argument, const json::Value& written,
                   std::span<const Binding> bindings = {}) {
    argument.given = true;
    if (written.is_null() && argument.spec->fallback) {
      argument.given = false;
      return;  // the fallback stands in
    }
    argument.written = written;
    read(argument, bindings);
  }

  // The composite's own argument, whole: no text is read again.
  void set_inherited(Argument& argument, const Argument& outer) {
    if (outer.written.is_null() && outer.spec->fallback && argument.spec->fallback &&
        !is_numeric(outer.spec->type)) {
      argument.given = false;
      return;
    }
    argument.given = true;
    argument.written = outer.written;
    if (is_numeric(argument.spec->type) && is_numeric(outer.spec->type)) {
      if (outer.written.is_null()) {
        argument.given = !argument.spec->fallback.has_value();
        return;
      }
      argument.symbolic = outer.symbolic;
      argument.value = outer.value;
      check_number(argument);
    } else {
      read(argument, {});
    }
  }

  Arguments finish() && {
    for (Argument& argument : arguments_) {
      if (argument.given) continue;
      if (argument.spec->fallback) {
        argument.written = *argument.spec->fallback;
        read(argument, {});
      } else {
        argument.value = kNan;
        problem(argument.spec->name,
                spec_.type + " is missing its parameter " + quoted(argument.spec->name),
                argument.spec->doc);
      }
    }
    return Arguments(std::move(arguments_));
  }

  void problem(const std::string& param, std::string message, std::string hint = "") {
    findings_.push_back({.rule = "shape",
                         .severity = Severity::error,
                         .path = path_,
                         .port = {},
                         .param = param,
                         .message = std::move(message),
                         .hint = std::move(hint)});
  }

 private:
  void wrong_kind(Argument& argument, std::string_view wanted) {
    argument.value = kNan;
    problem(argument.spec->name, "found " + described(argument.written) + " for " +
                                     argument.spec->name + ", wanted " + std::string(wanted));
    argument.written = json::Value();
  }

  void read(Argument& argument, std::span<const Binding> bindings) {
    const json::Value& written = argument.written;
    switch (argument.spec->type) {
      case ParamType::integer:
      case ParamType::number: read_number(argument, bindings); return;
      case ParamType::boolean:
        if (!written.is_bool() && !written.is_null()) wrong_kind(argument, "true or false");
        return;
      case ParamType::choice: read_choice(argument); return;
      case ParamType::text:
      case ParamType::pattern:
        if (!written.is_string() && !written.is_null()) wrong_kind(argument, "text");
        return;
      case ParamType::object: return;
      case ParamType::expressions: read_expressions(argument, bindings); return;
    }
  }

  // One number or expression as a polynomial; nothing (and a finding) where it is neither.
  std::optional<Polynomial> polynomial(const Argument& argument, const json::Value& written,
                                       std::span<const Binding> bindings) {
    if (written.is_number()) {
      const std::optional<Rational> exact = rational_of(written.number());
      if (exact) return Polynomial(*exact);
      problem(argument.spec->name, "the number " + shortest(written.number()) + " for " +
                                       argument.spec->name + " is too large or too fine to be exact");
      return std::nullopt;
    }
    Result<Polynomial> value = evaluate_expression(written.string(), scope_, bindings);
    if (value) return std::move(*value);
    const Diagnostic& error = value.errors().front();
    problem(argument.spec->name,
            argument.spec->name + " = " + quoted(written.string()) + ": " + error.message, error.hint);
    return std::nullopt;
  }

  void read_number(Argument& argument, std::span<const Binding> bindings) {
    const json::Value& written = argument.written;
    argument.value = kNan;
    if (written.is_null()) return;
    if (!written.is_number() && !written.is_string()) {
      wrong_kind(argument, "a number or an expression");
      return;
    }
    if (std::optional<Polynomial> value = polynomial(argument, written, bindings)) {
      argument.symbolic = std::move(*value);
      argument.value = evaluated(argument.symbolic, scope_);
      check_number(argument);
    }
  }

  void check_number(Argument& argument) {
    const ParamSpec& spec = *argument.spec;
    const double value = argument.value;
    if (!std::isfinite(value)) {
      argument.value = kNan;  // the symbol at fault has a finding of its own
      return;
    }
    const bool whole = spec.type != ParamType::integer || value == std::floor(value);
    const bool low = spec.minimum && value < *spec.minimum;
    const bool high = spec.maximum && value > *spec.maximum;
    if (whole && !low && !high) return;
    std::string wanted = spec.type == ParamType::integer ? "a whole number" : "a number";
    if (spec.minimum) wanted += " of at least " + shortest(*spec.minimum);
    if (spec.maximum) wanted += (spec.minimum ? " and" : " of") + std::string(" at most ") + shortest(*spec.maximum);
    std::string found = shortest(value);
    if (argument.written.is_string()) found = argument.written.string() + " = " + found;
    problem(spec.name, spec.name + " is " + found + ", wanted " + wanted);
  }

  void read_choice(Argument& argument) {
    const json::Value& written = argument.written;
    if (written.is_null() && argument.spec->fallback && argument.spec->fallback->is_null()) return;
    if (!written.is_string()) {
      wrong_kind(argument, "one of " + join(argument.spec->choices, ", "));
      return;
    }
    for (const std::string& choice : argument.spec->choices)
      if (choice == written.string()) return;
    const std::string hint =
        is_hinted(findings_) ? closest_hint(written.string(), argument.spec->choices) : std::string();
    problem(argument.spec->name,
            "found " + quoted(written.string()) + " for " + argument.spec->name + ", wanted one of " +
                join(argument.spec->choices, ", "),
            hint);
    argument.written = json::Value();
  }

  void read_expressions(Argument& argument, std::span<const Binding> bindings) {
    const json::Value& written = argument.written;
    if (!written.is_array()) {
      wrong_kind(argument, "a list of numbers or expressions");
      return;
    }
    for (const json::Value& item : written.array()) {
      std::optional<Polynomial> value;
      if (item.is_number() || item.is_string())
        value = polynomial(argument, item, bindings);
      else
        problem(argument.spec->name, "found " + described(item) + " in " + argument.spec->name +
                                         ", wanted a number or an expression");
      argument.item_values.push_back(value ? evaluated(*value, scope_) : kNan);
      argument.items.push_back(value ? std::move(*value) : Polynomial());
    }
  }

  const BlockSpec& spec_;
  const Scope& scope_;
  const std::string& path_;
  Findings& findings_;
  std::vector<Argument> arguments_;
};

// Gives an inner parameter its value from the composite's arguments.
void set_from_template(Resolver& resolver, Argument& argument, const TemplateValue& value,
                       const Arguments& outer, const Scope& scope,
                       std::span<const Binding> bindings) {
  switch (value.kind) {
    case TemplateValue::Kind::literal: resolver.set_written(argument, value.literal, bindings); return;
    case TemplateValue::Kind::inherited: resolver.set_inherited(argument, outer.at(value.param)); return;
    case TemplateValue::Kind::member: {
      const json::Value* member = outer.at(value.param).written.find(value.key);
      if (member != nullptr) resolver.set_written(argument, *member, {});
      return;
    }
    case TemplateValue::Kind::first_set:
      set_from_template(resolver, argument, chosen(value, outer), outer, scope, bindings);
      return;
    case TemplateValue::Kind::expression: break;
  }
  switch (argument.spec->type) {
    case ParamType::integer:
    case ParamType::number:
    case ParamType::expressions: resolver.set_written(argument, value.literal, bindings); return;
    default: break;
  }
  resolver.set_written(argument, substituted(value.literal, outer));
}

// "$name" for every number argument of the composite.
class OuterNames {
 public:
  explicit OuterNames(const Arguments& outer) {
    names_.reserve(outer.all().size());
    for (const Argument& argument : outer.all()) {
      if (!is_numeric(argument.spec->type)) continue;
      names_.push_back("$" + argument.spec->name);
      bindings_.push_back({names_.back(), &argument.symbolic});
    }
  }
  [[nodiscard]] std::span<const Binding> bindings() const { return bindings_; }

 private:
  std::vector<std::string> names_;
  std::vector<Binding> bindings_;
};

}  // namespace

Arguments resolve_arguments(const BlockSpec& spec,
                            const std::vector<std::pair<std::string, json::Value>>& written,
                            const Scope& scope, const std::string& path, Findings& findings) {
  Resolver resolver(spec, scope, path, findings);
  for (const auto& [name, value] : written)
    if (Argument* argument = resolver.argument(name)) resolver.set_written(*argument, value);
  return std::move(resolver).finish();
}

Arguments resolve_arguments(const BlockSpec& spec,
                            const std::vector<std::pair<std::string, TemplateValue>>& written,
                            const Arguments& outer, const Scope& scope, const std::string& path,
                            Findings& findings) {
  Resolver resolver(spec, scope, path, findings);
  const OuterNames names(outer);
  for (const auto& [name, value] : written)
    if (Argument* argument = resolver.argument(name))
      set_from_template(resolver, *argument, value, outer, scope, names.bindings());
  return std::move(resolver).finish();
}

}  // namespace roofbeam
