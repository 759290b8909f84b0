#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/analysis.h"
#include "engine/design/document.h"
#include "engine/design/finding.h"
#include "engine/graph/elaboration.h"

namespace roofbeam {

struct SeverityCounts {
  std::size_t error = 0;
  std::size_t warning = 0;
  std::size_t info = 0;
};

// A finding that the document's `rules` regraded or dropped.
struct OverriddenFinding {
  std::string rule;
  std::optional<std::string> path;
  std::string from;  // its own severity
  std::string to;    // the document's, "off", or "?value" for a value that is none and changes nothing
};

// What the design rules say of a design at one operating point.
struct RuleReport {
  SeverityCounts counts;
  Findings findings;  // gravest first, then by path (the whole design first), then by port
  std::vector<OverriddenFinding> overridden;
  std::vector<std::string> unknown_rules;  // in the document's `rules`: ids no rule has

  [[nodiscard]] bool ok() const { return counts.error == 0; }
};

// Holds every rule against a design. `analysis` is of the same design; its point says which lengths,
// devices and budget the figures among the rules are judged by.
[[nodiscard]] RuleReport check_rules(const Document& document, const Elaboration& design,
                                     const Analysis& analysis);

}  // namespace roofbeam
