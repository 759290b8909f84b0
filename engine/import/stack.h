#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/design/document.h"
#include "engine/import/table.h"
#include "engine/import/values.h"

namespace roofbeam {

// A node with the ports a chain enters and leaves it by.
struct ChainLink {
  std::string id;
  std::string in;
  std::string out;
};

// A model's layers as nodes: repeats, and blocks of their own where a pattern is cut off.
struct DrawnStack {
  std::vector<Node> nodes;
  std::vector<ChainLink> chain;  // the same nodes in order
  // Nodes and the further inputs that they take beside the stream.
  std::vector<std::pair<std::string, std::string>> further_inputs;
  std::vector<SymbolDefinition>
      symbols;  // that count the layers of each kind, where there are several
};

// Draws the stack `id`. Uniform layers give one repeat `id` of a block named "block". Layers of
// several kinds give a repeat for each run (layers.h): the one with most layers is `id`, the others
// are named for their label ("dense_layers"); inside a pattern blocks are named for theirs
// ("local", "global", or "local0", "local1" where one occurs more than once), and what a pattern's
// end cuts off is "tail0", "tail1", ... beside the repeat.
[[nodiscard]] DrawnStack drawn_stack(const std::string& id, const ImportStack& stack,
                                     const Values& values);

}  // namespace roofbeam
