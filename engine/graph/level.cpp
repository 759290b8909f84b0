#include "engine/graph/level.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/text.h"
#include "engine/blocks/attention.h"
#include "engine/graph/hints.h"
#include "engine/graph/resolve.h"

namespace roofbeam {
namespace {

Finding graph_finding(std::optional<std::string> path, std::string message, std::string hint = "") {
  return {.rule = "graph",
          .severity = Severity::error,
          .path = std::move(path),
          .port = {},
          .param = {},
          .message = std::move(message),
          .hint = std::move(hint)};
}

void unknown_type(const std::string& path, std::string_view type, const LevelContext& context) {
  std::vector<std::string_view> types;
  if (is_hinted(context.findings)) types = context.catalog.types();
  context.findings.push_back({.rule = "shape",
                              .severity = Severity::error,
                              .path = path,
                              .port = {},
                              .param = {},
                              .message = "unknown block type " + quoted(type),
                              .hint = closest_hint(type, types)});
}

// Splits "node:port" at its last colon.
struct EdgeEnd {
  std::string_view node;
  std::string_view port;
};

std::optional<EdgeEnd> edge_end(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return std::nullopt;
  return EdgeEnd{text.substr(0, colon), text.substr(colon + 1)};
}

// A generated boundary node: what enters a composite leaves `_in`, what leaves it enters `_out`.
LevelNode boundary_node(std::string_view id, std::string_view type, std::vector<PortSpec> ports,
                        const std::string& prefix, const LevelContext& context) {
  LevelNode node{.id = std::string(id), .spec = context.catalog.find(type)};
  json::Object shapes;
  for (const PortSpec& port : ports) shapes.emplace_back(port.name, json::Value(port.shape));
  node.arguments = resolve_arguments(
      *node.spec, std::vector{std::pair(std::string("ports"), json::Value(std::move(shapes)))},
      context.scope, joined(prefix, id), context.findings);
  Ports own;
  (type == "boundary_in" ? own.outputs : own.inputs) = std::move(ports);
  node.own_ports = std::make_shared<const Ports>(std::move(own));
  return node;
}

std::vector<PortSpec> specs_of(const std::vector<std::pair<std::string, std::string>>& ports,
                               const Arguments& outer) {
  std::vector<PortSpec> specs;
  for (const auto& [name, shape] : ports)
    specs.push_back({.name = name, .shape = substituted(std::string_view(shape), outer)});
  return specs;
}

}  // namespace

std::string joined(const std::string& prefix, std::string_view id) {
  if (prefix.empty()) return std::string(id);
  std::string path;
  path.reserve(prefix.size() + 1 + id.size());
  path += prefix;
  path += '/';
  path += id;
  return path;
}

std::shared_ptr<const Ports> composite_ports(const BlockSpec& spec, const Arguments& arguments,
                                             const Scope& scope) {
  Ports ports = ports_of(spec, arguments);
  if (reads_tables(spec)) add_table_ports(arguments, scope, ports);
  return std::make_shared<const Ports>(std::move(ports));
}

bool reads_tables(const BlockSpec& spec) {
  return spec.param("mask") != nullptr && spec.param("score") != nullptr;
}

Level level_of(const Graph& graph, const std::string& prefix, const LevelContext& context) {
  Level level;
  std::unordered_map<std::string_view, std::size_t> index;
  index.reserve(graph.nodes.size());
  level.nodes.reserve(graph.nodes.size());
  level.edges.reserve(graph.edges.size());
  const std::optional<std::string> in_graph = prefix.empty() ? std::nullopt : std::optional(prefix);
  for (const Node& node : graph.nodes) {
    const std::string path = joined(prefix, node.id);
    if (!index.emplace(node.id, level.nodes.size()).second) {
      // About the graph: the path is the first one's, with which nothing is wrong.
      context.findings.push_back(graph_finding(in_graph, "two blocks of one graph have the id " + quoted(node.id),
                                               "ids are unique within their graph"));
      continue;
    }
    LevelNode& out = level.nodes.emplace_back();
    out.id = node.id;
    out.label = node.label;
    out.graph = node.graph.get();
    out.spec = context.catalog.find(node.type);
    if (out.spec == nullptr) {
      unknown_type(path, node.type, context);
      continue;
    }
    out.arguments = resolve_arguments(*out.spec, node.params, context.scope, path, context.findings);
    if (out.spec->kind == BlockKind::container) {
      if (out.graph == nullptr)
        context.findings.push_back(graph_finding(path, out.spec->type + " has no graph inside"));
      out.own_ports = std::make_shared<const Ports>(
          out.graph == nullptr ? Ports{} : container_ports(*out.graph, path, context));
    } else if (out.graph != nullptr) {
      context.findings.push_back(
          graph_finding(path, out.spec->type + " is no container and cannot have a graph inside"));
      out.graph = nullptr;
    }
  }
  // Wires mostly run from a block to the next, in the order of the blocks: looked up there first.
  std::size_t last = 0;
  const auto find_node = [&](std::string_view id) {
    for (const std::size_t near : {last, last + 1})
      if (near < level.nodes.size() && level.nodes[near].id == id) return last = near;
    const auto at = index.find(id);
    return at == index.end() ? kNoNode : last = at->second;
  };
  // Of a wire with a bad end the other one counts: what is wired there is not open.
  const auto find_end = [&](const std::string& text, std::string_view side) -> std::pair<std::size_t, std::string> {
    const std::optional<EdgeEnd> end = edge_end(text);
    if (!end) {
      context.findings.push_back(graph_finding(
          in_graph, "the wire's " + std::string(side) + " " + quoted(text) + " is not of the form node:port"));
      return {kNoNode, ""};
    }
    const std::size_t at = find_node(end->node);
    if (at == kNoNode) {
      std::vector<std::string_view> ids;
      if (is_hinted(context.findings) && level.nodes.size() <= kHintedCandidates)
        for (const LevelNode& node : level.nodes) ids.push_back(node.id);
      context.findings.push_back(
          graph_finding(in_graph, "the wire's " + std::string(side) + " " + quoted(text) + " names a block that is not in this graph",
                        closest_hint(end->node, ids)));
      return {kNoNode, ""};
    }
    return {at, std::string(end->port)};
  };
  for (const Edge& edge : graph.edges) {
    auto [from, from_port] = find_end(edge.from, "producer");
    auto [to, to_port] = find_end(edge.to, "consumer");
    level.edges.push_back({from, std::move(from_port), to, std::move(to_port)});
  }
  return level;
}

Level level_of(const TemplateGraph& graph, const Arguments& outer, const Ports& outer_ports,
               const std::vector<std::string>& tables, const std::string& prefix,
               const LevelContext& context) {
  Level level;
  level.nodes.push_back(boundary_node(graph.input_id, "boundary_in", outer_ports.inputs, prefix, context));
  // Level index of each template node, or absent.
  std::vector<std::optional<std::size_t>> index(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const TemplateNode& node = graph.nodes[i];
    if (!holds(node.when, outer)) continue;
    index[i] = level.nodes.size();
    LevelNode& out = level.nodes.emplace_back();
    out.id = node.id;
    out.label = node.label;
    out.spec = context.catalog.find(node.type);
    const std::string path = joined(prefix, node.id);
    if (out.spec == nullptr) {
      unknown_type(path, node.type, context);
      continue;
    }
    out.arguments = resolve_arguments(*out.spec, node.params, outer, context.scope, path, context.findings);
    if (node.graph) {
      out.inner = node.graph.get();
      out.own_ports = std::make_shared<const Ports>(container_ports(*node.graph, outer));
    }
  }
  const std::size_t last = level.nodes.size();
  // Whatever reaches the exit is held against the outer ports when the interior is done.
  std::vector<PortSpec> exits = outer_ports.outputs;
  for (PortSpec& exit : exits) exit.shape = "*";
  level.nodes.push_back(boundary_node(graph.output_id, "boundary_out", std::move(exits), prefix, context));

  for (const auto& [from, to] : wires_of(graph, outer)) {
    const auto at = [&](std::size_t node) {
      return node == kBoundaryIn ? std::size_t{0} : node == kBoundaryOut ? last : *index[node];
    };
    level.edges.push_back({at(from.node), from.port, at(to.node), to.port});
  }
  // A table that an expression reads is wired to every block inside that reads it too.
  for (std::size_t i = 1; i < last && !tables.empty(); ++i) {
    LevelNode& node = level.nodes[i];
    if (node.spec == nullptr) continue;
    if (!node.own_ports) node.own_ports = ports_for(*node.spec, node.arguments, context.scope);
    const Ports& ports = node.own_ports ? *node.own_ports : node.spec->ports;
    for (const std::string& table : tables)
      for (const PortSpec& port : ports.inputs)
        if (port.name == table) level.edges.push_back({0, table, i, table});
  }
  return level;
}

Ports container_ports(const Graph& graph, const std::string& path, const LevelContext& context) {
  Findings repeated;  // what is wrong with a boundary node is found again when its level is built
  std::size_t entries = 0;
  std::size_t exits = 0;
  Ports ports;
  for (const Node& node : graph.nodes) {
    const bool entry = node.type == "boundary_in";
    if (!entry && node.type != "boundary_out") continue;
    if (++(entry ? entries : exits) > 1) continue;
    const BlockSpec& spec = *context.catalog.find(node.type);
    const Ports own = spec.forms.ports(
        resolve_arguments(spec, node.params, context.scope, path, repeated), spec.ports, context.scope);
    if (entry)
      ports.inputs = own.outputs;
    else
      ports.outputs = own.inputs;
  }
  const auto require_one = [&](std::string_view type, std::size_t count) {
    if (count == 1) return;
    context.findings.push_back(graph_finding(path, "a container needs exactly one " + std::string(type) +
                                                       "; found " + std::to_string(count)));
  };
  require_one("boundary_in", entries);
  require_one("boundary_out", exits);
  return ports;
}

Ports container_ports(const TemplateGraph& graph, const Arguments& outer) {
  return {.inputs = specs_of(graph.inputs, outer), .outputs = specs_of(graph.outputs, outer)};
}

std::shared_ptr<const Ports> ports_for(const BlockSpec& spec, const Arguments& arguments,
                                       const Scope& scope) {
  if (spec.kind == BlockKind::composite) return composite_ports(spec, arguments, scope);
  if (spec.forms.ports == nullptr) return nullptr;
  return std::make_shared<const Ports>(spec.forms.ports(arguments, spec.ports, scope));
}

}  // namespace roofbeam
