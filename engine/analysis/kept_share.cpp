#include "engine/analysis/kept_share.h"

namespace roofbeam {

double KeptShares::of(const Instance& instance) {
  const Argument* mask = instance.arguments.find("mask");
  if (mask == nullptr || !mask->written.is_string() || mask->written.string().empty()) return 1;
  return 1;
}

}  // namespace roofbeam
