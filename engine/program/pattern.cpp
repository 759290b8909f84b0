#include "engine/program/pattern.h"

#include <algorithm>

#include "engine/base/check.h"

namespace roofbeam {
namespace {

template <class Value>
const Value* found(const std::vector<std::pair<char, Value>>& all, char letter) {
  for (const auto& [name, value] : all)
    if (name == letter) return &value;
  return nullptr;
}

class Matcher {
 public:
  Matcher(const Rewriter& graph, std::string_view pattern) : graph_(graph), pattern_(pattern) {}

  std::optional<Match> at(NodeId root) {
    match_.root = root;
    const Head head = read_head();
    if (!head.letters_only && graph_.name(root) == head.name && operands(root) && only_inside())
      return std::move(match_);
    return std::nullopt;
  }

 private:
  struct Head {
    char letter = 0;
    bool shared = false;
    bool letters_only = false;  // a tensor
    std::string_view name = {};
  };

  [[nodiscard]] char next() const { return at_ < pattern_.size() ? pattern_[at_] : '\0'; }

  // Up to and including the opening bracket of an operator, or the letter of a tensor.
  Head read_head() {
    Head head;
    if (next() == '*') {
      head.shared = true;
      ++at_;
    }
    if (at_ + 1 < pattern_.size() && pattern_[at_ + 1] == ':') {
      head.letter = pattern_[at_];
      at_ += 2;
    }
    const std::size_t begin = at_;
    while (next() != '(' && next() != ',' && next() != ')' && next() != '\0') ++at_;
    head.name = pattern_.substr(begin, at_ - begin);
    if (next() == '(') {
      ++at_;
    } else {
      ROOFBEAM_CHECK(head.name.size() == 1);
      head.letters_only = true;
      head.letter = head.name.front();
    }
    return head;
  }

  bool operands(NodeId node) {
    const std::vector<Tensor>& reads = graph_.at(node).reads;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      if (!operand(reads[i])) return false;
      if (next() != (i + 1 < reads.size() ? ',' : ')')) return false;
      ++at_;
    }
    return true;
  }

  bool operand(const Tensor& tensor) {
    const Head head = read_head();
    if (head.letters_only) {
      if (const Tensor* known = found(match_.tensors, head.letter))
        return known->value == tensor.value;
      match_.tensors.emplace_back(head.letter, tensor);
      return true;
    }
    const NodeId node = graph_.writer_named(tensor, head.name);
    if (node == kNoNode || graph_.at(node).writes.front().value != tensor.value) return false;
    if (head.letter != 0) {
      match_.tensors.emplace_back(head.letter, tensor);
      match_.remembered.emplace_back(head.letter, node);
    }
    match_.inner.push_back(node);
    if (!head.shared) owned_.push_back(node);
    return operands(node);
  }

  bool only_inside() const {
    const auto is_inside = [&](NodeId node) {
      return node == match_.root || std::ranges::find(match_.inner, node) != match_.inner.end();
    };
    return std::ranges::all_of(owned_, [&](NodeId node) {
      return std::ranges::all_of(graph_.at(node).writes, [&](const Tensor& result) {
        return !graph_.is_read_outside(result.value) &&
               std::ranges::all_of(graph_.readers(result.value), is_inside);
      });
    });
  }

  const Rewriter& graph_;
  std::string_view pattern_;
  std::size_t at_ = 0;
  Match match_;
  std::vector<NodeId> owned_;
};

}  // namespace

const Tensor& Match::tensor(char letter) const {
  const Tensor* known = found(tensors, letter);
  ROOFBEAM_CHECK(known != nullptr);
  return *known;
}

NodeId Match::node(char letter) const {
  const NodeId* known = found(remembered, letter);
  ROOFBEAM_CHECK(known != nullptr);
  return *known;
}

std::optional<Match> matched(const Rewriter& graph, NodeId root, std::string_view pattern) {
  return Matcher(graph, pattern).at(root);
}

void fuse(Rewriter& graph, std::span<const Fusion> fusions) {
  std::vector<NodeId> nodes = graph.nodes();
  std::ranges::reverse(nodes);
  for (const NodeId node : nodes) {
    if (!graph.is_left(node)) continue;
    for (const Fusion& fusion : fusions) {
      if (!fusion.pattern.starts_with(graph.name(node))) continue;
      const std::optional<Match> match = matched(graph, node, fusion.pattern);
      if (match && fusion.apply(graph, *match)) break;
    }
  }
  graph.tidy();
}

}  // namespace roofbeam
