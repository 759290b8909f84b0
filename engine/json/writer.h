#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/json/value.h"

namespace roofbeam::json {

enum class Layout {
  compact,  // one line, no spaces
  readable  // two-space indent; an object or array that fits 100 columns on one line, what stands
            // before it and a comma included, stays on it: { "a": [1, 2] }
};

// Serialises a value, members in their order, strings escaped for JSON, numbers as `shortest`
// spells them; non-finite numbers become null, bytes that are no UTF-8 become U+FFFD. `readable`
// ends with a newline. Linear in the size of the value, without recursion.
[[nodiscard]] std::string write(const Value& value, Layout layout);

// Streams JSON text without building a tree: what a response of thousands of rows uses. Calls must
// nest properly (checked). Non-finite numbers are written as null.
class Writer {
 public:
  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  Writer& key(std::string_view name);
  Writer& string(std::string_view text);
  Writer& number(double value);
  Writer& integer(std::int64_t value);
  Writer& boolean(bool value);
  Writer& null();
  Writer& value(const Value& value);

  // The finished compact text; the writer starts anew. Requires one value, every begin of which has
  // met its end.
  [[nodiscard]] std::string take();

 private:
  Writer& begin(char bracket);
  Writer& end(char bracket, char closing);
  void before_value();
  void separate();

  std::string text_;
  std::string open_;   // '{' or '[' for each level
  bool first_ = true;  // nothing written yet at this level
  bool after_key_ = false;
};

}  // namespace roofbeam::json
