#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/json/value.h"

namespace roofbeam::json {

// Takes one object apart strictly and reports everything. A bad or missing field is noted and a
// harmless value stands in (the smallest number allowed, the first choice, false, empty), so that
// reading goes on and every problem is found at once. `done()` turns every member nobody asked for
// into an error with the closest name. A null counts as absent for the optional kinds and as a
// value of the wrong kind for the required ones.
// Codes: json.missing, json.type, json.range, json.not_finite, json.not_whole, json.choice,
// json.unknown_key.
class Reader {
 public:
  // `value` must outlive the reader; a value that is no object is itself a diagnostic, after which
  // nothing more is noted about it.
  Reader(const Value& value, std::string path, Diagnostics& problems);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path_of(std::string_view key) const { return pointer(path_, key); }
  [[nodiscard]] bool has(std::string_view key) const;  // present and not null

  // Required members.
  std::string string(std::string_view key);
  double number(std::string_view key);           // finite
  double positive_number(std::string_view key);  // finite, > 0
  std::int64_t count(std::string_view key);      // whole, >= 1
  std::int64_t whole(std::string_view key, std::int64_t minimum = 0);
  bool boolean(std::string_view key);
  std::string choice(std::string_view key, std::span<const std::string_view> allowed);
  const Value& value(std::string_view key);  // any kind, null too; null if missing (noted)
  Reader object(std::string_view key);
  const Array& array(std::string_view key);

  // Optional members: nothing where absent or null, or where the value is wrong (noted).
  std::optional<std::string> optional_string(std::string_view key);
  std::optional<double> optional_number(std::string_view key);
  std::optional<double> optional_positive_number(std::string_view key);
  std::optional<std::int64_t> optional_count(std::string_view key);
  std::optional<std::int64_t> optional_whole(std::string_view key, std::int64_t minimum = 0);
  std::optional<bool> optional_boolean(std::string_view key);
  std::optional<std::string> optional_choice(std::string_view key,
                                             std::span<const std::string_view> allowed);
  const Value* optional_value(std::string_view key);
  std::optional<Reader> optional_object(std::string_view key);
  const Array* optional_array(std::string_view key);

  // Members in document order, all marked as read: for maps with free keys.
  const Object& members();
  void ignore(std::string_view key);

  // Notes a problem with one member, or with the object itself where key is empty.
  void problem(std::string_view key, std::string code, std::string message, std::string hint = "");

  // Every member left unread is an error, in document order; from the 1,000th on they are counted.
  void done();

 private:
  // Of an object that is not there: every question gets its harmless answer, nothing is noted.
  Reader(std::string path, Diagnostics& problems);

  const Value* find(std::string_view key);  // a null included; marks the key as known and read
  const Value* take(std::string_view key);  // nullptr for a null
  const Value* require(std::string_view key, std::string_view wanted);
  void wrong(std::string_view key, const Value& found, std::string_view wanted, std::string code,
             std::string hint = "");

  // The value if it is what is wanted, else nothing and a note.
  std::optional<std::string> as_string(std::string_view key, const Value& found);
  std::optional<double> as_number(std::string_view key, const Value& found);
  std::optional<double> as_positive_number(std::string_view key, const Value& found);
  std::optional<std::int64_t> as_whole(std::string_view key, const Value& found,
                                       std::int64_t minimum);
  std::optional<bool> as_boolean(std::string_view key, const Value& found);
  std::optional<std::string> as_choice(std::string_view key, const Value& found,
                                       std::span<const std::string_view> allowed);
  std::optional<Reader> as_object(std::string_view key, const Value& found);
  const Array* as_array(std::string_view key, const Value& found);

  const Object* members_ = nullptr;  // nullptr where there is no object to read
  std::string path_;
  Diagnostics* problems_;
  std::vector<std::string> asked_;  // known names
  std::vector<bool> read_;          // for each member
};

}  // namespace roofbeam::json
