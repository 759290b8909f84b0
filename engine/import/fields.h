#pragma once

#include "engine/base/result.h"
#include "engine/import/table.h"
#include "engine/import/values.h"
#include "engine/json/value.h"

namespace roofbeam {

// Takes every field of the table out of the config, and works out the table's own values from them.
// A field that is wrong or missing is reported once; what follows from it stays unknown, so that
// all other problems can be found in the same pass.
// What a class's default stands in for is a warning.
[[nodiscard]] Values read_fields(const json::Value& config, const ImportTable& table,
                                 std::string_view model_type, Diagnostics& problems,
                                 Diagnostics& warnings);

}  // namespace roofbeam
