#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/result.h"

namespace roofbeam::json {

class Value;

// Members in document order. Keys are unique: the reader refuses duplicates.
using Member = std::pair<std::string, Value>;
using Object = std::vector<Member>;
// An array of one array is Array{Value(array)}: compilers differ on what Array{array} is.
using Array = std::vector<Value>;

// One JSON value. Integers that fit 64 bits stay exact beside doubles.
class Value {
 public:
  Value() = default;  // null
  Value(std::nullptr_t) {}
  Value(bool value) : data_(value) {}
  Value(int value) : data_(static_cast<std::int64_t>(value)) {}
  Value(std::int64_t value) : data_(value) {}
  Value(double value) : data_(value) {}
  Value(const char* value) : data_(std::string(value)) {}
  Value(std::string_view value) : data_(std::string(value)) {}
  Value(std::string value) : data_(std::move(value)) {}
  Value(Array value) : data_(std::move(value)) {}
  Value(Object value) : data_(std::move(value)) {}

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(data_); }
  [[nodiscard]] bool is_integer() const { return std::holds_alternative<std::int64_t>(data_); }
  [[nodiscard]] bool is_number() const {
    return is_integer() || std::holds_alternative<double>(data_);
  }
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(data_); }
  [[nodiscard]] bool is_array() const { return std::holds_alternative<Array>(data_); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<Object>(data_); }

  // Each requires the kind its name says.
  [[nodiscard]] bool boolean() const { return std::get<bool>(data_); }
  [[nodiscard]] std::int64_t integer() const { return std::get<std::int64_t>(data_); }
  [[nodiscard]] double number() const;
  [[nodiscard]] const std::string& string() const { return std::get<std::string>(data_); }
  [[nodiscard]] const Array& array() const { return std::get<Array>(data_); }
  [[nodiscard]] Array& array() { return std::get<Array>(data_); }
  [[nodiscard]] const Object& object() const { return std::get<Object>(data_); }
  [[nodiscard]] Object& object() { return std::get<Object>(data_); }

  // The member of that name, or nullptr; nullptr too where this is no object.
  [[nodiscard]] const Value* find(std::string_view key) const;

  // Replaces or appends a member. Requires an object.
  void set(std::string_view key, Value value);

  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> data_;
};

// Structural limits of what is read, so that hostile text costs a bounded time.
inline constexpr std::size_t kMaxTextBytes = 16u
                                             << 20;  // the largest real config.json seen is 2.8 MB
inline constexpr std::size_t kMaxDepth = 256;        // designs nest 32 graphs, four levels each

// Reads strict JSON (UTF-8, one value, no duplicate keys, at most kMaxDepth levels). Python's
// `NaN`, `Infinity` and `-Infinity` are read as numbers, because real config.json files hold them;
// whoever takes a number out must ask for a finite one (reader.h does). Diagnostics: json.empty,
// json.encoding, json.syntax, json.too_deep, json.too_large, json.duplicate_key, json.number_range.
[[nodiscard]] Result<Value> parse(std::string_view text);

// "a JSON object", "the number 4.5", "the text \"abc\"", "null", ...: what a message calls a value.
[[nodiscard]] std::string described(const Value& value);

// A JSON Pointer one step further: '~' and '/' escaped.
[[nodiscard]] std::string pointer(std::string_view parent, std::string_view key);
[[nodiscard]] std::string pointer(std::string_view parent, std::size_t index);

}  // namespace roofbeam::json
