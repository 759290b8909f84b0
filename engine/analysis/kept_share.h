#pragma once

#include <map>
#include <string>

#include "engine/analysis/operating_point.h"

namespace roofbeam {

// The share of pairs each attention's mask expression keeps beyond causality and window, sampled
// once for equal masks. Lives for one analysis.
class KeptShares {
 public:
  KeptShares(const Elaboration& design, const OperatingPoint& point)
      : design_(design), point_(point) {}

  // 1 for blocks without a mask, and for masks that cannot be read (they have a finding).
  [[nodiscard]] double of(const Instance& instance);

 private:
  const Elaboration& design_;
  const OperatingPoint& point_;
  std::map<std::string, double> known_;
};

}  // namespace roofbeam
