#pragma once

#include <cstddef>
#include <string_view>

#include "engine/algebra/attention_expression.h"

namespace roofbeam {

// The type of a part of an expression; `failed` where a problem was noted already.
enum class AttentionType : std::uint8_t { number, boolean, failed };

// An expression as read: types are noted, meanings beyond them not yet judged.
struct AttentionTree {
  AttentionExpression expression;  // all but `folded` and `text`
  AttentionType type = AttentionType::failed;
  Diagnostics problems;
  bool syntax_error = false;  // the first problem ended the reading
};

// Without a context every plain name is taken for a number.
[[nodiscard]] AttentionTree read_attention(std::string_view text, const AttentionContext* context);

}  // namespace roofbeam
