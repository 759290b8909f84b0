#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/check.h"

namespace roofbeam {

// One thing wrong with a request: programs match the code, people read the message.
struct Diagnostic {
  std::string code;     // stable: "json.duplicate_key"
  std::string path;     // JSON Pointer to the value at fault; empty for the whole document
  std::string message;  // what was found and what was wanted
  std::string hint;     // how to mend it; may be empty

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

// A value, or every reason there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Diagnostic error) { errors_.push_back(std::move(error)); }
  // Requires at least one error.
  Result(Diagnostics errors) : errors_(std::move(errors)) { ROOFBEAM_CHECK(!errors_.empty()); }

  explicit operator bool() const { return value_.has_value(); }
  const T& operator*() const& { return checked(); }
  T& operator*() & { return const_cast<T&>(checked()); }
  T&& operator*() && { return std::move(const_cast<T&>(checked())); }
  const T* operator->() const { return &checked(); }
  T* operator->() { return &const_cast<T&>(checked()); }
  const Diagnostics& errors() const { return errors_; }

 private:
  const T& checked() const {
    ROOFBEAM_CHECK(value_.has_value());
    return *value_;
  }

  std::optional<T> value_;
  Diagnostics errors_;
};

}  // namespace roofbeam
