#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/design/document.h"

namespace roofbeam {

// Sizes of a document that are plain numbers, by their conventional symbols: D width, H heads, Hkv
// key and value heads, dh head width, F, Fe, Ql, Kl inner widths, Dp, Hp, Fp, dhp of a predictor,
// L, Lp, G depths, Ld leading dense layers, V vocabulary. Expressions follow by themselves.
[[nodiscard]] std::optional<double> literal(const Document& document, std::string_view symbol);
void set_literal(Document& document, std::string_view symbol, double value);

// The document with the active configuration's values written into its symbols, so that they can
// be changed.
[[nodiscard]] Document with_configuration(Document document);

// The width a design is brought to.
struct Width {
  double D = 0;
  double heads = 0;
  std::optional<double> head_dim = {};  // where the heads are narrowed
};

// Brings the width to `width`: heads as given, key and value heads in the old ratio lowered until
// they divide the heads, a predictor's width to whole heads of its own, other literal widths in
// proportion, rounded to 64 and at least 64.
void set_width(Document& document, const Width& width);

// Brings literal depths to `factor` times theirs, at least 1, and keeps a sparse layer after the
// leading dense ones.
void set_depth(Document& document, double factor);

// Moves each depth to the nearest value, smaller first, up to 16 away, that makes every repeat's
// count a whole number.
void settle_depth(Document& document);

// Ties the output projections of the document's own graph to the embedding.
void tie_heads(Document& document);

// Labels of repeats that end in "x<count>" take their new counts.
void relabel_repeats(Document& document);

}  // namespace roofbeam
