#pragma once

#include <span>

#include "engine/analysis/analysis.h"
#include "engine/base/result.h"
#include "engine/design/finding.h"
#include "engine/json/writer.h"

namespace roofbeam {

// Values as JSON, in the shapes of presets/schema/response.schema.json. Every door writes through
// these, so a figure has one name and one spelling. Figures that could not be had are null.

void write_json(json::Writer& out, const Diagnostic& diagnostic);
void write_json(json::Writer& out, const Diagnostics& diagnostics);
void write_json(json::Writer& out, const Finding& finding);
void write_json(json::Writer& out, const Findings& findings);
void write_json(json::Writer& out, const DeviceProfile& device);
void write_json(json::Writer& out, const OperatingPoint& point);

// {total, active, embedding, ...} and {bytes_per_token, ...}; `params` and `kv` of several results.
void write_params(json::Writer& out, const ParameterCount& params);
void write_cache(json::Writer& out, const CacheCount& cache, const OperatingPoint& point);

// The whole result of `analyze`.
void write_analysis(json::Writer& out, std::string_view name, const Elaboration& design,
                    const Analysis& analysis, const Findings& findings);

}  // namespace roofbeam
