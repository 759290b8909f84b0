#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/algebra/lexical.h"
#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/rules/checks.h"

namespace roofbeam {
namespace {

// Which design symbols any expression of the document names.
class SymbolUse {
 public:
  explicit SymbolUse(const Document& document) {
    for (std::size_t i = 0; i < document.symbols.size(); ++i)
      index_.emplace(document.symbols[i].name, i);
    used_.resize(document.symbols.size());
    for (const SymbolDefinition& symbol : document.symbols) read(symbol.value, symbol.name);
    for (const Configuration& configuration : document.configurations)
      for (const auto& [name, value] : configuration.symbols) read(value, name);
    for (const DefinedBlock& block : document.defs) read_definition(block.definition);
  }

  void read(const Graph& graph, const Catalog& catalog) {
    for (const Node& node : graph.nodes) {
      const BlockSpec* spec = catalog.find(node.type);
      for (const auto& [name, value] : node.params) {
        const ParamSpec* param = spec == nullptr ? nullptr : spec->param(name);
        if (param == nullptr || holds_names(*param)) read(value, "");
      }
      if (node.graph) read(*node.graph, catalog);
    }
  }

  [[nodiscard]] bool used(std::size_t symbol) const { return used_[symbol]; }

 private:
  static bool holds_names(const ParamSpec& param) {
    return param.type != ParamType::choice && param.type != ParamType::boolean;
  }

  // Every text within a value; a symbol that names itself is not used by that.
  void read(const json::Value& value, std::string_view self) {
    if (value.is_string()) {
      read(std::string_view(value.string()), self, nullptr);
    } else if (value.is_array()) {
      for (const json::Value& item : value.array()) read(item, self);
    } else if (value.is_object()) {
      for (const auto& [key, member] : value.object()) read(member, self);
    }
  }

  using Names = std::unordered_set<std::string_view>;

  // In a definition a bare name may be the block's own parameter, which hides the symbol.
  void read_definition(const json::Value& definition) {
    Names own;
    if (const json::Value* params = definition.find("params"); params != nullptr && params->is_object())
      for (const auto& [name, param] : params->object()) own.insert(name);
    for (const char* part : {"params", "ports", "graph"})
      if (const json::Value* value = definition.find(part)) read_all(*value, own);
  }

  void read_all(const json::Value& value, const Names& hidden) {
    if (value.is_string()) {
      read(std::string_view(value.string()), "", &hidden);
    } else if (value.is_array()) {
      for (const json::Value& item : value.array()) read_all(item, hidden);
    } else if (value.is_object()) {
      for (const auto& [key, member] : value.object())
        if (key != "doc" && key != "id" && key != "type") read_all(member, hidden);
    }
  }

  void read(std::string_view text, std::string_view self, const Names* hidden) {
    for (std::size_t at = 0; at < text.size();) {
      if (lexical::at_number(text, at)) {
        at = lexical::number_end(text, at);
      } else if (lexical::is_name_start(text[at])) {
        const std::size_t end = lexical::name_end(text, at);
        const bool parameter = at > 0 && text[at - 1] == '$';
        if (!parameter) use(text.substr(at, end - at), self, hidden);
        at = end;
      } else {
        ++at;
      }
    }
  }

  void use(std::string_view name, std::string_view self, const Names* hidden) {
    if (name == self || (hidden != nullptr && hidden->contains(name))) return;
    if (const auto at = index_.find(name); at != index_.end()) used_[at->second] = true;
  }

  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<bool> used_;
};

void check_drift(std::string_view rule, std::string_view what, double computed,
                 const std::optional<double>& published, double tolerance, Findings& findings) {
  if (!published || !(*published > 0)) return;
  const double drift = std::abs(computed - *published) / *published;
  if (!(drift >= tolerance)) return;
  findings.push_back(about_design(rule, Severity::warning,
                                  count_text(computed) + " " + std::string(what) + " against " +
                                      count_text(*published) + " published: " + percent_text(drift, 2) +
                                      " apart, " + percent_text(tolerance, 2) + " tolerated",
                                  "compare the design with the source of the published figure"));
}

double tolerance_of(const PublishedFigures& published) {
  return published.tolerance.value_or(kDefaultTolerance);
}

}  // namespace

void check_unused_symbols(const RuleContext& context, Findings& findings) {
  const Document& document = context.document;
  SymbolUse use(document);
  use.read(document.graph, *context.design.catalog);
  for (std::size_t i = 0; i < document.symbols.size(); ++i) {
    const SymbolDefinition& symbol = document.symbols[i];
    if (symbol.kind != SymbolKind::design || use.used(i)) continue;
    findings.push_back(about_design("unused-symbol", Severity::info,
                                    "nothing uses the symbol " + quoted(symbol.name),
                                    "remove it, or wire it in"));
  }
}

void check_dangling_outputs(const RuleContext& context, Findings& findings) {
  for (const InstanceId id : context.design.roots) {
    const Instance& instance = context.design.instances[id];
    for (std::size_t port = 0; port < instance.outputs.size(); ++port) {
      if (instance.outputs[port].read) continue;
      const std::string& name = instance.ports().outputs[port].name;
      Finding finding = about_block("dangling-output", Severity::warning, instance,
                                    "nothing reads the output " + quoted(name), "connect it, or delete the block");
      finding.port = name;
      findings.push_back(std::move(finding));
    }
  }
}

void check_published_drift(const RuleContext& context, Findings& findings) {
  const std::optional<PublishedFigures>& published = context.document.meta.published;
  if (!published) return;
  check_drift("published-drift", "parameters", context.analysis.params.total, published->params,
              tolerance_of(*published), findings);
}

void check_active_params_drift(const RuleContext& context, Findings& findings) {
  const std::optional<PublishedFigures>& published = context.document.meta.published;
  if (!published) return;
  check_drift("active-params-drift", "active parameters", context.analysis.params.active,
              published->active_params, tolerance_of(*published), findings);
}

}  // namespace roofbeam
