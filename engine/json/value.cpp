#include "engine/json/value.h"

#include <algorithm>

#include "engine/base/text.h"

namespace roofbeam::json {

double Value::number() const {
  return is_integer() ? static_cast<double>(integer()) : std::get<double>(data_);
}

const Value* Value::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  const auto found = std::ranges::find(object(), key, &Member::first);
  return found != object().end() ? &found->second : nullptr;
}

void Value::set(std::string_view key, Value value) {
  const auto found = std::ranges::find(object(), key, &Member::first);
  if (found != object().end())
    found->second = std::move(value);
  else
    object().emplace_back(key, std::move(value));
}

std::string described(const Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return value.boolean() ? "true" : "false";
  if (value.is_integer()) return "the number " + std::to_string(value.integer());
  if (value.is_number()) return "the number " + shortest(value.number());
  if (value.is_string()) return "the text " + quoted(value.string());
  return value.is_array() ? "a JSON array" : "a JSON object";
}

std::string pointer(std::string_view parent, std::string_view key) {
  std::string path(parent);
  path += '/';
  for (const char c : key) {
    if (c == '~')
      path += "~0";
    else if (c == '/')
      path += "~1";
    else
      path += c;
  }
  return path;
}

std::string pointer(std::string_view parent, std::size_t index) {
  return pointer(parent, std::to_string(index));
}

}  // namespace roofbeam::json
