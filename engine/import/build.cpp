#include "engine/import/build.h"

#include <algorithm>
#include <iterator>

#include "engine/base/check.h"
#include "engine/base/text.h"
#include "engine/import/condition.h"
#include "engine/import/pick.h"
#include "engine/import/stack.h"

namespace roofbeam {
namespace {

using json::Value;

bool wanted(const std::string& condition, const Values& values) {
  return condition.empty() || holds(condition, values) == true;
}

std::vector<SymbolDefinition> symbols(const ImportTable& table, const Values& values) {
  std::vector<SymbolDefinition> result;
  for (const ImportSymbol& symbol : table.symbols) {
    if (!wanted(symbol.when, values)) continue;
    result.push_back({.name = symbol.name,
                      .kind = symbol.runtime ? SymbolKind::runtime : SymbolKind::design,
                      .value = *picked(symbol.value, values),
                      .doc = picked(symbol.doc, values)->string(),
                      .plain = false});
  }
  return result;
}

// What a chain's part says of the ports: "out" of the first, "in:node:out", "in" of the last.
ChainLink link(const std::string& part, bool first, bool last) {
  const std::vector<std::string_view> pieces = split(part, ':');
  ROOFBEAM_CHECK(pieces.size() == (first || last ? 2u : 3u));
  if (first) return {std::string(pieces[0]), "", std::string(pieces[1])};
  if (last) return {std::string(pieces[0]), std::string(pieces[1]), ""};
  return {std::string(pieces[1]), std::string(pieces[0]), std::string(pieces[2])};
}

FrameworkConfig framework_config(const Values& values) {
  const Value& positions = values["max_positions"];
  const Value& padding = values["padding_id"];
  return {.model_type = values["model_type"].string(),
          .positions = positions.is_number() ? std::optional(positions.number()) : std::nullopt,
          .padding_id = padding.is_number() ? std::optional(padding.number()) : std::nullopt};
}

class DocumentBuilder {
  struct Stack {
    std::string id;
    std::vector<ChainLink> chain;
    std::vector<std::pair<std::string, std::string>> further_inputs;
  };

 public:
  DocumentBuilder(const ImportTable& table, const Values& values)
      : table_(table), values_(values) {}

  Document build(const std::string& name) && {
    document_.meta.name = name;
    document_.meta.family = table_.family;
    document_.meta.notes = filled(table_.notes, values_);
    document_.meta.framework = framework_config(values_);
    document_.symbols = symbols(table_, values_);
    for (const ImportNode& node : table_.nodes)
      if (wanted(node.when, values_)) add(node);
    for (const std::vector<std::string>& wire : table_.wires) add_wire(wire);
    return std::move(document_);
  }

 private:
  void add(const ImportNode& node) {
    if (node.stack) {
      DrawnStack drawn = drawn_stack(node.id, *node.stack, values_);
      std::ranges::move(drawn.nodes, std::back_inserter(document_.graph.nodes));
      std::ranges::move(drawn.symbols, std::back_inserter(document_.symbols));
      stacks_.push_back({node.id, std::move(drawn.chain), std::move(drawn.further_inputs)});
      return;
    }
    std::optional<Value> params = picked(node.params, values_);
    document_.graph.nodes.push_back(
        {.id = node.id,
         .type = picked(node.type, values_)->string(),
         .params = params->is_object() ? std::move(params->object()) : json::Object{},
         .graph = {},
         .label = {},
         .variants = {}});
  }

  void add_wire(const std::vector<std::string>& wire) {
    std::vector<ChainLink> chain;
    for (std::size_t i = 0; i < wire.size(); ++i) {
      const ChainLink part = link(wire[i], i == 0, i + 1 == wire.size());
      const auto stack = std::ranges::find(stacks_, part.id, &Stack::id);
      if (stack != stacks_.end() && i + 1 == wire.size() && !chain.empty() &&
          add_further(*stack, chain.back(), part.in))
        return add_edges(chain);
      if (stack != stacks_.end())
        std::ranges::copy(stack->chain, std::back_inserter(chain));
      else if (is_drawn(part.id))
        chain.push_back(part);
      else if (i == 0 || i + 1 == wire.size())
        return;
    }
    add_edges(chain);
  }

  void add_edges(const std::vector<ChainLink>& chain) {
    for (std::size_t i = 1; i < chain.size(); ++i)
      document_.graph.edges.push_back(
          {chain[i - 1].id + ":" + chain[i - 1].out, chain[i].id + ":" + chain[i].in});
  }

  // A chain's end into an input of a stack beside its stream; false where it has none of that name.
  bool add_further(const Stack& stack, const ChainLink& from, const std::string& port) {
    bool found = false;
    for (const auto& [id, further] : stack.further_inputs)
      if (further == port) {
        document_.graph.edges.push_back({from.id + ":" + from.out, id + ":" + port});
        found = true;
      }
    return found;
  }

  bool is_drawn(const std::string& id) const {
    return std::ranges::find(document_.graph.nodes, id, &Node::id) != document_.graph.nodes.end();
  }

  const ImportTable& table_;
  const Values& values_;
  Document document_;
  std::vector<Stack> stacks_;
};

}  // namespace

Document built_document(const ImportTable& table, const Values& values, const std::string& name) {
  return DocumentBuilder(table, values).build(name);
}

}  // namespace roofbeam
