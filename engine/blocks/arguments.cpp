#include "engine/blocks/arguments.h"

#include "engine/base/check.h"

namespace roofbeam {

const Argument* Arguments::find(std::string_view name) const {
  for (const Argument& argument : arguments_)
    if (argument.spec->name == name) return &argument;
  return nullptr;
}

const Argument& Arguments::at(std::string_view name) const {
  const Argument* argument = find(name);
  ROOFBEAM_CHECK(argument != nullptr);
  return *argument;
}

bool Arguments::flag(std::string_view name) const {
  const json::Value& written = at(name).written;
  return written.is_bool() && written.boolean();
}

std::string_view Arguments::text(std::string_view name) const {
  const json::Value& written = at(name).written;
  return written.is_string() ? std::string_view(written.string()) : std::string_view();
}

std::vector<Binding> Arguments::bindings() const {
  std::vector<Binding> bindings;
  bindings.reserve(arguments_.size());
  for (const Argument& argument : arguments_)
    if (argument.spec->type == ParamType::integer || argument.spec->type == ParamType::number)
      bindings.push_back({argument.spec->name, &argument.symbolic});
  return bindings;
}

}  // namespace roofbeam
