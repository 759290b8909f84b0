#include "engine/diff/structure.h"

#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "engine/design/configuration.h"

namespace roofbeam {
namespace {

constexpr std::string_view kRoot = "<root>";

bool same(const json::Value& a, const json::Value& b) {
  if (a.is_number() && b.is_number()) return a.number() == b.number();
  if (a.is_array() && b.is_array()) {
    const json::Array& x = a.array();
    const json::Array& y = b.array();
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!same(x[i], y[i])) return false;
    return true;
  }
  if (a.is_object() && b.is_object()) {
    if (a.object().size() != b.object().size()) return false;
    for (const auto& [key, value] : a.object()) {
      const json::Value* other = b.find(key);
      if (other == nullptr || !same(value, *other)) return false;
    }
    return true;
  }
  return a == b;
}

// Position by name of whatever has one; the first of equals.
template <class Item, class Name>
std::unordered_map<std::string_view, std::size_t> index_of(const std::vector<Item>& items, Name name) {
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < items.size(); ++i) index.emplace(name(items[i]), i);
  return index;
}

// ---- symbols

SymbolState state_of(const SymbolDefinition& symbol, const DiffSide& side) {
  SymbolState state{symbol.kind, symbol.value, std::numeric_limits<double>::quiet_NaN()};
  if (const Configuration* active = active_configuration(side.document))
    for (const auto& [name, value] : active->symbols)
      if (name == symbol.name) state.written = value;
  if (const auto id = side.scope.find(symbol.name)) state.value = side.scope.value(*id);
  return state;
}

void compare_symbols(const DiffSide& a, const DiffSide& b, StructureDifference& difference) {
  const auto name = [](const SymbolDefinition& symbol) -> std::string_view { return symbol.name; };
  const auto in_a = index_of(a.document.symbols, name);
  const auto in_b = index_of(b.document.symbols, name);
  for (const SymbolDefinition& symbol : a.document.symbols) {
    SymbolDifference one{symbol.name, state_of(symbol, a), std::nullopt};
    if (const auto other = in_b.find(symbol.name); other != in_b.end()) {
      one.b = state_of(b.document.symbols[other->second], b);
      if (one.a->kind == one.b->kind && same(one.a->written, one.b->written)) continue;
    }
    difference.symbols.push_back(std::move(one));
  }
  for (const SymbolDefinition& symbol : b.document.symbols)
    if (!in_a.contains(symbol.name))
      difference.symbols.push_back({symbol.name, std::nullopt, state_of(symbol, b)});
}

// ---- blocks and wires

struct PlacedNode {
  std::string path;
  const Node* node;
};

struct PlacedEdge {
  std::string graph;
  const Edge* edge;
};

// A document's graphs laid out flat, in document order.
struct Layout {
  std::vector<PlacedNode> nodes;
  std::vector<PlacedEdge> edges;
};

void lay_out(const Graph& graph, const std::string& prefix, Layout& layout) {
  for (const Edge& edge : graph.edges)
    layout.edges.push_back({prefix.empty() ? std::string(kRoot) : prefix, &edge});
  for (const Node& node : graph.nodes) {
    const std::string path = prefix.empty() ? node.id : prefix + "/" + node.id;
    layout.nodes.push_back({path, &node});
    if (node.graph) lay_out(*node.graph, path, layout);
  }
}

Layout layout_of(const Document& document) {
  Layout layout;
  lay_out(document.graph, "", layout);
  return layout;
}

using ParamMap = std::map<std::string_view, const json::Value*>;

ParamMap params_of(const Node& node) {
  ParamMap params;
  for (const auto& [name, value] : node.params)
    if (!value.is_null()) params.emplace(name, &value);
  return params;
}

