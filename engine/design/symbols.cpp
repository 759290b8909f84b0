#include "engine/design/symbols.h"

#include <cmath>
#include <limits>
#include <unordered_map>

#include "engine/algebra/expression.h"
#include "engine/base/text.h"
#include "engine/design/configuration.h"

namespace roofbeam {
namespace {

constexpr double kDefaultBatch = 1;
constexpr double kDefaultLength = 2048;
// B, T and S may have to be added.
constexpr std::size_t kMostSymbols = Scope::kMaxSymbols - 3;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

enum class State : std::uint8_t { waiting, evaluating, done };

// One symbol on its way to a value.
struct Entry {
  const SymbolDefinition* definition;
  json::Value value;  // under the active configuration
  std::vector<std::size_t> needs;
  State state = State::waiting;
  std::size_t next_need = 0;  // how far the walk over `needs` has come
};

Finding problem(std::string message, std::string hint = "") {
  return {.rule = "symbols",
          .severity = Severity::error,
          .path = {},
          .port = {},
          .param = {},
          .message = std::move(message),
          .hint = std::move(hint)};
}

class Resolver {
 public:
  explicit Resolver(const Document& document) {
    const Configuration* active = active_configuration(document);
    for (const SymbolDefinition& symbol : document.symbols) {
      if (!accept(symbol)) continue;
      if (entries_.size() == kMostSymbols) {
        result_.problems.push_back(problem("the design has more than " + std::to_string(kMostSymbols) +
                                           " symbols; those after " + quoted(entries_.back().definition->name) +
                                           " are left out"));
        break;
      }
      index_.emplace(symbol.name, entries_.size());
      entries_.push_back({&symbol, symbol.value, {}});
    }
    if (active != nullptr)
      for (const auto& [name, value] : active->symbols)
        if (const auto at = index_.find(name); at != index_.end()) entries_[at->second].value = value;
    declare_all();
  }

  ResolvedSymbols resolve() && {
    for (Entry& entry : entries_) find_needs(entry);
    for (std::size_t i = 0; i < entries_.size(); ++i) evaluate_with_needs(i);
    return std::move(result_);
  }

 private:
  bool accept(const SymbolDefinition& symbol) {
    if (!is_identifier(symbol.name)) {
      result_.problems.push_back(
          problem("the symbol name " + quoted(symbol.name) + " is no identifier",
                  "a name starts with a letter or '_' and goes on with letters, digits and '_'"));
      return false;
    }
    const bool reserved = symbol.name == "B" || symbol.name == "T" || symbol.name == "S";
    if (reserved && symbol.kind != SymbolKind::runtime) {
      result_.problems.push_back(problem(
          "the symbol " + symbol.name + " is reserved for the run and cannot be a design symbol",
          "declare it as { \"kind\": \"runtime\", \"default\": ... }"));
      return false;
    }
    return true;
  }

  // Every name first, so that ids follow the document and values can be filled in any order.
  void declare_all() {
    for (const Entry& entry : entries_) {
      const bool runtime = entry.definition->kind == SymbolKind::runtime;
      const double value = !runtime ? kNan : entry.value.is_number() ? entry.value.number() : 1.0;
      result_.scope.declare(entry.definition->name, value, entry.definition->kind);
    }
    if (!result_.scope.find("B")) result_.scope.declare("B", kDefaultBatch, SymbolKind::runtime);
    if (!result_.scope.find("T")) result_.scope.declare("T", kDefaultLength, SymbolKind::runtime);
    result_.has_source = result_.scope.find("S").has_value();
  }

  void find_needs(Entry& entry) {
    if (!entry.value.is_string()) return;
    const Result<std::vector<std::string>> names = names_in(entry.value.string());
    if (!names) return;  // the syntax error is reported when the expression is evaluated
    for (const std::string& name : *names)
      if (const auto at = index_.find(name); at != index_.end()) entry.needs.push_back(at->second);
  }

  // Depth first over what a symbol needs, with a stack of its own: a chain of ten thousand symbols
  // must not exhaust the machine's.
  void evaluate_with_needs(std::size_t start) {
    if (entries_[start].state != State::waiting) return;
    std::vector<std::size_t> chain{start};
    entries_[start].state = State::evaluating;
    while (!chain.empty()) {
      Entry& entry = entries_[chain.back()];
      if (entry.next_need == entry.needs.size()) {
        evaluate(entry);
        entry.state = State::done;
        chain.pop_back();
        continue;
      }
      const std::size_t need = entry.needs[entry.next_need++];
      if (entries_[need].state == State::waiting) {
        entries_[need].state = State::evaluating;
        chain.push_back(need);
      } else if (entries_[need].state == State::evaluating) {
        report_cycle(chain, need);
      }
    }
  }

  void report_cycle(const std::vector<std::size_t>& chain, std::size_t closing) {
    std::string text;
    bool inside = false;
    for (const std::size_t at : chain) {
      inside = inside || at == closing;
      if (inside) text += entries_[at].definition->name + " -> ";
    }
    result_.problems.push_back(problem("symbols depend on each other in a cycle: " + text +
                                           entries_[closing].definition->name,
                                       "give one of them a plain number"));
  }

  void evaluate(const Entry& entry) {
    if (entry.definition->kind == SymbolKind::runtime) return;
    const std::string& name = entry.definition->name;
    double value = kNan;
    if (entry.value.is_number()) {
      value = entry.value.number();
    } else if (entry.value.is_string()) {
      const Result<Polynomial> polynomial =
          evaluate_expression(entry.value.string(), result_.scope);
      if (polynomial) {
        value = evaluated(*polynomial, result_.scope);
      } else if (polynomial.errors().front().code != "expression.not_finite") {
        const Diagnostic& error = polynomial.errors().front();
        result_.problems.push_back(
            problem("symbol " + name + ": " + error.message, error.hint));
        return;
      }
    }
    if (!std::isfinite(value))
      result_.problems.push_back(problem("symbol " + name + " has no finite value"));
    result_.scope.declare(name, std::isfinite(value) ? value : kNan, SymbolKind::design);
  }

  ResolvedSymbols result_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace

ResolvedSymbols resolve_symbols(const Document& document) {
  return Resolver(document).resolve();
}

}  // namespace roofbeam
