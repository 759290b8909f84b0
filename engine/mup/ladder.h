#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/design/document.h"

namespace roofbeam {

// How a weight widens with the model: the rows of Tensor Programs V, Table 3 (arXiv:2203.03466).
enum class WidthClass : std::uint8_t { input, hidden, output };

[[nodiscard]] std::string_view name(WidthClass width_class);

// What the settings tuned at the base width are multiplied by, for one class of weights.
struct ClassScaling {
  WidthClass width_class = WidthClass::input;
  double init_std = 1;             // of the standard deviation of the initial weights
  double adam_lr = 1;              // of Adam's learning rate
  std::vector<std::string> paths;  // of the blocks, A to Z
};

struct Rung {
  double width = 0;
  double heads = 0;
  double multiplier = 1;  // m = width / base width
  double params = 0;
  bool base = false;
  std::vector<ClassScaling> scaling;  // input, hidden, output
  std::vector<std::string> notes;
  Document document;
};

struct Ladder {
  double base_width = 0;
  double head_dim = 0;
  std::vector<Rung> rungs;  // narrowest first
  std::vector<std::string> notes;
};

struct LadderOptions {
  std::vector<double> widths = {};        // empty: the design's own and its halves
  std::optional<double> base_width = {};  // the narrowest rung
  // A rung has width / head_dim heads whatever the design's own ratio, as the reference counts. By
  // default heads keep their share of the width, so that the design is a rung of its own ladder.
  bool reference = false;
};

// The design at several widths: depth and head width held, heads grow. Classes are measured: each
// rung is compared with the design at twice its width; where both fans of a weight moved it is
// hidden, where only the fan-in did it is output, else input. With m = width / base: hidden weights
// take init 1/sqrt(m) and rate 1/m, output weights 1/m and 1/m. Errors: mup.no_heads (no literal D
// and dh), mup.narrow (a width below one head; path "/widths/0").
[[nodiscard]] Result<Ladder> width_ladder(const Document& document, const LadderOptions& options);

// Python that puts a rung's parameters into groups for torch.optim, by their names.
[[nodiscard]] std::string parameter_groups(const Ladder& ladder, const Rung& rung);

}  // namespace roofbeam
