#pragma once

#include <string>
#include <vector>

#include "engine/algebra/scope.h"
#include "engine/design/document.h"
#include "engine/design/finding.h"

namespace roofbeam {

// The design's symbols with their values, ready for expressions.
struct ResolvedSymbols {
  Scope scope;        // declared symbols in document order, then reserved ones left undeclared
  Findings problems;  // rule "symbols": bad names, cycles, unknown names, values that are not finite
  bool has_source = false;  // `S` is declared: the design has an encoder's stream
};

// Evaluates every symbol, dependencies first, under the active configuration. `B` (1) and `T`
// (2048) exist even if undeclared; `S` only where declared as runtime. A symbol that fails has the
// value NaN so that later stages go on.
[[nodiscard]] ResolvedSymbols resolve_symbols(const Document& document);

}  // namespace roofbeam
