#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/analysis.h"
#include "engine/base/result.h"
#include "engine/design/finding.h"

namespace roofbeam {

// Values as plain text for terminals and logs: the one renderer both command lines print with.

// Rows of cells with columns aligned; the first column to the left, the others to the right unless
// `left` names them. No trailing spaces.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows,
                                std::span<const std::size_t> left = {}, std::string_view indent = "  ");

[[nodiscard]] std::string text_of(const Diagnostics& diagnostics);
[[nodiscard]] std::string text_of(const Findings& findings);

// Configuration, parameters, FLOPs, cache, memory, throughput, cost and budget of one design.
[[nodiscard]] std::string analysis_text(std::string_view name, const Analysis& analysis,
                                        const Findings& findings);

// One terminal line of anybody's text: control characters are taken out.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace roofbeam
