#include "engine/design/finding.h"

namespace roofbeam {

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::info: return "info";
  }
  return "error";
}

}  // namespace roofbeam
