#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/design/document.h"
#include "engine/graph/elaboration.h"
#include "engine/json/writer.h"

namespace roofbeam {

struct ShownOutput {
  std::string port;
  std::optional<std::string> shape;          // "B T D"; nothing where it could not be inferred
  std::optional<std::string> numeric_shape;  // "B T 4096": design values put in
  std::vector<std::string> to;               // "node:port" of the same graph
};

// One block as the tree shows it.
struct ShownBlock {
  std::string path;
  std::string id;
  std::string type;
  std::string kind;  // "primitive", "composite", "container"; "unknown" where the type is
  std::optional<std::string> label;
  double params = 0;              // weights of one copy
  std::optional<double> repeat;   // of a repeat container: its count
  std::vector<std::pair<std::string, json::Value>> arguments;  // given ones, as written
  std::vector<ShownOutput> outputs;
  std::vector<ShownBlock> children;
};

// The document's blocks in its order; with `expand` what composites consist of, too.
[[nodiscard]] std::vector<ShownBlock> block_tree(const Document& document, const Elaboration& design,
                                                 bool expand);

// {name, tree}
void write_tree(json::Writer& out, std::string_view name, const std::vector<ShownBlock>& tree);

// One line a block, indented: type, weights, shapes, where they go, parameters.
[[nodiscard]] std::string tree_text(std::string_view name, const std::vector<ShownBlock>& tree);

}  // namespace roofbeam
