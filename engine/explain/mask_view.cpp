#include "engine/explain/mask_view.h"

#include <algorithm>
#include <string_view>

#include "engine/algebra/attention_expression.h"
#include "engine/algebra/attention_mask.h"
#include "engine/algebra/packed_documents.h"
#include "engine/analysis/work.h"

namespace roofbeam {
namespace {

// True of every pair; a mask may not be the constant `true`.
constexpr std::string_view kEveryPair = "q >= 0";

InstanceId first_attention(const Elaboration& design, InstanceId block) {
  const BlockSpec* sdpa = design.catalog->find("sdpa");
  std::vector<InstanceId> open{block};
  while (!open.empty()) {
    const InstanceId at = open.back();
    open.pop_back();
    const Instance& instance = design.instances[at];
    if (instance.spec == sdpa) return at;
    open.insert(open.end(), instance.children.rbegin(), instance.children.rend());
  }
  return kNoInstance;
}

// A size as a whole number the mask's readers take; 0 where it is none.
std::int64_t whole(double size) {
  constexpr double kLargest = 0x1p40;
  return size >= 1 && size <= kLargest ? static_cast<std::int64_t>(size) : 0;
}

}  // namespace

std::optional<MaskView> mask_view(const Elaboration& design, const OperatingPoint& point,
                                  InstanceId block, std::int64_t head) {
  const InstanceId id = first_attention(design, block);
  if (id == kNoInstance) return std::nullopt;
  const Instance& attention = design.instances[id];
  const Arguments& a = attention.arguments;
  const double window = a.number("window");
  const AttentionExtent extent{.length = whole(lengths_of(attention, point).own),
                               .causal = a.flag("causal"),
                               .window = whole(window),
                               .heads = whole(a.number("heads")),
                               .batch = whole(point.B)};
  if (a.flag("cross") || extent.length == 0 || extent.heads == 0 || extent.batch == 0 || !(window >= 0))
    return std::nullopt;
  const std::string_view written = a.text("mask").empty() ? kEveryPair : a.text("mask");
  const Result<Mask> mask = parse_mask(written, {.scope = design.scope, .heads = a.number("heads")});
  if (!mask) return std::nullopt;

  MaskView view{.attention = id,
                .head = std::min(head, extent.heads - 1),
                .heads = extent.heads,
                .length = extent.length,
                .kept = {}};
  const bool packed = point.packing && !mask->expression.tables.empty();
  view.kept = packed ? packed_grid(*mask, extent, view.head, *point.packing)
                     : kept_grid(*mask, extent, view.head);
  return view;
}

}  // namespace roofbeam
