#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/design/document.h"
#include "engine/json/writer.h"

namespace roofbeam {

// A counted figure beside the one its makers published.
struct PublishedFigure {
  double computed = 0;
  std::optional<double> published;

  // (computed - published) / published; nothing where none was published.
  [[nodiscard]] std::optional<double> difference() const;
};

// One design against what was published of it.
struct PublishedComparison {
  std::string name;
  PublishedFigure params;
  PublishedFigure active_params;
  PublishedFigure kv_bytes_per_token;
  double tolerance = kDefaultTolerance;  // relative
  std::optional<std::string> source;

  // Whether every published figure is met within the tolerance.
  [[nodiscard]] bool ok() const;
};

void write_json(json::Writer& out, const std::vector<PublishedComparison>& designs);
[[nodiscard]] std::string published_text(const std::vector<PublishedComparison>& designs);

}  // namespace roofbeam
