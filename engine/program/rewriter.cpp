#include "engine/program/rewriter.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace roofbeam {

Rewriter::Rewriter(Program& program, Segment& segment, std::vector<bool> read_outside)
    : program_(program), segment_(segment), read_outside_(std::move(read_outside)) {
  grow(program.next_value);
  nodes_.reserve(2 * segment.operators.size());
  for (Operator& op : segment.operators) link(kNoNode, std::move(op));
  segment.operators.clear();
}

std::vector<NodeId> Rewriter::nodes() const {
  std::vector<NodeId> result;
  for (NodeId node = first_; node != kNoNode; node = nodes_[node].behind) result.push_back(node);
  return result;
}

std::vector<NodeId> Rewriter::named(std::string_view name) const {
  std::vector<NodeId> result;
  for (NodeId node = first_; node != kNoNode; node = nodes_[node].behind)
    if (nodes_[node].op.name == name) result.push_back(node);
  return result;
}

NodeId Rewriter::writer(ValueId value) const {
  return value < writers_.size() ? writers_[value] : kNoNode;
}

NodeId Rewriter::writer_named(const Tensor& tensor, std::string_view wanted) const {
  const NodeId node = writer(tensor);
  return node != kNoNode && name(node) == wanted ? node : kNoNode;
}

const std::vector<NodeId>& Rewriter::readers(ValueId value) const {
  static const std::vector<NodeId> kNobody;
  return value < readers_.size() ? readers_[value] : kNobody;
}

bool Rewriter::is_read_outside(ValueId value) const {
  return value < read_outside_.size() && read_outside_[value];
}

bool Rewriter::read_only_by(ValueId value, NodeId node) const { return sole_reader(value) == node; }

NodeId Rewriter::sole_reader(ValueId value) const {
  const std::vector<NodeId>& all = readers(value);
  return all.size() == 1 && !is_read_outside(value) ? all.front() : kNoNode;
}

void Rewriter::grow(ValueId value) {
  if (value < writers_.size()) return;
  writers_.resize(value + 1, kNoNode);
  readers_.resize(value + 1);
}

void Rewriter::attach(NodeId node) {
  for (const Tensor& result : nodes_[node].op.writes) {
    if (result.value == kNoValue) continue;
    grow(result.value);
    writers_[result.value] = node;
  }
  for (const Tensor& operand : nodes_[node].op.reads) {
    if (operand.value == kNoValue) continue;
    grow(operand.value);
    std::vector<NodeId>& all = readers_[operand.value];
    if (std::ranges::find(all, node) == all.end()) all.push_back(node);
  }
}

void Rewriter::detach(NodeId node) {
  for (const Tensor& result : nodes_[node].op.writes)
    if (result.value != kNoValue && writers_[result.value] == node)
      writers_[result.value] = kNoNode;
  for (const Tensor& operand : nodes_[node].op.reads)
    if (operand.value != kNoValue) std::erase(readers_[operand.value], node);
}

// Before `before`, or last.
NodeId Rewriter::link(NodeId before, Operator op) {
  const auto node = static_cast<NodeId>(nodes_.size());
  nodes_.push_back({.op = std::move(op)});
  Node& added = nodes_.back();
  added.behind = before;
  added.before = before == kNoNode ? last_ : nodes_[before].before;
  (added.before == kNoNode ? first_ : nodes_[added.before].behind) = node;
  (before == kNoNode ? last_ : nodes_[before].before) = node;
  attach(node);
  return node;
}

NodeId Rewriter::insert_before(NodeId place, Operator op) { return link(place, std::move(op)); }

NodeId Rewriter::insert_behind(NodeId place, Operator op) {
  return link(nodes_[place].behind, std::move(op));
}

NodeId Rewriter::insert_first(Operator op) { return link(first_, std::move(op)); }

void Rewriter::replace(NodeId node, Operator op) {
  detach(node);
  nodes_[node].op = std::move(op);
  attach(node);
}

void Rewriter::remove(NodeId node) {
  Node& gone = nodes_[node];
  ROOFBEAM_CHECK(!gone.removed);
  detach(node);
  gone.removed = true;
  (gone.before == kNoNode ? first_ : nodes_[gone.before].behind) = gone.behind;
  (gone.behind == kNoNode ? last_ : nodes_[gone.behind].before) = gone.before;
}

void Rewriter::reread(NodeId node, std::size_t operand, const Tensor& to) {
  const ValueId from = nodes_[node].op.reads[operand].value;
  nodes_[node].op.reads[operand] = to;
  if (from != kNoValue && std::ranges::none_of(nodes_[node].op.reads, [&](const Tensor& read) {
        return read.value == from;
      }))
    std::erase(readers_[from], node);
  grow(to.value);
  std::vector<NodeId>& all = readers_[to.value];
  if (std::ranges::find(all, node) == all.end()) all.push_back(node);
}

