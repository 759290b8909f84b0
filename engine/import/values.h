#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/algebra/scope.h"
#include "engine/json/value.h"

namespace roofbeam {

// One thing known about the model: read from the config, assumed, or worked out.
struct NamedValue {
  json::Value value;       // null: not set
  bool given = false;      // the config says so itself
  bool faulty = false;     // the config says it wrongly: reported, and nothing can follow from it
  bool per_layer = false;  // a list with one item for each layer
  std::string path;        // JSON Pointer into the config, where it is or would be
};

// What an importer's expressions and conditions may name.
class Values {
 public:
  void set(std::string_view name, NamedValue value);
  void set(std::string_view name, json::Value value);

  // nullptr where nothing of that name was ever set.
  [[nodiscard]] const NamedValue* find(std::string_view name) const;

  // null where unset.
  [[nodiscard]] const json::Value& operator[](std::string_view name) const;

  // An arithmetic expression (engine/algebra) over the numbers and flags. Null where it needs a
  // value that is not set, or has no finite result; nothing where that is due to a faulty one.
  [[nodiscard]] std::optional<json::Value> number(std::string_view expression) const;

 private:
  std::map<std::string, NamedValue, std::less<>> named_;
  Scope numbers_;
};

}  // namespace roofbeam
