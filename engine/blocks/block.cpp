#include "engine/blocks/block.h"

namespace roofbeam {

std::string_view name(Category category) {
  switch (category) {
    case Category::io:
      return "io";
    case Category::embedding:
      return "embedding";
    case Category::linear:
      return "linear";
    case Category::head:
      return "head";
    case Category::norm:
      return "norm";
    case Category::elementwise:
      return "elementwise";
    case Category::attention:
      return "attention";
    case Category::position:
      return "position";
    case Category::moe:
      return "moe";
    case Category::shape:
      return "shape";
    case Category::ssm:
      return "ssm";
    case Category::mlp:
      return "mlp";
    case Category::block:
      return "block";
    case Category::container:
      return "container";
  }
  return "";
}

std::string_view name(ElementClass element) {
  switch (element) {
    case ElementClass::inherit:
      return "inherit";
    case ElementClass::real:
      return "real";
    case ElementClass::half:
      return "half";
    case ElementClass::single:
      return "float";
    case ElementClass::fp8:
      return "fp8";
    case ElementClass::integer:
      return "int";
    case ElementClass::boolean:
      return "bool";
  }
  return "";
}

std::optional<Category> category_named(std::string_view wanted) {
  for (int i = 0; i <= static_cast<int>(Category::container); ++i)
    if (const auto category = static_cast<Category>(i); name(category) == wanted) return category;
  return std::nullopt;
}

std::optional<ElementClass> element_class_named(std::string_view wanted) {
  for (int i = 0; i <= static_cast<int>(ElementClass::boolean); ++i)
    if (const auto element = static_cast<ElementClass>(i); name(element) == wanted) return element;
  return std::nullopt;
}

const ParamSpec* BlockSpec::param(std::string_view wanted) const {
  for (const ParamSpec& spec : params)
    if (spec.name == wanted) return &spec;
  return nullptr;
}

namespace {

ParamSpec param(std::string name, ParamType type, std::optional<json::Value> fallback,
                std::string doc) {
  ParamSpec spec;
  spec.name = std::move(name);
  spec.type = type;
  spec.fallback = std::move(fallback);
  spec.doc = std::move(doc);
  return spec;
}

ParamSpec at_least(double minimum, ParamSpec spec) {
  spec.minimum = minimum;
  return spec;
}

}  // namespace

ParamSpec size_param(std::string name, std::string doc) {
  return at_least(1, param(std::move(name), ParamType::integer, std::nullopt, std::move(doc)));
}

ParamSpec size_param(std::string name, std::int64_t fallback, std::string doc) {
  return at_least(
      1, param(std::move(name), ParamType::integer, json::Value(fallback), std::move(doc)));
}

ParamSpec whole_param(std::string name, std::int64_t fallback, std::string doc) {
  return at_least(
      0, param(std::move(name), ParamType::integer, json::Value(fallback), std::move(doc)));
}

ParamSpec integer_param(std::string name, std::int64_t fallback, std::string doc) {
  return param(std::move(name), ParamType::integer, json::Value(fallback), std::move(doc));
}

ParamSpec number_param(std::string name, double fallback, std::string doc) {
  return param(std::move(name), ParamType::number, json::Value(fallback), std::move(doc));
}

ParamSpec nullable_number_param(std::string name, std::string doc) {
  return param(std::move(name), ParamType::number, json::Value(), std::move(doc));
}

ParamSpec pattern_param(std::string name, std::string doc) {
  return param(std::move(name), ParamType::pattern, std::nullopt, std::move(doc));
}

ParamSpec pattern_param(std::string name, std::string fallback, std::string doc) {
  return param(std::move(name), ParamType::pattern, json::Value(std::move(fallback)),
               std::move(doc));
}

ParamSpec expressions_param(std::string name, std::string doc) {
  return param(std::move(name), ParamType::expressions, std::nullopt, std::move(doc));
}

ParamSpec flag_param(std::string name, bool fallback, std::string doc) {
  return param(std::move(name), ParamType::boolean, json::Value(fallback), std::move(doc));
}

ParamSpec tristate_param(std::string name, std::string doc) {
  return param(std::move(name), ParamType::boolean, json::Value(), std::move(doc));
}

ParamSpec text_param(std::string name, std::string fallback, std::string doc) {
  return param(std::move(name), ParamType::text, json::Value(std::move(fallback)), std::move(doc));
}

ParamSpec choice_param(std::string name, std::string fallback, std::vector<std::string> choices,
                       std::string doc) {
  ParamSpec spec =
      param(std::move(name), ParamType::choice, json::Value(std::move(fallback)), std::move(doc));
  spec.choices = std::move(choices);
  return spec;
}

ParamSpec object_param(std::string name, std::string doc) {
  return param(std::move(name), ParamType::object, json::Value(), std::move(doc));
}

}  // namespace roofbeam
