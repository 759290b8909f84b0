#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/parameters.h"
#include "engine/base/result.h"
#include "engine/design/document.h"

namespace roofbeam {

enum class TargetBasis : std::uint8_t { total, non_embedding };

struct ScaleOptions {
  double target_params = 0;  // above 0
  TargetBasis basis = TargetBasis::total;
  std::optional<double> vocab = {};
  bool tie_head = false;
  double min_heads = 4;
  bool keep_depth = false;
  std::optional<double> width_multiple = {};  // the head width, or 64 without one
  int max_iterations = 48;
};

struct SymbolChange {
  std::string symbol;
  double from = 0;
  double to = 0;
};

struct Scaled {
  Document document;
  ParameterCount params;
  double achieved = 0;  // in the basis asked for
  std::vector<SymbolChange> changes;
  std::vector<std::string> notes;
};

// A design of the same kind with about `target_params` parameters: width and depth move by the cube
// root of one factor (the width alone by its square root where the depth is kept), heads stay as
// wide as they are or narrow to 64 where fewer than min_heads would be left, and the factor is
// found by bisection. Errors: scale.no_width (no literal D), scale.too_small (below the smallest
// design).
[[nodiscard]] Result<Scaled> scale(const Document& document, const ScaleOptions& options);

// The symbols two documents of one design write differently.
[[nodiscard]] std::vector<SymbolChange> changed_literals(const Document& from, const Document& to);

// "1.3b", "124m", "500k": a size as names carry it.
[[nodiscard]] std::string size_suffix(double params);

}  // namespace roofbeam
