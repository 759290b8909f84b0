#pragma once

#include <string>

#include "engine/design/document.h"
#include "engine/import/table.h"
#include "engine/import/values.h"

namespace roofbeam {

// The design a table describes, with the config's values put in. Requires values without fault.
[[nodiscard]] Document built_document(const ImportTable& table, const Values& values,
                                      const std::string& name);

}  // namespace roofbeam
