#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/algebra/packed_documents.h"
#include "engine/analysis/operating_point.h"

namespace roofbeam {

// What one attention's mask leaves of the pairs that causality and window do, 0 to 1.
struct KeptShare {
  double kept = 1;
  // Under the point's packing; the same as `kept` for masks that read no documents.
  double packed = 1;
  double packed_blocks = 1;     // of whole 128x128 blocks; can exceed 1
  bool reads_documents = false;
};

// The shares of a design's attentions, sampled once for equal masks. Lives for one analysis.
class KeptShares {
 public:
  KeptShares(const Elaboration& design, const OperatingPoint& point)
      : design_(design), point_(point) {}

  // All ones for blocks without a mask, and for masks that cannot be read (they have a finding).
  [[nodiscard]] KeptShare of(const Instance& instance);

 private:
  [[nodiscard]] KeptShare sampled(const Instance& instance) const;

  const Elaboration& design_;
  const OperatingPoint& point_;
  std::map<std::string, KeptShare> known_;
};

}  // namespace roofbeam