// a's parameters in its order, then what b adds.
std::vector<ParamDifference> compare_params(const Node& a, const Node& b) {
  const ParamMap in_a = params_of(a);
  const ParamMap in_b = params_of(b);
  std::vector<ParamDifference> differences;
  for (const auto& [name, value] : a.params) {
    if (!in_a.contains(name)) continue;
    const auto other = in_b.find(name);
    if (other == in_b.end())
      differences.push_back({name, value, {}});
    else if (!same(value, *other->second))
      differences.push_back({name, value, *other->second});
  }
  for (const auto& [name, value] : b.params)
    if (in_b.contains(name) && !in_a.contains(name)) differences.push_back({name, {}, value});
  return differences;
}

void compare_blocks(const Layout& a, const Layout& b, StructureDifference& difference) {
  const auto path = [](const PlacedNode& node) -> std::string_view { return node.path; };
  const auto in_a = index_of(a.nodes, path);
  const auto in_b = index_of(b.nodes, path);
  for (const PlacedNode& placed : a.nodes) {
    const Node& node = *placed.node;
    const auto at = in_b.find(placed.path);
    if (at == in_b.end()) {
      difference.blocks_removed.push_back({placed.path, node.type});
      continue;
    }
    const Node& other = *b.nodes[at->second].node;
    BlockDifference one{placed.path, {}, {}, compare_params(node, other)};
    if (node.type != other.type) one.type = TextDifference{node.type, other.type};
    if (node.label != other.label) one.label = TextDifference{node.label, other.label};
    if (one.type || one.label || !one.params.empty()) difference.blocks_changed.push_back(std::move(one));
  }
  for (const PlacedNode& placed : b.nodes)
    if (!in_a.contains(placed.path)) difference.blocks_added.push_back({placed.path, placed.node->type});
}

using WireCounts = std::map<std::tuple<std::string_view, std::string_view, std::string_view>, int>;

WireCounts counted(const std::vector<PlacedEdge>& edges) {
  WireCounts counts;
  for (const PlacedEdge& placed : edges) ++counts[{placed.graph, placed.edge->from, placed.edge->to}];
  return counts;
}

// What of `edges` is more than `others` hold; a wire written twice counts twice.
std::vector<WireName> beyond(const std::vector<PlacedEdge>& edges, WireCounts others) {
  std::vector<WireName> names;
  for (const PlacedEdge& placed : edges)
    if (--others[{placed.graph, placed.edge->from, placed.edge->to}] < 0)
      names.push_back({placed.graph, placed.edge->from, placed.edge->to});
  return names;
}

void compare_definitions(const Document& a, const Document& b, StructureDifference& difference) {
  const auto type = [](const DefinedBlock& block) -> std::string_view { return block.type; };
  const auto in_a = index_of(a.defs, type);
  const auto in_b = index_of(b.defs, type);
  for (const DefinedBlock& block : a.defs) {
    const auto at = in_b.find(block.type);
    if (at == in_b.end())
      difference.definitions_removed.push_back(block.type);
    else if (!same(block.definition, b.defs[at->second].definition))
      difference.definitions_changed.push_back(block.type);
  }
  for (const DefinedBlock& block : b.defs)
    if (!in_a.contains(block.type)) difference.definitions_added.push_back(block.type);
}

}  // namespace

bool StructureDifference::identical() const {
  return symbols.empty() && blocks_added.empty() && blocks_removed.empty() && blocks_changed.empty() &&
         edges_added.empty() && edges_removed.empty() && definitions_added.empty() &&
         definitions_removed.empty() && definitions_changed.empty();
}

StructureDifference structure_difference(const DiffSide& a, const DiffSide& b) {
  StructureDifference difference;
  compare_symbols(a, b, difference);
  const Layout in_a = layout_of(a.document);
  const Layout in_b = layout_of(b.document);
  compare_blocks(in_a, in_b, difference);
  difference.edges_removed = beyond(in_a.edges, counted(in_b.edges));
  difference.edges_added = beyond(in_b.edges, counted(in_a.edges));
  compare_definitions(a.document, b.document, difference);
  return difference;
}

}  // namespace roofbeam