// What others know by its id keeps that: `to` is written under it from then on.
void Rewriter::substitute(ValueId from, const Tensor& to) {
  if (is_read_outside(from)) {
    const NodeId author = writer(to);
    if (author == kNoNode || is_read_outside(to.value)) return;  // comes from outside itself
    const NodeId old = writer(from);
    if (old != kNoNode) {
      for (Tensor& result : nodes_[old].op.writes)
        if (result.value == from) result.value = kNoValue;
    }
    Tensor renamed = to;
    renamed.value = from;
    for (Tensor& result : nodes_[author].op.writes)
      if (result.value == to.value) result.value = from;
    writers_[from] = author;
    const std::vector<NodeId> all = readers(to.value);
    for (const NodeId node : all)
      for (std::size_t i = 0; i < nodes_[node].op.reads.size(); ++i)
        if (nodes_[node].op.reads[i].value == to.value) {
          nodes_[node].op.reads[i].value = from;
          if (std::ranges::find(readers_[from], node) == readers_[from].end())
            readers_[from].push_back(node);
        }
    readers_[to.value].clear();
    writers_[to.value] = kNoNode;
    return;
  }
  const std::vector<NodeId> all = readers(from);
  for (const NodeId node : all)
    for (std::size_t i = 0; i < nodes_[node].op.reads.size(); ++i) {
      Tensor& read = nodes_[node].op.reads[i];
      if (read.value != from) continue;
      Tensor wanted = to;
      wanted.touched = read.touched;
      wanted.updated = read.updated;
      reread(node, i, wanted);
    }
}

Tensor Rewriter::fresh(const Tensor& like) { return fresh(like.dtype, like.shape, like.role); }

Tensor Rewriter::fresh(Dtype dtype, std::vector<Extent> shape, TensorRole role) {
  return {.dtype = dtype, .shape = std::move(shape), .role = role, .value = program_.fresh_value()};
}

Tensor Rewriter::folded(Dtype dtype, std::vector<Extent> shape) {
  return fresh(dtype, std::move(shape), TensorRole::weight);
}

bool Rewriter::is_needed(NodeId node) const {
  const Operator& op = nodes_[node].op;
  if (op.writes.empty()) return true;
  return std::ranges::any_of(op.writes, [&](const Tensor& result) {
    return result.value != kNoValue &&
           (is_read_outside(result.value) || !readers(result.value).empty());
  });
}

void Rewriter::drop_unread() {
  for (NodeId node = last_; node != kNoNode;) {
    const NodeId next = nodes_[node].before;
    if (!is_needed(node)) remove(node);
    node = next;
  }
}

// A value that an operator changes in place is read, by those behind it, only once it has run.
void Rewriter::sort() {
  std::vector<std::vector<NodeId>> needs(nodes_.size());
  std::vector<std::pair<ValueId, NodeId>> changed;
  const std::vector<NodeId> order = nodes();
  for (const NodeId node : order)
    for (const Tensor& operand : nodes_[node].op.reads) {
      if (const NodeId author = writer(operand.value); author != kNoNode && author != node)
        needs[node].push_back(author);
      for (const auto& [value, author] : changed)
        if (value == operand.value && author != node) needs[node].push_back(author);
      if (operand.updated) changed.emplace_back(operand.value, node);
    }
  std::vector<bool> ready(nodes_.size(), false);
  std::vector<std::vector<NodeId>> waiting(nodes_.size());
  std::vector<NodeId> pending(order.rbegin(), order.rend());
  std::vector<NodeId> sorted;
  sorted.reserve(order.size());
  while (!pending.empty()) {
    const NodeId node = pending.back();
    pending.pop_back();
    const auto missing = std::find_if(needs[node].rbegin(), needs[node].rend(),
                                      [&](NodeId each) { return !ready[each]; });
    if (missing != needs[node].rend()) {
      waiting[*missing].push_back(node);
      continue;
    }
    ready[node] = true;
    sorted.push_back(node);
    pending.insert(pending.end(), waiting[node].rbegin(), waiting[node].rend());
  }
  ROOFBEAM_CHECK(sorted.size() == order.size());
  first_ = last_ = kNoNode;
  for (const NodeId node : sorted) {
    nodes_[node].before = last_;
    nodes_[node].behind = kNoNode;
    (last_ == kNoNode ? first_ : nodes_[last_].behind) = node;
    last_ = node;
  }
}

void Rewriter::tidy() {
  drop_unread();
  sort();
}

void Rewriter::finish() {
  segment_.operators.clear();
  for (NodeId node = first_; node != kNoNode; node = nodes_[node].behind)
    segment_.operators.push_back(std::move(nodes_[node].op));
}

std::vector<std::vector<bool>> values_read_outside(const Program& program) {
  constexpr std::size_t kNowhere = ~std::size_t{0};
  std::vector<std::size_t> home(program.next_value, kNowhere);
  for (std::size_t i = 0; i < program.segments.size(); ++i)
    for (const Operator& op : program.segments[i].operators)
      for (const Tensor& result : op.writes) home[result.value] = i;
  std::vector<std::vector<bool>> result(program.segments.size(),
                                        std::vector<bool>(program.next_value, false));
  const auto mark = [&](ValueId value, std::size_t reader) {
    if (home[value] != kNowhere && home[value] != reader) result[home[value]][value] = true;
  };
  for (std::size_t i = 0; i < program.segments.size(); ++i) {
    const Segment& segment = program.segments[i];
    if (segment.carried_out != kNoValue && home[segment.carried_out] == i)
      result[i][segment.carried_out] = true;
    for (const Operator& op : segment.operators)
      for (const Tensor& operand : op.reads) mark(operand.value, i);
    mark(segment.carried_in, i);
  }
  // What the program ends with is its result.
  if (!program.segments.empty() && !program.segments.back().operators.empty())
    for (const Tensor& tensor : program.segments.back().operators.back().writes)
      result.back()[tensor.value] = true;
  return result;
}

}  // namespace roofbeam
