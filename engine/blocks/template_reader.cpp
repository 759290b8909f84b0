#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <span>
#include <unordered_map>

#include "engine/base/text.h"
#include "engine/blocks/template.h"
#include "engine/json/reader.h"

namespace roofbeam {
namespace {

// Lists of expressions are for primitives: a composite's definition could do nothing with one.
constexpr std::array<std::string_view, 8> kParamTypes = {"int", "num",     "bool", "enum",
                                                         "str", "pattern", "obj",  "expressions"};
constexpr std::array<std::string_view, 3> kAutocasts = {"half", "single", "widest_input"};
constexpr std::array<std::string_view, 2> kKinds = {"primitive", "container"};
constexpr std::array<ElementClass, 7> kElements = {
    ElementClass::inherit, ElementClass::real,    ElementClass::half,   ElementClass::single,
    ElementClass::fp8,     ElementClass::integer, ElementClass::boolean};
constexpr std::array<Category, 14> kCategories = {
    Category::io,    Category::embedding,   Category::linear,    Category::head,
    Category::norm,  Category::elementwise, Category::attention, Category::position,
    Category::moe,   Category::shape,       Category::ssm,       Category::mlp,
    Category::block, Category::container};
constexpr std::array<std::string_view, 2> kAnchors = {"flow", "side"};
constexpr std::array<std::string_view, 3> kSeverities = {"error", "warning", "info"};

// Closest names that are looked for, so that a hostile definition costs a bounded time.
constexpr int kMaxHints = 100;

// A definition's own type: [a-z][a-z0-9_]*
bool is_type_name(std::string_view text) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_part = [&](char c) { return is_lower(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && is_lower(text.front()) && std::ranges::all_of(text, is_part);
}

// A text that is one reference and nothing else: "$name", or "$name.key".
struct Reference {
  std::string name;
  std::string key;
};

std::optional<Reference> whole_reference(std::string_view text) {
  if (!text.starts_with('$')) return std::nullopt;
  const std::size_t dot = text.find('.');
  const std::string_view name = text.substr(1, dot == text.npos ? text.npos : dot - 1);
  const std::string_view key = dot == text.npos ? std::string_view() : text.substr(dot + 1);
  if (!is_identifier(name) || (dot != text.npos && !is_identifier(key))) return std::nullopt;
  return Reference{std::string(name), std::string(key)};
}

class DefinitionReader {
 public:
  DefinitionReader(std::string_view type, const json::Value& definition, std::string_view path,
                   DefinitionOrigin origin)
      : origin_(origin), definition_(definition, std::string(path), problems_) {
    block_.type = type;
    block_.kind = BlockKind::composite;
  }

  Result<BlockSpec> read() && {
    read_category();
    read_docs();
    read_params();
    read_ports();
    if (origin_ == DefinitionOrigin::primitive) return std::move(*this).read_primitive();
    if (built_in()) read_constraints();
    if (built_in()) read_locals();
    read_graph();
    if (built_in()) definition_.ignore("$schema");
    definition_.done();
    check_rules();
    if (problems_.empty()) connect_all();
    if (!problems_.empty()) return std::move(problems_);
    block_.body = std::make_shared<const Template>(std::move(body_));
    return std::move(block_);
  }

 private:
  // What a graph's wires are made from once all its nodes are known.
  struct WrittenChain {
    std::vector<std::string> ends;
    std::string path;
  };
  using WrittenChains = std::vector<WrittenChain>;
  struct InnerGraph {
    std::shared_ptr<TemplateGraph> graph;
    WrittenChains chains;
  };

  // What the formulas leave to say: which kind, what the backward pass reads, how wide the output
  // is.
  Result<BlockSpec> read_primitive() && {
    const std::string kind = definition_.optional_choice("kind", kKinds).value_or("primitive");
    block_.kind = kind == "container" ? BlockKind::container : BlockKind::primitive;
    if (const json::Array* ports = definition_.optional_array("saves"))
      for (const json::Value& port : *ports)
        if (const std::string* text = string_in(port, definition_.path_of("saves")))
          block_.saves.push_back(*text);
    const std::string autocast =
        definition_.optional_choice("autocast", kAutocasts).value_or("widest_input");
    block_.autocast =
        static_cast<Autocast>(std::ranges::find(kAutocasts, autocast) - kAutocasts.begin());
    definition_.ignore("$schema");
    definition_.done();
    if (!problems_.empty()) return std::move(problems_);
    return std::move(block_);
  }

  bool built_in() const { return origin_ == DefinitionOrigin::built_in; }

  void problem(std::string code, std::string path, std::string message, std::string hint = "") {
    problems_.push_back({std::move(code), std::move(path), std::move(message), std::move(hint)});
  }

  // The closest of the candidates' names, for the first kMaxHints faults.
  template <class Candidates, class Name>
  std::string hint(const std::string& wrong, const Candidates& candidates, Name name) {
    if (++hints_ > kMaxHints) return "";
    std::vector<std::string_view> names;
    for (const auto& candidate : candidates) names.emplace_back(std::invoke(name, candidate));
    return closest_hint(wrong, names);
  }

  void read_category() {
    const std::string written = definition_.optional_string("category").value_or("block");
    const auto known = std::ranges::find_if(
        kCategories, [&](Category category) { return name(category) == written; });
    // A document may sort its blocks as it likes; costs are never summed by a composite's category.
    block_.category = known != kCategories.end() ? *known : Category::block;
    if (known == kCategories.end() && built_in())
      problem("json.choice", definition_.path_of("category"),
              "unknown category " + quoted(written));
  }

  void read_docs() {
    std::optional<json::Reader> docs = definition_.optional_object("docs");
    if (!docs) return;
    block_.docs.title = docs->optional_string("title").value_or("");
    block_.docs.summary = docs->optional_string("summary").value_or("");
    block_.docs.formula = docs->optional_string("formula").value_or("");
    if (const json::Array* references = docs->optional_array("refs"))
      for (const json::Value& reference : *references)
        if (const std::string* text = string_in(reference, docs->path_of("refs")))
          block_.docs.references.push_back(*text);
    docs->done();
  }

  const std::string* string_in(const json::Value& value, const std::string& path) {
    if (value.is_string()) return &value.string();
    problem("json.type", path, "found " + json::described(value) + ", wanted a text");
    return nullptr;
  }

  void read_params() {
    std::optional<json::Reader> params = definition_.optional_object("params");
    if (!params) return;
    for (const auto& [key, value] : params->members()) {
      const std::string path = params->path_of(key);
      if (!is_identifier(key))
        problem("block.parameter_name", path,
                "the parameter name " + quoted(key) + " is no identifier");
      json::Reader reader(value, path, problems_);
      if (value.is_object()) block_.params.push_back(read_param(key, value, reader));
      names_.insert(key);
    }
  }

  ParamSpec read_param(const std::string& key, const json::Value& value, json::Reader& reader) {
    ParamSpec spec;
    spec.name = key;
    const std::size_t types = kParamTypes.size() - (origin_ == DefinitionOrigin::primitive ? 0 : 1);
    const std::string type = reader.choice("type", std::span(kParamTypes).first(types));
    const auto index = std::ranges::find(kParamTypes, type) - kParamTypes.begin();
    spec.type = static_cast<ParamType>(index);
    if (const json::Value* fallback = value.find("default")) spec.fallback = *fallback;
    spec.minimum = reader.optional_number("min");
    spec.maximum = reader.optional_number("max");
    if (const json::Array* choices = reader.optional_array("values"))
      for (const json::Value& choice : *choices)
        if (const std::string* text = string_in(choice, reader.path_of("values")))
          spec.choices.push_back(*text);
    if (spec.type == ParamType::choice && spec.choices.empty())
      reader.problem("values", "json.missing", "an enum parameter lists its values");
    spec.doc = reader.optional_string("doc").value_or("");
    // How an editor's form shows the parameter.
    for (const std::string_view shown : {"default", "group", "when"}) reader.ignore(shown);
    reader.done();
    return spec;
  }

  void read_ports() {
    std::optional<json::Reader> ports = definition_.optional_object("ports");
    if (!ports) return;
    if (std::optional<json::Reader> inputs = ports->optional_object("in"))
      for (const auto& [key, value] : inputs->members()) {
        // A port whose shape depends on the arguments lists alternatives.
        if (built_in() && value.is_array()) {
          for (const json::Value& alternative : value.array())
            read_port(key, alternative, inputs->path_of(key), true);
        } else {
          read_port(key, value, inputs->path_of(key), true);
        }
      }
    if (std::optional<json::Reader> outputs = ports->optional_object("out"))
      for (const auto& [key, value] : outputs->members())
        read_port(key, value, outputs->path_of(key), false);
    ports->done();
  }

  void read_port(const std::string& key, const json::Value& value, const std::string& path,
                 bool input) {
    PortSpec port;
    port.name = key;
    TemplateCondition when;
    if (value.is_string()) {
      port.shape = value.string();
    } else {
      json::Reader reader(value, path, problems_);
      port.shape = reader.string("shape");
      port.element = read_element(reader);
      port.optional = reader.optional_boolean("optional").value_or(false);
      port.side = reader.optional_choice("anchor", kAnchors) == "side";
      port.doc = reader.optional_string("doc").value_or("");
      // What an open pin means, and whether its name is drawn: an editor's.
      for (const std::string_view drawn : {"whenUnconnected", "showName"}) reader.ignore(drawn);
      if (built_in() && input) when = read_condition(reader);
      reader.done();
    }
    if (input) {
      block_.ports.inputs.push_back(std::move(port));
      body_.input_conditions.push_back(std::move(when));
    } else {
      block_.ports.outputs.push_back(std::move(port));
    }
  }

  ElementClass read_element(json::Reader& reader) {
    std::vector<std::string_view> names;
    for (const ElementClass element : kElements) names.push_back(name(element));
    const std::string written = reader.optional_choice("dtype", names).value_or("inherit");
    return kElements[static_cast<std::size_t>(std::ranges::find(names, written) - names.begin())];
  }

  // "when": { "norm": "layernorm", "rope": true }, or a list of such alternatives.
  TemplateCondition read_condition(json::Reader& reader) {
    TemplateCondition condition;
    const json::Value* written = reader.optional_value("when");
    if (written == nullptr) return condition;
    const std::string path = reader.path_of("when");
    if (written->is_array())
      for (const json::Value& alternative : written->array())
        condition.alternatives.push_back(read_clauses(alternative, path));
    else
      condition.alternatives.push_back(read_clauses(*written, path));
    return condition;
  }

  std::vector<TemplateCondition::Clause> read_clauses(const json::Value& value,
                                                      const std::string& path) {
    std::vector<TemplateCondition::Clause> clauses;
    json::Reader reader(value, path, problems_);
    for (const auto& [param, wanted] : reader.members()) {
      TemplateCondition::Clause clause;
      clause.param = param;
      refer(param);
      if (wanted.is_bool()) {
        clause.wanted = wanted.boolean();
      } else if (wanted.is_array()) {
        for (const json::Value& choice : wanted.array())
          if (const std::string* text = string_in(choice, path)) clause.choices.push_back(*text);
      } else if (const std::string* text = string_in(wanted, path)) {
        clause.choices.push_back(*text);
      }
      clauses.push_back(std::move(clause));
    }
    return clauses;
  }

  void read_locals() {
    std::optional<json::Reader> locals = definition_.optional_object("let");
    if (!locals) return;
    for (const auto& [key, value] : locals->members()) {
      ParamSpec spec;
      spec.name = key;
      spec.type = ParamType::number;
      body_.locals.emplace_back(std::move(spec), read_value(value));
      names_.insert(key);
    }
  }

  void refer(const std::string& name) {
    if (!names_.contains(name)) missing_.insert(name);
  }

  TemplateValue read_value(const json::Value& value) {
    TemplateValue result;
    result.literal = value;
    for (const std::string& name : parameters_in(value)) refer(name);
    if (value.is_string()) {
      const std::optional<Reference> reference = whole_reference(value.string());
      if (reference && (reference->key.empty() || built_in())) {
        result.kind =
            reference->key.empty() ? TemplateValue::Kind::inherited : TemplateValue::Kind::member;
        result.param = reference->name;
        result.key = reference->key;
        return result;
      }
    }
    const json::Value* first = value.find("first");
    if (built_in() && first != nullptr && first->is_array() && !first->array().empty()) {
      result.kind = TemplateValue::Kind::first_set;
      for (const json::Value& candidate : first->array())
        result.candidates.push_back(read_value(candidate));
      return result;
    }
    if (!parameters_in(value).empty()) result.kind = TemplateValue::Kind::expression;
    return result;
  }

  void read_graph() {
    std::optional<json::Reader> graph = definition_.optional_object("graph");
    if (!graph) return;
    body_.graph = read_nodes(*graph, true);
    edges_ = read_chains(*graph);
    graph->done();
  }

  TemplateGraph read_nodes(json::Reader& graph, bool outermost) {
    TemplateGraph result;
    const json::Array* nodes = graph.optional_array("nodes");
    if (nodes == nullptr) return result;
    const std::string path = graph.path_of("nodes");
    for (std::size_t i = 0; i < nodes->size(); ++i) {
      json::Reader reader((*nodes)[i], json::pointer(path, i), problems_);
      if (!(*nodes)[i].is_object()) continue;
      TemplateNode node = read_node(reader);
      const bool is_input = node.type == "boundary_in";
      const bool is_output = node.type == "boundary_out";
      if (outermost) {
        if (is_input || is_output || node.id == "_in" || node.id == "_out")
          boundary_nodes_.push_back(reader.path());
        result.nodes.push_back(std::move(node));
      } else if (is_input || is_output) {
        (is_input ? result.inputs : result.outputs) = ports_of_boundary(node, reader);
        (is_input ? result.input_id : result.output_id) = node.id;
      } else {
        result.nodes.push_back(std::move(node));
      }
    }
    return result;
  }

  // A container's ports, written as the parameter "ports" of its boundary nodes.
  std::vector<std::pair<std::string, std::string>> ports_of_boundary(const TemplateNode& node,
                                                                     json::Reader& reader) {
    std::vector<std::pair<std::string, std::string>> ports;
    for (const auto& [key, value] : node.params) {
      if (key != "ports") continue;
      json::Reader written(value.literal, json::pointer(reader.path_of("params"), key), problems_);
      for (const auto& [port, pattern] : written.members())
        if (const std::string* text = string_in(pattern, written.path_of(port)))
          ports.emplace_back(port, *text);
    }
    return ports;
  }

  TemplateNode read_node(json::Reader& reader) {
    TemplateNode node;
    node.id = reader.string("id");
    node.type = reader.string("type");
    if (std::optional<json::Reader> params = reader.optional_object("params"))
      for (const auto& [key, value] : params->members())
        node.params.emplace_back(key, read_value(value));
    if (built_in()) node.when = read_condition(reader);
    node.label = reader.optional_string("label");
    reader.ignore("variants");
    if (std::optional<json::Reader> inner = reader.optional_object("graph")) {
      const auto graph = std::make_shared<TemplateGraph>(read_nodes(*inner, false));
      inner_graphs_.push_back({graph, read_chains(*inner)});
      inner->done();
      node.graph = graph;
    }
    reader.done();
    return node;
  }

  // "edges" of a document: pairs of "node:port". "wires" of a built-in file: chains.
  WrittenChains read_chains(json::Reader& graph) {
    const std::string_view key = built_in() ? "wires" : "edges";
    WrittenChains chains;
    const json::Array* written = graph.optional_array(key);
    if (written == nullptr) return chains;
    for (std::size_t i = 0; i < written->size(); ++i) {
      WrittenChain chain{{}, json::pointer(graph.path_of(key), i)};
      const json::Value& ends = (*written)[i];
      if (!ends.is_array()) {
        problem("json.type", chain.path,
                "found " + json::described(ends) + ", wanted a list of ends");
        continue;
      }
      for (const json::Value& end : ends.array())
        if (const std::string* text = string_in(end, chain.path)) chain.ends.push_back(*text);
      chains.push_back(std::move(chain));
    }
    return chains;
  }

  void check_rules() {
    const std::string& path = definition_.path();
    if (!is_type_name(block_.type))
      problem("block.type_name", path,
              "the type name " + quoted(block_.type) +
                  " cannot be used: a type starts with a "
                  "small letter and goes on with small letters, digits and '_'");
    if (block_.ports.inputs.empty()) problem("block.no_input", path, "it has no input port");
    if (block_.ports.outputs.empty()) problem("block.no_output", path, "it has no output port");
    if (body_.graph.nodes.empty()) problem("block.no_nodes", path, "its graph has no node");
    if (!boundary_nodes_.empty())
      problem("block.boundary_nodes", boundary_nodes_.front(),
              "its graph writes boundary nodes of its own",
              "_in and _out are made from the declared ports: leave them out and wire to _in:port "
              "and _out:port");
    for (const std::string& name : missing_)
      problem("block.unknown_parameter", path, "$" + name + " is not a parameter of the block",
              hint(name, names_, std::identity()));
  }

  void connect_all() {
    for (const InnerGraph& inner : inner_graphs_) connect(*inner.graph, inner.chains, {});
    connect(body_.graph, edges_, block_.ports);
  }

  // Resolves the ends of a graph's chains. `ports` are the composite's own; empty for a container,
  // whose ports are the graph's.
  void connect(TemplateGraph& graph, const WrittenChains& chains, const Ports& ports) {
    std::unordered_map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const bool fresh = index.emplace(graph.nodes[i].id, i).second;
      const auto always = [&](std::size_t node) {
        return graph.nodes[node].when.alternatives.empty();
      };
      if (!fresh && built_in() && (always(i) || always(index[graph.nodes[i].id])))
        problem("block.alternatives", definition_.path(),
                "nodes that share the id " + quoted(graph.nodes[i].id) + " need conditions");
    }
    for (const WrittenChain& written : chains) {
      TemplateChain chain;
      if (!built_in() && written.ends.size() != 2) {
        problem("block.wire", written.path,
                "an edge has two ends, found " + std::to_string(written.ends.size()));
        continue;
      }
      for (std::size_t i = 0; i < written.ends.size(); ++i) {
        const bool first = i == 0;
        const bool last = i + 1 == written.ends.size();
        const std::optional<TemplateEnd> end =
            read_end(written.ends[i], graph, index, written.path);
        if (!end) continue;
        if ((end->node == kBoundaryIn && !first) || (end->node == kBoundaryOut && !last))
          problem("block.wire", written.path,
                  quoted(written.ends[i]) + " stands at the wrong end of the wire");
        if (end->node == kBoundaryIn || end->node == kBoundaryOut)
          check_boundary(*end, graph, ports, written.path, chain.when);
        chain.ends.push_back(*end);
      }
      if (chain.ends.size() >= 2) graph.wires.push_back(std::move(chain));
    }
  }

  std::optional<TemplateEnd> read_end(
      const std::string& text, const TemplateGraph& graph,
      const std::unordered_map<std::string_view, std::size_t>& index, const std::string& path) {
    const std::size_t colon = text.find(':');
    const std::string id = text.substr(0, colon);
    const std::string port = colon == text.npos ? "" : text.substr(colon + 1);
    if (id.empty() || (port.empty() && (colon != text.npos || !built_in())) ||
        port.find(':') != port.npos) {
      problem("block.wire", path, "the end " + quoted(text) + " is not of the form node:port");
      return std::nullopt;
    }
    if (id == graph.input_id) return TemplateEnd{kBoundaryIn, port};
    if (id == graph.output_id) return TemplateEnd{kBoundaryOut, port};
    if (const auto found = index.find(id); found != index.end())
      return TemplateEnd{found->second, port};
    problem("block.wire", path, "there is no node " + quoted(id),
            hint(id, graph.nodes, &TemplateNode::id));
    return std::nullopt;
  }

  // The port has to be declared; a chain that starts at a conditional one is there when the port
  // is.
  void check_boundary(const TemplateEnd& end, const TemplateGraph& graph, const Ports& ports,
                      const std::string& path, TemplateCondition& when) {
    const bool input = end.node == kBoundaryIn;
    std::vector<std::string_view> known;
    for (const auto& [name, pattern] : input ? graph.inputs : graph.outputs)
      known.emplace_back(name);
    for (const PortSpec& port : input ? ports.inputs : ports.outputs) known.emplace_back(port.name);
    if (std::ranges::find(known, end.port) == known.end()) {
      problem(
          "block.wire", path,
          std::string("there is no ") + (input ? "input" : "output") + " port " + quoted(end.port),
          hint(end.port, known, std::identity()));
      return;
    }
    bool always = ports.inputs.empty();
    for (std::size_t i = 0; input && i < ports.inputs.size(); ++i) {
      if (ports.inputs[i].name != end.port) continue;
      const TemplateCondition& condition = body_.input_conditions[i];
      always = always || condition.alternatives.empty();
      when.alternatives.insert(when.alternatives.end(), condition.alternatives.begin(),
                               condition.alternatives.end());
    }
    if (always) when.alternatives.clear();
  }

  void read_constraints() {
    const json::Array* written = definition_.optional_array("constraints");
    if (written == nullptr) return;
    const std::string path = definition_.path_of("constraints");
    for (std::size_t i = 0; i < written->size(); ++i) {
      json::Reader reader((*written)[i], json::pointer(path, i), problems_);
      Constraint constraint;
      constraint.id = reader.string("id");
      const std::string severity =
          reader.optional_choice("severity", kSeverities).value_or("error");
      constraint.severity =
          static_cast<Severity>(std::ranges::find(kSeverities, severity) - kSeverities.begin());
      constraint.param = reader.optional_string("param");
      if (constraint.param) refer(*constraint.param);
      constraint.when = read_condition(reader);
      constraint.relation = read_relation(reader);
      constraint.message = reader.string("message");
      for (const std::string& name : parameters_in(constraint.message)) refer(name);
      constraint.hint = reader.optional_string("hint").value_or("");
      reader.done();
      body_.constraints.push_back(std::move(constraint));
    }
  }

  // "divides": [a, b], "at_most": [a, b] or "unset": [params...].
  std::variant<Constraint::Unset, Constraint::Divides, Constraint::AtMost> read_relation(
      json::Reader& reader) {
    const auto texts = [&](std::string_view key) {
      std::vector<std::string> result;
      if (const json::Array* items = reader.optional_array(key))
        for (const json::Value& item : *items)
          if (const std::string* text = string_in(item, reader.path_of(key)))
            result.push_back(*text);
      return result;
    };
    if (const auto pair = texts("divides"); pair.size() == 2)
      return Constraint::Divides{pair[0], pair[1]};
    if (const auto pair = texts("at_most"); pair.size() == 2)
      return Constraint::AtMost{pair[0], pair[1]};
    Constraint::Unset unset{texts("unset")};
    for (const std::string& name : unset.params) refer(name);
    if (unset.params.empty())
      reader.problem("", "json.missing", "wanted one of divides, at_most and unset");
    return unset;
  }

  DefinitionOrigin origin_;
  int hints_ = 0;
  Diagnostics problems_;
  json::Reader definition_;
  BlockSpec block_;
  Template body_;
  WrittenChains edges_;
  std::vector<InnerGraph> inner_graphs_;
  std::set<std::string> names_;              // parameters, and locals read so far
  std::set<std::string> missing_;            // referred to, but not declared
  std::vector<std::string> boundary_nodes_;  // their paths
};

}  // namespace

Result<BlockSpec> read_block(std::string_view type, const json::Value& definition,
                             std::string_view path, DefinitionOrigin origin) {
  return DefinitionReader(type, definition, path, origin).read();
}

}  // namespace roofbeam
