#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofbeam {

enum class Severity : std::uint8_t { error, warning, info };

// "error", "warning", "info".
[[nodiscard]] std::string_view name(Severity severity);

// Something to say about a design that could be read: a wire that does not fit, heads that do not
// divide. Unlike a Diagnostic it does not stop the analysis; `roofbeam validate` lists it.
struct Finding {
  std::string rule;  // stable: "shape", "SDPA-01", "vocab-padding"
  Severity severity = Severity::error;
  std::optional<std::string> path;   // the block, "layers/block/attn"; nothing for the whole design
  std::optional<std::string> port;   // the block's port
  std::optional<std::string> param;  // the block's parameter
  std::string message;
  std::string hint;  // how to mend it; may be empty

  friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

}  // namespace roofbeam
