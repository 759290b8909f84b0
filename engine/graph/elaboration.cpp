#include "engine/graph/elaboration.h"

#include "engine/graph/expander.h"

namespace roofbeam {

namespace {

std::optional<std::size_t> index_of(const std::vector<PortSpec>& specs, std::string_view name) {
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].name == name) return i;
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> Instance::input(std::string_view port) const {
  return index_of(ports().inputs, port);
}

std::optional<std::size_t> Instance::output(std::string_view port) const {
  return index_of(ports().outputs, port);
}

const Instance* Elaboration::find(std::string_view path) const {
  for (const Instance& instance : instances)
    if (instance.path == path) return &instance;
  return nullptr;
}

bool mentions(const SymbolicShape& shape, SymbolId symbol) {
  for (const Polynomial& axis : shape)
    for (const Term& term : axis.terms())
      for (const Power& power : term.powers)
        if (power.symbol == symbol) return true;
  return false;
}

Elaboration elaborate(const Document& document) { return Expander(document).run(); }

}  // namespace roofbeam
