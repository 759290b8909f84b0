#pragma once

#include <string>
#include <string_view>

#include "engine/json/writer.h"
#include "engine/mup/ladder.h"
#include "engine/scale/new_design.h"
#include "engine/scale/scale.h"

namespace roofbeam {

// Ladders, scaled and new designs, as JSON and as text. `name` is the design's.

void write_json(json::Writer& out, std::string_view name, const Ladder& ladder);
[[nodiscard]] std::string ladder_text(std::string_view name, const Ladder& ladder);

void write_json(json::Writer& out, const Scaled& scaled);
[[nodiscard]] std::string scaled_text(const Scaled& scaled);

void write_json(json::Writer& out, const NewDesign& design);
[[nodiscard]] std::string new_design_text(const NewDesign& design);

}  // namespace roofbeam
