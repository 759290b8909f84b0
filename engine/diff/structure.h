#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/design/document.h"
#include "engine/graph/elaboration.h"

namespace roofbeam {

// What two designs say differently, whatever it costs.

// A symbol as it stands under the active configuration: written is a number or an expression; of a
// runtime symbol its default, null without one.
struct SymbolState {
  SymbolKind kind = SymbolKind::design;
  json::Value written;
  double value = 0;  // evaluated; NaN where it has none
};

struct SymbolDifference {
  std::string name;
  std::optional<SymbolState> a;  // nothing: added
  std::optional<SymbolState> b;  // nothing: removed
};

struct ParamDifference {
  std::string name;
  json::Value a;  // as written; null where absent
  json::Value b;
};

struct TextDifference {
  std::optional<std::string> a;
  std::optional<std::string> b;
};

// One block that both designs have at a path, and in which it differs.
struct BlockDifference {
  std::string path;
  std::optional<TextDifference> type;  // nothing where equal
  std::optional<TextDifference> label;
  std::vector<ParamDifference> params;
};

struct BlockName {
  std::string path;
  std::string type;
};

struct WireName {
  std::string graph;  // path of the container the wire is in; "<root>" outside of all
  std::string from;   // "node:port"
  std::string to;
};

struct StructureDifference {
  std::vector<SymbolDifference> symbols;  // a's in its order, then what b adds
  std::vector<BlockName> blocks_added;
  std::vector<BlockName> blocks_removed;
  std::vector<BlockDifference> blocks_changed;
  std::vector<WireName> edges_added;
  std::vector<WireName> edges_removed;
  // Types of the blocks the designs define themselves.
  std::vector<std::string> definitions_added;
  std::vector<std::string> definitions_removed;
  std::vector<std::string> definitions_changed;

  [[nodiscard]] bool identical() const;
};

// A document and its symbols' values.
struct DiffSide {
  const Document& document;
  const Scope& scope;
};

// Compares symbols by name, the documents' own blocks by path, wires by their text. Names, notes,
// published figures, rules and editor state are no structure. Numbers are equal by value: 4096 and
// 4096.0 do not differ.
[[nodiscard]] StructureDifference structure_difference(const DiffSide& a, const DiffSide& b);

}  // namespace roofbeam
