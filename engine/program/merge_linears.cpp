#include <algorithm>
#include <utility>

#include "engine/program/fuse.h"
#include "engine/program/products.h"

namespace roofbeam {
namespace {

bool is_constant(const Rewriter& graph, const Tensor& tensor) {
  return tensor.role == TensorRole::weight && graph.writer(tensor) == kNoNode;
}

struct Member {
  NodeId node = kNoNode;
  Product product = {};
};

ValueId value_of(const std::optional<Tensor>& tensor) { return tensor ? tensor->value : kNoValue; }

// Scales of whole tensors fit any others; those of groups of elements only such as lie alike.
bool fits(const Product& a, const Product& b) {
  return a.name == b.name && a.x.value == b.x.value && value_of(a.x_scale) == value_of(b.x_scale) &&
         a.w.dtype == b.w.dtype && (!a.w_scale || a.w_scale->shape == b.w_scale->shape);
}

void merge(Rewriter& graph, const std::vector<Member>& members) {
  Product merged = members.front().product;
  Extent width = 0;
  for (const Member& member : members) width += member.product.y.shape.back();
  merged.w = graph.folded(merged.w.dtype, {merged.w.shape[0], width});
  if (merged.bias) merged.bias = graph.folded(merged.bias->dtype, {width});
  merged.y = graph.fresh(merged.y.dtype, {merged.y.shape[0], width});
  Operator split{.name = "split_with_sizes", .reads = {merged.y}, .view = true};
  for (const Member& member : members) split.writes.push_back(member.product.y);
  const NodeId last = members.back().node;
  for (const Member& member : members)
    if (member.node != last) graph.remove(member.node);
  graph.replace(last, operator_of(merged));
  graph.insert_behind(last, std::move(split));
}

}  // namespace

void fold_weights(Rewriter& graph) {
  for (const NodeId node : graph.nodes()) {
    const Operator& op = graph.at(node);
    if (op.writes.size() != 1 || op.collective || graph.is_read_outside(op.writes.front().value))
      continue;
    if (!std::ranges::all_of(op.reads,
                             [&](const Tensor& operand) { return is_constant(graph, operand); }))
      continue;
    Tensor constant = op.writes.front();
    constant.role = TensorRole::weight;
    graph.remove(node);
    graph.substitute(constant.value, constant);
  }
}

void merge_linears(Rewriter& graph) {
  std::vector<std::vector<Member>> groups;
  for (const NodeId node : graph.nodes()) {
    const std::optional<Product> product = product_of(graph.at(node));
    if (!product || !is_constant(graph, product->w)) continue;
    const auto group = std::ranges::find_if(groups, [&](const std::vector<Member>& members) {
      return fits(members.front().product, *product);
    });
    if (group == groups.end())
      groups.push_back({{node, *product}});
    else
      group->push_back({node, *product});
  }
  for (const std::vector<Member>& members : groups) {
    const bool biased = members.front().product.bias.has_value();
    const bool alike = std::ranges::all_of(
        members, [&](const Member& member) { return member.product.bias.has_value() == biased; });
    if (members.size() > 1 && alike) merge(graph, members);
  }
  graph.tidy();
}

}  // namespace roofbeam
