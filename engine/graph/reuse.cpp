#include <algorithm>

#include "engine/graph/expander.h"

namespace roofbeam {
namespace {

bool same_argument(const Argument& a, const Argument& b) {
  // NaN equals nothing, so what could not be resolved is never taken for the same.
  return a.value == b.value && a.symbolic == b.symbolic && a.items == b.items &&
         a.item_values == b.item_values && a.written == b.written;
}

bool same_input(const InputState& a, const InputState& b) {
  return a.wired == b.wired && a.producer.has_value() == b.producer.has_value() &&
         a.shape == b.shape;
}

InstanceId moved(InstanceId id, InstanceId by) { return id == kNoInstance ? id : id + by; }

}  // namespace

// Whether two instances of one block type differ in nothing that their insides depend on.
bool Expander::expand_alike(InstanceId a, InstanceId b) const {
  const Instance& left = result_.instances[a];
  const Instance& right = result_.instances[b];
  return left.on_source == right.on_source &&
         std::ranges::equal(left.inputs, right.inputs, same_input) &&
         std::ranges::equal(left.arguments.all(), right.arguments.all(), same_argument);
}

bool Expander::reuse_inside(InstanceId id, const Place& place) {
  if (muted_ > 0) return false;
  std::vector<Instance>& instances = result_.instances;
  const auto [begin, end] = expansions_.equal_range(instances[id].spec);
  const auto found = std::find_if(begin, end, [&](const auto& entry) {
    const Place& other = entry.second.place;
    return other.copies == place.copies && other.active_copies == place.active_copies &&
           other.expert == place.expert && other.depth >= place.depth &&
           expand_alike(entry.second.composite, id);
  });
  if (found == end) return false;
  const Expansion& model = found->second;
  const std::size_t count = model.last - model.first;
  if (instances.size() + count > kMaxInstances) return false;
  if (instances.capacity() - instances.size() < count)
    instances.reserve(std::max(2 * instances.capacity(), instances.size() + count));

  const auto by = static_cast<InstanceId>(instances.size() - model.first);
  const std::size_t old_prefix = instances[model.composite].path.size();
  for (std::size_t at = model.first; at < model.last; ++at) {
    Instance& copy = instances.emplace_back(instances[at]);
    copy.path.replace(0, old_prefix, instances[id].path);
    copy.parent = copy.parent == model.composite ? id : copy.parent + by;
    copy.repeat = copy.repeat == model.place.repeat ? place.repeat : moved(copy.repeat, by);
    copy.boundary_in = moved(copy.boundary_in, by);
    copy.boundary_out = moved(copy.boundary_out, by);
    for (InstanceId& child : copy.children) child += by;
    for (InputState& input : copy.inputs)
      if (input.producer) input.producer->instance += by;
  }
  Instance& composite = instances[id];
  const Instance& original = instances[model.composite];
  composite.boundary_in = moved(original.boundary_in, by);
  composite.boundary_out = moved(original.boundary_out, by);
  composite.children = original.children;
  for (InstanceId& child : composite.children) child += by;
  for (std::size_t at = model.first_in_order; at < model.last_in_order; ++at)
    result_.order.push_back(result_.order[at] + by);
  return true;
}

}  // namespace roofbeam
