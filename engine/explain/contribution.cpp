#include "engine/explain/contribution.h"

#include <algorithm>
#include <cmath>

namespace roofbeam {
namespace {

// Element width that caches are stated at: what bf16 and fp16 take.
constexpr Dtype kStatedDtype = Dtype::bf16;

void add(Contribution& sum, const Contribution& part) {
  sum.params += part.params;
  sum.active_params += part.active_params;
  sum.flops_per_token += part.flops_per_token;
  sum.activations += part.activations;
  sum.cache_per_token += part.cache_per_token;
  sum.cache_per_sequence += part.cache_per_sequence;
}

// Largest first, what has no figure last, equals in the order given.
void sort_by_params(std::vector<InstanceId>& ids, const Contributions& contributions) {
  const auto size = [&](InstanceId id) {
    const double params = contributions.of(id).params;
    return std::isfinite(params) ? params : -1.0;
  };
  std::ranges::stable_sort(ids, [&](InstanceId a, InstanceId b) { return size(a) > size(b); });
}

}  // namespace

Contributions::Contributions(const Elaboration& design, const Analysis& analysis)
    : contributions_(design.instances.size()) {
  for (InstanceId id = 0; id < design.instances.size(); ++id) {
    const Instance& instance = design.instances[id];
    const double weights = weights_of(instance);
    if (weights == 0) continue;
    contributions_[id].params = weights * instance.copies;
    contributions_[id].active_params = weights * instance.active_copies;
  }
  for (const PathAmount& row : analysis.work.by_path)
    contributions_[row.instance].flops_per_token += {row.amount};
  for (const PathAmount& row : analysis.activations.by_path)
    contributions_[row.instance].activations += {row.amount};
  OperatingPoint point = analysis.point;
  point.kv_dtype = kStatedDtype;
  for (const CacheCount::Row& row : count_cache(design, point).by_path) {
    contributions_[row.instance].cache_per_token += row.bytes.per_token;
    contributions_[row.instance].cache_per_sequence += row.bytes.per_sequence;
  }
  // Every parent stands before its children, so backwards each is complete when it is added.
  for (InstanceId id = static_cast<InstanceId>(design.instances.size()); id-- > 0;)
    if (const InstanceId parent = design.instances[id].parent; parent != kNoInstance)
      add(contributions_[parent], contributions_[id]);
  for (Contribution& one : contributions_) {
    one.share_of_params = one.params / analysis.params.total;
    one.share_of_flops = one.flops_per_token / analysis.work.forward();
  }
}

std::vector<double> weights_of_one_copy(const Elaboration& design) {
  std::vector<double> weights(design.instances.size());
  for (InstanceId id = 0; id < design.instances.size(); ++id)
    weights[id] = weights_of(design.instances[id]);
  for (InstanceId id = static_cast<InstanceId>(design.instances.size()); id-- > 0;) {
    const Instance& instance = design.instances[id];
    if (instance.parent == kNoInstance || weights[id] == 0) continue;
    weights[instance.parent] += weights[id] * (instance.copies / design.instances[instance.parent].copies);
  }
  return weights;
}

std::vector<InstanceId> largest_parts(const Elaboration& design, const Contributions& contributions,
                                      InstanceId id, std::size_t most) {
  std::vector<InstanceId> parts;
  std::vector<InstanceId> open{id};
  while (!open.empty()) {
    const InstanceId at = open.back();
    open.pop_back();
    const Instance& instance = design.instances[at];
    if (instance.spec->kind == BlockKind::primitive && contributions.of(at).params != 0) parts.push_back(at);
    open.insert(open.end(), instance.children.rbegin(), instance.children.rend());
  }
  sort_by_params(parts, contributions);
  if (parts.size() > most) parts.resize(most);
  return parts;
}

std::vector<InstanceId> blocks_by_size(const Elaboration& design, const Contributions& contributions) {
  std::vector<InstanceId> blocks;
  std::vector<InstanceId> open(design.roots.rbegin(), design.roots.rend());
  while (!open.empty()) {
    const InstanceId at = open.back();
    open.pop_back();
    blocks.push_back(at);
    const Instance& instance = design.instances[at];
    if (instance.spec->kind == BlockKind::container)
      open.insert(open.end(), instance.children.rbegin(), instance.children.rend());
  }
  sort_by_params(blocks, contributions);
  return blocks;
}

}  // namespace roofbeam
