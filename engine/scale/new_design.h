#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/operating_point.h"
#include "engine/base/result.h"
#include "engine/scale/scale.h"

namespace roofbeam {

// A kind of model that new designs are made of: a preset scaled to size.
struct DesignFamily {
  std::string_view name;
  std::string_view preset;
  double T;                   // target length, tokens; 0: the preset's own
  std::vector<double> sizes;  // offered, in parameters
};

// dense, classic, moe, hybrid, encoder-decoder, vision.
[[nodiscard]] std::span<const DesignFamily> families();

struct NewDesign {
  Document document;
  ParameterCount params;
  double target = 0;
  bool tied = false;
  Bytes train_bytes;                // full training state on one device, at the design's defaults
  std::optional<Bytes> budget;      // where a device was to be filled
  std::vector<SymbolChange> sizes;  // moved from the preset's
  std::vector<std::string> notes;
};

inline constexpr double kSmallestDesign = 1e6;  // parameters

// A design of the family with about `params` parameters (at least kSmallestDesign). The head is
// tied where the embedding would be over a third of the weights; query heads stay in whole groups
// where a design within 5% of the target allows it.
[[nodiscard]] Result<NewDesign> new_design(const Document& preset, const DesignFamily& family,
                                           double params, const DeviceProfile& device);

// The largest design of the family whose training fits 0.9 of the device's memory.
[[nodiscard]] Result<NewDesign> largest_design(const Document& preset, const DesignFamily& family,
                                               const DeviceProfile& device);

}  // namespace roofbeam
