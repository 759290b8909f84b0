#include "engine/design/document.h"

#include <array>

#include "engine/base/text.h"
#include "engine/json/reader.h"

namespace roofbeam {
namespace {

using json::Reader;
using json::Value;

std::vector<std::pair<std::string, Value>> read_members(Reader in) {
  std::vector<std::pair<std::string, Value>> members;
  for (const json::Member& member : in.members()) members.push_back(member);
  return members;
}

PublishedFigures read_published(Reader in) {
  PublishedFigures published{
      .params = in.optional_positive_number("params"),
      .active_params = in.optional_positive_number("activeParams"),
      .kv_bytes_per_token = in.optional_number("kvBytesPerToken"),
      .source = in.optional_string("source"),
      .tolerance = in.optional_positive_number("tolerance"),
  };
  in.done();
  return published;
}

FrameworkConfig read_framework(Reader in) {
  FrameworkConfig framework{
      .model_type = in.string("modelType"),
      .positions = in.optional_positive_number("positions"),
      .padding_id = in.optional_number("paddingId"),
  };
  in.done();
  return framework;
}

Meta read_meta(Reader in) {
  Meta meta{.name = in.string("name"),
            .family = in.optional_string("family"),
            .notes = in.optional_string("notes"),
            .published = {},
            .framework = {}};
  if (auto published = in.optional_object("published")) meta.published = read_published(*published);
  if (auto framework = in.optional_object("framework")) meta.framework = read_framework(*framework);
  in.done();
  return meta;
}

// A design symbol's value: a number or an expression.
bool is_quantity(const Value& value) { return value.is_number() || value.is_string(); }

SymbolDefinition read_symbol(const std::string& name, const Value& value, const std::string& path,
                             Diagnostics& problems) {
  SymbolDefinition symbol{.name = name, .kind = SymbolKind::design, .value = {}, .doc = {}, .plain = true};
  if (is_quantity(value)) {
    symbol.value = value;
    return symbol;
  }
  if (!value.is_object()) {
    problems.push_back({.code = "json.type",
                        .path = path,
                        .message = "found " + described(value) +
                                   ", wanted a number, an expression or an object with a kind",
                        .hint = ""});
    return symbol;
  }
  symbol.plain = false;
  Reader in(value, path, problems);
  constexpr std::array<std::string_view, 2> kKinds{"design", "runtime"};
  const bool runtime = in.choice("kind", kKinds) == "runtime";
  symbol.kind = runtime ? SymbolKind::runtime : SymbolKind::design;
  if (runtime) {
    if (const auto fallback = in.optional_positive_number("default")) {
      const Value* written = value.find("default");
      symbol.value = *written;
    }
  } else {
    symbol.value = in.value("value");
    if (value.find("value") != nullptr && !is_quantity(symbol.value))
      in.problem("value", "json.type",
                 "found " + described(symbol.value) + ", wanted a number or an expression");
  }
  symbol.doc = in.optional_string("doc");
  in.done();
  return symbol;
}

Graph read_graph(Reader in, std::size_t depth, Diagnostics& problems);

Node read_node(Reader in, std::size_t depth, Diagnostics& problems) {
  Node node{.id = in.string("id"), .type = in.string("type"), .params = {}, .graph = {}, .label = {}, .variants = {}};
  if (auto params = in.optional_object("params")) {
    node.params = read_members(*params);
    node.empty_params = node.params.empty();
  }
  if (auto graph = in.optional_object("graph")) {
    if (depth + 1 > kMaxGraphDepth) {
      in.problem("graph", "document.nesting",
                 "graphs nest deeper than " + std::to_string(kMaxGraphDepth) + " levels");
    } else {
      node.graph = std::make_shared<const Graph>(read_graph(*graph, depth + 1, problems));
    }
  }
  node.label = in.optional_string("label");
  if (const Value* variants = in.optional_value("variants")) node.variants = *variants;
  in.done();
  return node;
}

Graph read_graph(Reader in, std::size_t depth, Diagnostics& problems) {
  Graph graph;
  const json::Array& nodes = in.array("nodes");
  graph.nodes.reserve(nodes.size());
  const std::string nodes_path = in.path_of("nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i)
    graph.nodes.push_back(
        read_node(Reader(nodes[i], json::pointer(nodes_path, i), problems), depth, problems));
  const json::Array& edges = in.array("edges");
  graph.edges.reserve(edges.size());
  const std::string edges_path = in.path_of("edges");
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Value& edge = edges[i];
    if (edge.is_array() && edge.array().size() == 2 && edge.array()[0].is_string() &&
        edge.array()[1].is_string()) {
      graph.edges.push_back({edge.array()[0].string(), edge.array()[1].string()});
    } else {
      problems.push_back({.code = "json.type",
                          .path = json::pointer(edges_path, i),
                          .message = "found " + described(edge) +
                                     ", wanted a pair [\"node:port\", \"node:port\"]",
                          .hint = "the producer comes first"});
    }
  }
  in.done();
  return graph;
}

std::vector<std::pair<std::string, std::string>> read_rules(Reader in) {
  std::vector<std::pair<std::string, std::string>> rules;
  for (const auto& [rule, severity] : in.members()) {
    if (severity.is_string())
      rules.emplace_back(rule, severity.string());
    else
      in.problem(rule, "json.type",
                 "found " + described(severity) + ", wanted error, warning, info or off");
  }
  return rules;
}

std::vector<Configuration> read_configurations(Reader in, Diagnostics& problems) {
  std::vector<Configuration> configurations;
  for (const auto& [name, value] : in.members()) {
    Reader one(value, in.path_of(name), problems);
    Configuration configuration{.name = name, .doc = one.optional_string("doc"), .symbols = {}};
    Reader symbols = one.object("symbols");
    for (const auto& [symbol, override_value] : symbols.members()) {
      if (!is_quantity(override_value))
        symbols.problem(symbol, "json.type",
                        "found " + described(override_value) + ", wanted a number or an expression");
      configuration.symbols.emplace_back(symbol, override_value);
    }
    one.done();
    configurations.push_back(std::move(configuration));
  }
  return configurations;
}

void read_version(Reader& in) {
  const Value* version = in.optional_value("version");
  if (version == nullptr) {
    in.problem("", "document.version", "the document has no version; wanted \"version\": 1",
               "a design document starts { \"version\": 1, \"meta\": ..., \"graph\": ... }");
  } else if (!version->is_integer() || version->integer() != kDocumentVersion) {
    in.problem("version", "document.version",
               "found " + described(*version) + ", wanted version " +
                   std::to_string(kDocumentVersion),
               version->is_number() && version->number() > kDocumentVersion
                   ? "the document was written by a newer program"
                   : "");
  }
}

// JSON text of the parts that are absent unless set.
void set_if(json::Object& object, const char* key, const std::optional<std::string>& text) {
  if (text) object.emplace_back(key, Value(*text));
}

Value number_value(double number) {
  const auto whole = static_cast<std::int64_t>(number);
  if (number > -9e15 && number < 9e15 && static_cast<double>(whole) == number) return Value(whole);
  return Value(number);
}

void set_if(json::Object& object, const char* key, const std::optional<double>& number) {
  if (number) object.emplace_back(key, number_value(*number));
}

Value to_json(const Meta& meta) {
  json::Object object;
  object.emplace_back("name", Value(meta.name));
  set_if(object, "family", meta.family);
  set_if(object, "notes", meta.notes);
  if (meta.published) {
    json::Object published;
    set_if(published, "params", meta.published->params);
    set_if(published, "activeParams", meta.published->active_params);
    set_if(published, "kvBytesPerToken", meta.published->kv_bytes_per_token);
    set_if(published, "source", meta.published->source);
    set_if(published, "tolerance", meta.published->tolerance);
    object.emplace_back("published", Value(std::move(published)));
  }
  if (meta.framework) {
    json::Object framework;
    framework.emplace_back("modelType", Value(meta.framework->model_type));
    set_if(framework, "positions", meta.framework->positions);
    set_if(framework, "paddingId", meta.framework->padding_id);
    object.emplace_back("framework", Value(std::move(framework)));
  }
  return Value(std::move(object));
}

Value to_json(const SymbolDefinition& symbol) {
  if (symbol.plain) return symbol.value;
  json::Object object;
  const bool runtime = symbol.kind == SymbolKind::runtime;
  object.emplace_back("kind", Value(runtime ? "runtime" : "design"));
  if (!symbol.value.is_null()) object.emplace_back(runtime ? "default" : "value", symbol.value);
  set_if(object, "doc", symbol.doc);
  return Value(std::move(object));
}

Value to_json(const Graph& graph) {
  json::Array nodes;
  for (const Node& node : graph.nodes) {
    json::Object object;
    object.emplace_back("id", Value(node.id));
    object.emplace_back("type", Value(node.type));
    if (node.label) object.emplace_back("label", Value(*node.label));
    if (!node.params.empty() || node.empty_params)
      object.emplace_back("params", Value(json::Object(node.params)));
    if (node.graph) object.emplace_back("graph", to_json(*node.graph));
    if (!node.variants.is_null()) object.emplace_back("variants", node.variants);
    nodes.push_back(Value(std::move(object)));
  }
  json::Array edges;
  for (const Edge& edge : graph.edges)
    edges.push_back(Value(json::Array{Value(edge.from), Value(edge.to)}));
  json::Object object;
  object.emplace_back("nodes", Value(std::move(nodes)));
  object.emplace_back("edges", Value(std::move(edges)));
  return Value(std::move(object));
}

}  // namespace

Result<Document> read_document(const Value& value, std::string_view path) {
  Diagnostics problems;
  Reader in(value, std::string(path), problems);
  if (!value.is_object()) return problems;
  Document document;
  read_version(in);
  document.meta = read_meta(in.object("meta"));
  if (auto symbols = in.optional_object("symbols"))
    for (const auto& [name, symbol] : symbols->members())
      document.symbols.push_back(read_symbol(name, symbol, symbols->path_of(name), problems));
  document.graph = read_graph(in.object("graph"), 1, problems);
  if (auto defs = in.optional_object("defs")) {
    for (const auto& [type, definition] : defs->members())
      document.defs.push_back({type, definition});
    document.empty_defs = document.defs.empty();
  }
  if (auto rules = in.optional_object("rules")) {
    document.rules = read_rules(*rules);
    document.empty_rules = document.rules.empty();
  }
  if (auto configurations = in.optional_object("configurations")) {
    document.configurations = read_configurations(*configurations, problems);
    document.empty_configurations = document.configurations.empty();
  }
  document.active = in.optional_string("active");
  if (const Value* ui = in.optional_value("ui")) document.ui = *ui;
  (void)in.optional_string("$schema");
  in.done();
  if (!problems.empty()) return problems;
  return document;
}

Value to_json(const Document& document) {
  json::Object object;
  object.emplace_back("version", Value(kDocumentVersion));
  object.emplace_back("meta", to_json(document.meta));
  json::Object symbols;
  for (const SymbolDefinition& symbol : document.symbols)
    symbols.emplace_back(symbol.name, to_json(symbol));
  object.emplace_back("symbols", Value(std::move(symbols)));
  object.emplace_back("graph", to_json(document.graph));
  if (!document.defs.empty() || document.empty_defs) {
    json::Object defs;
    for (const DefinedBlock& block : document.defs) defs.emplace_back(block.type, block.definition);
    object.emplace_back("defs", Value(std::move(defs)));
  }
  if (!document.rules.empty() || document.empty_rules) {
    json::Object rules;
    for (const auto& [rule, severity] : document.rules) rules.emplace_back(rule, Value(severity));
    object.emplace_back("rules", Value(std::move(rules)));
  }
  if (!document.configurations.empty() || document.empty_configurations) {
    json::Object configurations;
    for (const Configuration& configuration : document.configurations) {
      json::Object one;
      set_if(one, "doc", configuration.doc);
      one.emplace_back("symbols", Value(json::Object(configuration.symbols)));
      configurations.emplace_back(configuration.name, Value(std::move(one)));
    }
    object.emplace_back("configurations", Value(std::move(configurations)));
  }
  set_if(object, "active", document.active);
  if (!document.ui.is_null()) object.emplace_back("ui", document.ui);
  return Value(std::move(object));
}

}  // namespace roofbeam
