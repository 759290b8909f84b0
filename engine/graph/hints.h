#pragma once

#include <cstddef>

#include "engine/design/finding.h"

namespace roofbeam {

// Beyond these nobody reads a closest name, and looking for one in a design of a hundred thousand
// faults would take minutes.
inline constexpr std::size_t kHintedFindings = 1000;
inline constexpr std::size_t kHintedCandidates = 1000;

// Whether the next finding still gets the closest name as a hint.
[[nodiscard]] inline bool is_hinted(const Findings& findings) { return findings.size() < kHintedFindings; }

}  // namespace roofbeam
