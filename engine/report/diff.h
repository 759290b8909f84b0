#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/operating_point.h"
#include "engine/diff/metrics.h"
#include "engine/diff/structure.h"
#include "engine/json/writer.h"

namespace roofbeam {

// Two designs side by side.
struct DiffReport {
  std::string a;  // names
  std::string b;
  OperatingPoint point;  // the one both are measured at; S is 0 where neither has a source
  StructureDifference structure;
  std::vector<MetricDifference> metrics;
};

// {a, b, identical, at, symbols, definitions, blocks, edges, metrics}
void write_json(json::Writer& out, const DiffReport& report);

[[nodiscard]] std::string diff_text(const DiffReport& report);

}  // namespace roofbeam
