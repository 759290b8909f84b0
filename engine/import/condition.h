#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/import/values.h"

namespace roofbeam {

// Whether a condition holds:
//   windowed and (layer_types == 'sliding_attention' or not given(layer_types) and i >= first)
// `or`, `and`, `not`, parentheses; comparisons == != < <= > >= and `x in list` between arithmetic
// expressions, 'texts' and names; a bare operand holds unless it is false, 0, empty or unset;
// given(name) asks whether the config itself says it. An unset value equals nothing and is neither
// smaller nor greater. Nothing where the answer hangs on a faulty value.
[[nodiscard]] std::optional<bool> holds(std::string_view condition, const Values& values);

// false, 0, empty and unset are not true; everything else is.
[[nodiscard]] bool is_true(const json::Value& value);

// The names a condition or an arithmetic expression mentions.
[[nodiscard]] std::vector<std::string> mentioned_names(std::string_view text);

}  // namespace roofbeam
