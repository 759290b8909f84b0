#include "engine/blocks/pieces.h"

#include "engine/algebra/pattern.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

// Which atom of the pattern the axis is, or nothing. Axes before an ellipsis count from the front,
// axes after it from the end.
std::optional<std::size_t> axis_in(const Pattern& pattern, int axis) {
  const auto rank = static_cast<int>(pattern.atoms.size());
  const int index = axis < 0 ? rank + axis : axis;
  if (index < 0 || index >= rank) return std::nullopt;
  const auto kind_at = [&](int i) { return pattern.atoms[static_cast<std::size_t>(i)].kind; };
  for (int i = index; axis < 0 ? i < rank : i >= 0; i += axis < 0 ? 1 : -1)
    if (kind_at(i) == PatternAtom::Kind::ellipsis) return std::nullopt;
  return static_cast<std::size_t>(index);
}

}  // namespace

std::vector<PortSpec> piece_ports(const Arguments& a, const Scope& scope, std::string_view written,
                                  int axis) {
  const Result<Pattern> pattern = parse_pattern(written);
  const std::optional<std::size_t> place = pattern ? axis_in(*pattern, axis) : std::nullopt;
  if (!place) return {};
  std::vector<PortSpec> ports;
  for (const Polynomial& size : a.at("sizes").items) {
    std::vector<std::string> atoms;
    for (const PatternAtom& atom : pattern->atoms) atoms.push_back(atom.text);
    // The size as this design's symbols spell it: what was written may use a composite's own names.
    atoms[*place] = parenthesised_if_needed(text(size, scope));
    ports.push_back({.name = "y" + std::to_string(ports.size()),
                     .shape = join(std::span<const std::string>(atoms), " ")});
  }
  return ports;
}

void check_pieces(const Arguments& a, const Scope& scope, std::string_view written, int axis,
                  std::string_view rule, std::vector<Issue>& issues) {
  const Result<Pattern> pattern = parse_pattern(written);
  if (!pattern) return;  // reported with the ports
  const std::optional<std::size_t> place = axis_in(*pattern, axis);
  if (!place) {
    issues.push_back({.rule = std::string(rule),
                      .param = a.find("axis") != nullptr ? "axis" : "sizes",
                      .message = "the pattern " + quoted(written) + " has no axis " +
                                 std::to_string(axis) + " of a size of its own",
                      .hint = "-1 is the last axis"});
    return;
  }
  const std::vector<Polynomial>& sizes = a.at("sizes").items;
  const Result<Polynomial> whole = axis_of(pattern->atoms[*place], scope, a.bindings());
  if (sizes.empty() || !whole) return;  // reported where they are read
  std::optional<Polynomial> total = Polynomial();
  for (const Polynomial& size : sizes)
    if (total) total = sum(*total, size);
  if (!total) return;
  const std::optional<Polynomial> left = with_design_values(*total, scope);
  const std::optional<Polynomial> right = with_design_values(*whole, scope);
  if (!left || !right || *left == *right) return;
  issues.push_back({.rule = std::string(rule),
                    .param = "sizes",
                    .message = "the sizes add up to " + text(*left, scope) + ", the axis is " +
                               text(*right, scope),
                    .hint = "sizes must cover the axis exactly"});
}

}  // namespace roofbeam
