#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roofbeam {

// Index of a symbol in its scope.
using SymbolId = std::uint16_t;

enum class SymbolKind : std::uint8_t {
  design,  // a number of the model: D, H, V
  runtime  // a number of the run (batch, length): stays indeterminate in shapes
};

// The names a design's expressions may use, with their values. Polynomials refer to symbols by
// their index here, so they are read, printed and evaluated against the scope they were made with.
class Scope {
 public:
  static constexpr std::size_t kMaxSymbols = 65'535;  // what a SymbolId can count

  // Adds a symbol, or gives a known one a new value and kind. A value may be NaN: a symbol whose
  // definition failed. Requires fewer than kMaxSymbols symbols so far, or a known name.
  SymbolId declare(std::string_view name, double value, SymbolKind kind);

  [[nodiscard]] std::optional<SymbolId> find(std::string_view name) const;
  [[nodiscard]] const std::string& name(SymbolId id) const { return symbols_[id].name; }
  [[nodiscard]] double value(SymbolId id) const { return symbols_[id].value; }
  [[nodiscard]] bool is_runtime(SymbolId id) const {
    return symbols_[id].kind == SymbolKind::runtime;
  }
  [[nodiscard]] std::size_t size() const { return symbols_.size(); }
  [[nodiscard]] std::vector<std::string_view> names() const;

 private:
  struct Symbol {
    std::string name;
    double value;
    SymbolKind kind;
  };
  // Finds a string_view without making a string of it.
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>{}(name);
    }
  };

  std::vector<Symbol> symbols_;
  std::unordered_map<std::string, SymbolId, NameHash, std::equal_to<>> index_;
};

}  // namespace roofbeam
