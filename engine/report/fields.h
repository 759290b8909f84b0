#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/blocks/block.h"
#include "engine/graph/elaboration.h"
#include "engine/json/writer.h"

namespace roofbeam {

// Small values that several reports write alike.

void write_text_or_null(json::Writer& out, const std::optional<std::string>& text);
void write_number_or_null(json::Writer& out, const std::optional<double>& number);

[[nodiscard]] std::string_view kind_name(BlockKind kind);

// A shape with design values put in, runtime symbols left: "B T 4096". Nothing where a value is not
// known.
[[nodiscard]] std::optional<std::string> numeric_text(const SymbolicShape& shape, const Scope& scope);

// An argument as the document would write it: inside a composite, whose templates are written in its
// own parameters, numbers and expressions in the design's symbols stand in for the template's text.
[[nodiscard]] json::Value as_written(const Argument& argument, const Scope& scope);

// The expression an argument is written as; nothing where it is a plain value.
[[nodiscard]] std::optional<std::string> expression_of(const Argument& argument, const Scope& scope);

// What an argument comes to: its number, its numbers, or what was written.
[[nodiscard]] json::Value value_of(const Argument& argument);

// A value on one line of text: strings bare where that is clear, structures as JSON.
[[nodiscard]] std::string value_text(const json::Value& value);

}  // namespace roofbeam
