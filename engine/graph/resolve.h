#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/blocks/block.h"
#include "engine/blocks/template.h"
#include "engine/design/finding.h"

namespace roofbeam {

// The parameters of a block written in a document: each the node's value, else the fallback, else a
// finding. Unknown names, wrong kinds, fractions where a whole number is wanted and values out of
// range are findings too (rule "shape", with the parameter's name); the argument's value is then
// NaN. Expressions are read against `scope`.
[[nodiscard]] Arguments resolve_arguments(
    const BlockSpec& spec, const std::vector<std::pair<std::string, json::Value>>& written,
    const Scope& scope, const std::string& path, Findings& findings);

// The same for a node inside a composite, whose values may refer to the composite's `outer`
// arguments.
[[nodiscard]] Arguments resolve_arguments(
    const BlockSpec& spec, const std::vector<std::pair<std::string, TemplateValue>>& written,
    const Arguments& outer, const Scope& scope, const std::string& path, Findings& findings);

}  // namespace roofbeam
