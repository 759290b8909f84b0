#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/algebra/scope.h"
#include "engine/base/result.h"
#include "engine/json/value.h"

namespace roofbeam {

// What the model's makers say of it, to hold the computed figures against.
struct PublishedFigures {
  std::optional<double> params;
  std::optional<double> active_params;
  std::optional<double> kv_bytes_per_token;
  std::optional<std::string> source;
  std::optional<double> tolerance;  // relative; kDefaultTolerance where absent
};

inline constexpr double kDefaultTolerance = 0.005;

// What a framework's own config says of the model beside its graph: how a simulation of that
// framework runs it.
struct FrameworkConfig {
  std::string model_type;            // Hugging Face's: "qwen3"
  std::optional<double> positions;   // rows of its tables of rotary angles
  std::optional<double> padding_id;  // token whose embedding is not trained
};

struct Meta {
  std::string name;
  std::optional<std::string> family;
  std::optional<std::string> notes;
  std::optional<PublishedFigures> published;
  std::optional<FrameworkConfig> framework = {};
};

// One named quantity. A design symbol has a value (a number or an expression); a runtime symbol may
// have a default. Written plain ("D": 4096) or as an object; `plain` keeps which.
struct SymbolDefinition {
  std::string name;
  SymbolKind kind = SymbolKind::design;
  json::Value value;  // number or text; null for a runtime symbol without default
  std::optional<std::string> doc;
  bool plain = true;
};

struct Graph;

struct Node {
  std::string id;
  std::string type;
  std::vector<std::pair<std::string, json::Value>> params;  // as written, in order
  std::shared_ptr<const Graph> graph;                       // containers only
  std::optional<std::string> label;
  json::Value variants;       // kept verbatim; null where absent
  bool empty_params = false;  // "params": {} was written, which says no more than leaving it out
};

// "node:port" at both ends, producer first. Checked when the graph is elaborated, not here.
struct Edge {
  std::string from;
  std::string to;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

// A block the design defines itself: kept as read, compiled by blocks/catalog.
struct DefinedBlock {
  std::string type;
  json::Value definition;
};

struct Configuration {
  std::string name;
  std::optional<std::string> doc;
  std::vector<std::pair<std::string, json::Value>> symbols;  // overriding values
};

// A design document (`*.tensorcad.json`): the only model format. Everything the engine is asked, it
// is asked of one of these. What it was measured under (batch, device, layout) is never in it.
struct Document {
  Meta meta;
  std::vector<SymbolDefinition> symbols;
  Graph graph;
  std::vector<DefinedBlock> defs;
  std::vector<std::pair<std::string, std::string>> rules;  // rule id -> severity or "off"
  std::vector<Configuration> configurations;
  std::optional<std::string> active;  // the configuration in force
  json::Value ui;                     // kept verbatim, never read; null where absent
  // Sections that were written without anything in them.
  bool empty_defs = false;
  bool empty_rules = false;
  bool empty_configurations = false;
};

inline constexpr int kDocumentVersion = 1;

// The deepest graphs may nest.
inline constexpr std::size_t kMaxGraphDepth = 32;

// Reads a document strictly: every structural problem at once (json.* codes of the reader, and
// document.version, document.nesting). Whether blocks, wires and symbols make sense is judged
// later and reported as findings. `path` is the pointer to `value` within what the user handed in.
[[nodiscard]] Result<Document> read_document(const json::Value& value, std::string_view path = "");

// The document as JSON, members in the format's order, symbols, nodes, edges and parameters in
// their own. Writing what was read changes nothing but spacing and number spelling.
[[nodiscard]] json::Value to_json(const Document& document);

}  // namespace roofbeam
