#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/algebra/expression.h"

namespace roofbeam {

// One axis of a pattern: the product of its factors ("(H dh)" has two), or "...", or "*".
struct PatternAtom {
  enum class Kind : std::uint8_t { dim, ellipsis };
  Kind kind = Kind::dim;
  std::vector<std::string> factors;  // expression texts; kind dim only
  std::string text;                  // as written
};

// "B T (H dh)", "... D", "*": whitespace-separated atoms, at most one "...".
struct Pattern {
  std::vector<PatternAtom> atoms;
  bool any = false;  // "*" alone: every shape fits
};

// Errors: pattern.unbalanced, pattern.empty_group, pattern.two_ellipses, pattern.star_not_alone.
// An atom's expression is read when it is instantiated, not here. "" is a scalar.
[[nodiscard]] Result<Pattern> parse_pattern(std::string_view text);

// The size of every axis of a tensor, outermost first.
using SymbolicShape = std::vector<Polynomial>;

// The axis a factor list stands for. Errors are those of evaluate_expression.
[[nodiscard]] Result<Polynomial> axis_of(const PatternAtom& atom, const Scope& scope,
                                         std::span<const Binding> bindings = {});

// The pattern's shape with "..." standing for `batch`.
[[nodiscard]] Result<SymbolicShape> instantiate(const Pattern& pattern, const Scope& scope,
                                                std::span<const Binding> bindings,
                                                const SymbolicShape& batch);

// Why a shape does not fit; `axis` is its 0-based dim, or -1 where the rank itself differs.
struct Mismatch {
  int axis = -1;
  std::string actual;    // the dim as an expression, or the whole shape
  std::string expected;  // the atom as written, or the whole pattern
};

struct PatternMatch {
  SymbolicShape batch;               // what "..." stood for, where the rank fits
  std::vector<Mismatch> mismatches;  // empty: it fits
};

// Compares axis by axis with design values put in: H*dh equals D when the numbers agree; T equals
// only T.
[[nodiscard]] Result<PatternMatch> match(const Pattern& pattern, const SymbolicShape& actual,
                                         const Scope& scope,
                                         std::span<const Binding> bindings = {});

// "B T H*dh"; "scalar" for rank 0.
[[nodiscard]] std::string text(const SymbolicShape& shape, const Scope& scope);

}  // namespace roofbeam
