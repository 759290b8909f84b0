#pragma once

#include "engine/design/document.h"

namespace roofbeam {

// The configuration in force; nullptr where the values stand as written: none is active, or the
// active one's name is unknown.
[[nodiscard]] const Configuration* active_configuration(const Document& document);

}  // namespace roofbeam
