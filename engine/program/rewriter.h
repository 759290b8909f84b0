#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/program/program.h"

namespace roofbeam {

// An operator of a segment that is being rewritten; stays the same while others come and go.
using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = ~NodeId{0};

// Operators of one segment as a graph: who writes a value, who reads it, in an order that can be
// changed. Every value has at most one writer, so operators that return what they change in place
// have to be written as others before (see decompose). Nothing outside of the segment is touched.
class Rewriter {
 public:
  // `read_outside`: whether a value is read by another segment or carried out of this one, by id.
  Rewriter(Program& program, Segment& segment, std::vector<bool> read_outside);

  // What is left, in order.
  [[nodiscard]] std::vector<NodeId> nodes() const;
  [[nodiscard]] std::vector<NodeId> named(std::string_view name) const;
  [[nodiscard]] bool is_left(NodeId node) const { return !nodes_[node].removed; }
  [[nodiscard]] const Operator& at(NodeId node) const { return nodes_[node].op; }
  [[nodiscard]] std::string_view name(NodeId node) const { return nodes_[node].op.name; }

  [[nodiscard]] NodeId writer(ValueId value) const;  // kNoNode for what comes from outside
  [[nodiscard]] NodeId writer(const Tensor& tensor) const { return writer(tensor.value); }
  // The writer where it is of that name.
  [[nodiscard]] NodeId writer_named(const Tensor& tensor, std::string_view name) const;
  // Each reader once, in no particular order.
  [[nodiscard]] const std::vector<NodeId>& readers(ValueId value) const;
  [[nodiscard]] bool is_read_outside(ValueId value) const;
  // Nobody but `node`, and nobody outside.
  [[nodiscard]] bool read_only_by(ValueId value, NodeId node) const;
  // The one reader of a value that nobody outside reads, else kNoNode.
  [[nodiscard]] NodeId sole_reader(ValueId value) const;

  NodeId insert_before(NodeId place, Operator op);
  NodeId insert_behind(NodeId place, Operator op);
  NodeId insert_first(Operator op);
  void replace(NodeId node, Operator op);  // in its place
  void remove(NodeId node);
  // Readers of `from`, in the segment and outside, read `to` from now on.
  void substitute(ValueId from, const Tensor& to);
  // The operand alone.
  void reread(NodeId node, std::size_t operand, const Tensor& to);

  [[nodiscard]] Tensor fresh(const Tensor& like);
  [[nodiscard]] Tensor fresh(Dtype dtype, std::vector<Extent> shape,
                             TensorRole role = TensorRole::activation);
  // A new weight that a constant expression of others gives: it is read, and not stored beside
  // them.
  [[nodiscard]] Tensor folded(Dtype dtype, std::vector<Extent> shape);

  // Drops whatever nobody reads, and moves each operator behind those it depends on, as little as
  // that takes: one that has to wait runs right after the last it waits for.
  void tidy();

  // Writes the operators back. Values read outside keep their ids.
  void finish();

 private:
  struct Node {
    Operator op;
    NodeId before = kNoNode;
    NodeId behind = kNoNode;
    bool removed = false;
  };

  NodeId link(NodeId before, Operator op);
  void attach(NodeId node);
  void detach(NodeId node);
  void grow(ValueId value);
  [[nodiscard]] bool is_needed(NodeId node) const;
  void drop_unread();
  void sort();

  Program& program_;
  Segment& segment_;
  std::vector<Node> nodes_;
  NodeId first_ = kNoNode;
  NodeId last_ = kNoNode;
  std::vector<NodeId> writers_;               // by value
  std::vector<std::vector<NodeId>> readers_;  // by value
  std::vector<bool> read_outside_;            // by value
};

// Values of each segment that others read.
[[nodiscard]] std::vector<std::vector<bool>> values_read_outside(const Program& program);

}  // namespace roofbeam
