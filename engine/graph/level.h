#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/blocks/catalog.h"
#include "engine/blocks/template.h"
#include "engine/design/document.h"
#include "engine/design/finding.h"
#include "engine/graph/elaboration.h"

namespace roofbeam {

// What one graph says, whether it is a document's or a composite's template: nodes with their
// arguments, and wires by node index. The expander turns a level into instances.
struct LevelNode {
  std::string id;
  const BlockSpec* spec = nullptr;  // nullptr: unknown type, already reported
  Arguments arguments = {};
  std::optional<std::string> label = {};
  const Graph* graph = nullptr;                // a container of the document
  const TemplateGraph* inner = nullptr;        // a container inside a composite
  std::shared_ptr<const Ports> own_ports = {};  // boundary nodes, containers, dynamic ports
};

// An end of a wire that is no block of the level.
inline constexpr std::size_t kNoNode = std::numeric_limits<std::size_t>::max();

struct LevelEdge {
  std::size_t from = 0;   // kNoNode: a block that is missing
  std::string from_port;  // "": the main one
  std::size_t to = 0;     // as above
  std::string to_port;
};

struct Level {
  std::vector<LevelNode> nodes;
  std::vector<LevelEdge> edges;
};

// Where levels are built: the catalog, the scope, and where findings go.
struct LevelContext {
  const Catalog& catalog;
  const Scope& scope;
  Findings& findings;
};

// A document's graph. Findings: duplicate ids, unknown types, malformed and dangling edges (rule
// "graph" or "shape").
[[nodiscard]] Level level_of(const Graph& graph, const std::string& prefix,
                             const LevelContext& context);

// What a composite expands to, with its generated boundary nodes. `outer` are its arguments and its
// template's locals; `outer_ports` are the composite's ports for these arguments; `tables` are the names of
// those inputs that attention expressions read, wired to every node inside that has such a port.
[[nodiscard]] Level level_of(const TemplateGraph& graph, const Arguments& outer,
                             const Ports& outer_ports, const std::vector<std::string>& tables,
                             const std::string& prefix, const LevelContext& context);

// The ports a container shows outside: those of its boundary nodes. Findings (rule "graph") where
// it has not exactly one of each.
[[nodiscard]] Ports container_ports(const Graph& graph, const std::string& path,
                                    const LevelContext& context);
[[nodiscard]] Ports container_ports(const TemplateGraph& graph, const Arguments& outer);

// A composite's ports for its arguments: conditional ones where they hold, and one for each table
// its attention expressions read.
[[nodiscard]] std::shared_ptr<const Ports> composite_ports(const BlockSpec& spec,
                                                           const Arguments& arguments,
                                                           const Scope& scope);

// Whether a composite passes mask and score expressions on, and with them the tables they read.
[[nodiscard]] bool reads_tables(const BlockSpec& spec);

// Ports of a block for its arguments; nullptr: the declared ones.
[[nodiscard]] std::shared_ptr<const Ports> ports_for(const BlockSpec& spec, const Arguments& arguments,
                                                     const Scope& scope);

// Path of a node below a prefix.
[[nodiscard]] std::string joined(const std::string& prefix, std::string_view id);

}  // namespace roofbeam
