#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/program/rewriter.h"

namespace roofbeam {

// Operators as one expression: "mul(w,f:convert_element_type(x))". A letter alone stands for any
// tensor, the same one wherever it comes again; a letter and a colon before an operator remember
// both it and its first result. An operator of the pattern takes as many operands as are written.
// Its results are read within the pattern alone, unless an asterisk stands before it; those of the
// outermost may always be read elsewhere.
struct Match {
  NodeId root = kNoNode;
  std::vector<std::pair<char, Tensor>> tensors = {};
  std::vector<std::pair<char, NodeId>> remembered = {};
  std::vector<NodeId> inner = {};  // without the root

  [[nodiscard]] const Tensor& tensor(char letter) const;
  [[nodiscard]] NodeId node(char letter) const;
};

// Where the outermost operator of the pattern is `root`.
[[nodiscard]] std::optional<Match> matched(const Rewriter& graph, NodeId root,
                                           std::string_view pattern);

// What a pattern becomes. `apply` changes nothing and returns false where a condition that a
// pattern cannot tell does not hold.
struct Fusion {
  std::string_view pattern;
  bool (*apply)(Rewriter& graph, const Match& match) = nullptr;
};

// Tries the rows in order on every operator, last first; then tidies.
void fuse(Rewriter& graph, std::span<const Fusion> fusions);

}  // namespace roofbeam
