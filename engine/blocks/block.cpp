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

}  // namespace roofbeam
