#include "engine/analysis/kept_share.h"

#include <algorithm>

#include "engine/analysis/work.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

// Positions past this leave a share as it is, and sampling works on 64-bit positions.
constexpr double kLongestSampled = 1e12;

std::int64_t whole(double value, double minimum) {
  if (!(value >= minimum)) return static_cast<std::int64_t>(minimum);  // NaN too
  return static_cast<std::int64_t>(std::min(value, kLongestSampled));
}

}  // namespace

KeptShare KeptShares::of(const Instance& instance) {
  const Argument* mask = instance.arguments.find("mask");
  if (mask == nullptr || !mask->written.is_string() || mask->written.string().empty()) return {};
  const Arguments& a = instance.arguments;
  std::string key = mask->written.string();
  for (const double value : {lengths_of(instance, point_).own, a.number("heads"), a.number("window"),
                             a.flag("causal") ? 1.0 : 0.0})
    key += " " + shortest(value);
  const auto at = known_.find(key);
  if (at != known_.end()) return at->second;
  return known_.emplace(std::move(key), sampled(instance)).first->second;
}

KeptShare KeptShares::sampled(const Instance& instance) const {
  const Arguments& a = instance.arguments;
  const Result<Mask> mask =
      parse_mask(a.text("mask"), {.scope = design_.scope, .heads = a.number("heads")});
  if (!mask) return {};
  const AttentionExtent extent{.length = whole(lengths_of(instance, point_).own, 1),
                               .causal = a.flag("causal"),
                               .window = whole(a.number("window"), 0),
                               .heads = whole(a.number("heads"), 1),
                               .batch = whole(point_.B, 1)};
  KeptShare share;
  share.kept = kept_share(*mask, extent);
  share.packed = share.packed_blocks = share.kept;
  share.reads_documents = !mask->expression.tables.empty();
  if (point_.packing && share.reads_documents) {
    const PackedShare packed = packed_share(*mask, extent, *point_.packing);
    share.packed = packed.kept;
    share.packed_blocks = packed.blocks;
  }
  return share;
}

}  // namespace roofbeam
