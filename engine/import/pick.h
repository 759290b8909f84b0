#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/import/values.h"
#include "engine/json/value.h"

namespace roofbeam {

// What a table writes wherever a value of the design is to be had from the config:
//   "$name"                            the value of that name, of whatever type
//   "=hidden/heads"                    an arithmetic expression
//   "?experts > 0"                     whether a condition holds
//   {"when": c, "then": v, "else": w}  v if c holds, else w, or no value where "else" is left out
//   {"merge": [a, b], "without": [..]} the members of several objects, but those named
// Everything else stands for itself; members of objects that have no value are left out, and {..}
// in a text is replaced by what it names or works out to.
// Null where there is no value; nothing where it hangs on a faulty one.
[[nodiscard]] std::optional<json::Value> picked(const json::Value& pick, const Values& values);

// A text with each {name} and {expression} replaced: numbers as `shortest` spells them, texts of
// the config in quotes. An unset or faulty value is left as "?".
[[nodiscard]] std::string filled(std::string_view text, const Values& values);

// Every name a pick or a text to be filled mentions.
void collect_names(const json::Value& pick, std::vector<std::string>& names);

}  // namespace roofbeam
