#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/import/values.h"

namespace roofbeam {

// A condition of a table:
//   windowed and (layer_types == 'sliding_attention' or not given(layer_types) and i >= first)
// `or`, `and`, `not`, parentheses; comparisons == != < <= > >= and `x in list` between arithmetic
// expressions, 'texts' and names; a bare operand holds unless it is false, 0, empty or unset;
// given(name) asks whether the config itself says it. An unset value equals nothing and is neither
// smaller nor greater.
class Condition {
 public:
  // `text` comes from a table, is sound (checked), and must outlive the condition.
  explicit Condition(std::string_view text);

  // Nothing where the answer hangs on a faulty value. What comes after the deciding part of an
  // `and` or `or` is not evaluated.
  [[nodiscard]] std::optional<bool> holds(const Values& values) const;

 private:
  friend class ConditionParser;

  struct Operand {
    enum class Kind : std::uint8_t { text, name, arithmetic };
    Kind kind = Kind::name;
    std::string_view text;
  };
  struct Node {
    enum class Kind : std::uint8_t { either, both, negation, comparison, member, truth, given };
    Kind kind = Kind::truth;
    std::size_t left = 0;   // either, both, negation: indices into nodes_
    std::size_t right = 0;  // either, both
    Operand a;              // the others
    Operand b;              // comparison, member
    std::string_view sign;  // comparison
  };

  [[nodiscard]] std::optional<bool> holds(const Node& node, const Values& values) const;
  static std::optional<json::Value> value_of(const Operand& operand, const Values& values);

  std::vector<Node> nodes_;
  std::size_t root_ = 0;
};

[[nodiscard]] std::optional<bool> holds(std::string_view condition, const Values& values);

// false, 0, empty and unset are not true; everything else is.
[[nodiscard]] bool is_true(const json::Value& value);

// The names a condition or an arithmetic expression mentions.
[[nodiscard]] std::vector<std::string> mentioned_names(std::string_view text);

}  // namespace roofbeam
