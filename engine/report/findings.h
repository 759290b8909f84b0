#pragma once

#include <string>
#include <string_view>

#include "engine/json/writer.h"
#include "engine/rules/check_rules.h"

namespace roofbeam {

// {ok, counts: {error, warning, info}, findings, overridden: [{rule, path, from, to}]}
void write_json(json::Writer& out, const RuleReport& report);

// How many findings there are of each severity, then one paragraph each, gravest first.
[[nodiscard]] std::string report_text(std::string_view name, const RuleReport& report);

}  // namespace roofbeam
