#include "engine/algebra/scope.h"

#include "engine/base/check.h"

namespace roofbeam {

SymbolId Scope::declare(std::string_view name, double value, SymbolKind kind) {
  if (const std::optional<SymbolId> known = find(name)) {
    symbols_[*known].value = value;
    symbols_[*known].kind = kind;
    return *known;
  }
  ROOFBEAM_CHECK(symbols_.size() < kMaxSymbols);
  const auto id = static_cast<SymbolId>(symbols_.size());
  symbols_.push_back({std::string(name), value, kind});
  index_.emplace(name, id);
  return id;
}

std::optional<SymbolId> Scope::find(std::string_view name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string_view> Scope::names() const {
  std::vector<std::string_view> result;
  result.reserve(symbols_.size());
  for (const Symbol& symbol : symbols_) result.push_back(symbol.name);
  return result;
}

}  // namespace roofbeam
