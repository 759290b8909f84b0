#include "engine/scale/resize.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/text.h"
#include "engine/design/configuration.h"
#include "engine/graph/elaboration.h"

namespace roofbeam {
namespace {

constexpr double kWidthStep = 64;  // tiles of matrix units

const SymbolDefinition* find_literal(const Document& document, std::string_view symbol) {
  for (const SymbolDefinition& definition : document.symbols)
    if (definition.name == symbol && definition.kind == SymbolKind::design &&
        definition.value.is_number())
      return &definition;
  return nullptr;
}

bool counts_are_whole(const Document& document) {
  const Elaboration design = elaborate(document);
  return std::ranges::all_of(design.instances, [](const Instance& instance) {
    if (instance.spec->type != "repeat") return true;
    const double count = instance.arguments.number("count");
    return count >= 1 && count == std::floor(count);
  });
}

}  // namespace

std::optional<double> literal(const Document& document, std::string_view symbol) {
  const SymbolDefinition* definition = find_literal(document, symbol);
  return definition == nullptr ? std::nullopt : std::optional(definition->value.number());
}

void set_literal(Document& document, std::string_view symbol, double value) {
  for (SymbolDefinition& definition : document.symbols)
    if (definition.name == symbol && definition.kind == SymbolKind::design &&
        definition.value.is_number())
      definition.value = value == std::floor(value) && std::fabs(value) < 0x1p53
                             ? json::Value(static_cast<std::int64_t>(value))
                             : json::Value(value);
}

Document with_configuration(Document document) {
  if (const Configuration* active = active_configuration(document))
    for (const auto& [name, value] : active->symbols)
      for (SymbolDefinition& definition : document.symbols)
        if (definition.name == name) definition.value = value;
  document.active.reset();
  return document;
}

void set_width(Document& document, const Width& width) {
  const double before = *literal(document, "D");
  const double ratio = width.D / before;
  const auto heads = literal(document, "H");
  const auto kv_heads = literal(document, "Hkv");
  set_literal(document, "D", width.D);
  if (width.head_dim) set_literal(document, "dh", *width.head_dim);
  set_literal(document, "H", width.heads);
  if (heads && kv_heads) {
    double kv = std::max(1.0, round_half_up(width.heads / (*heads / *kv_heads)));
    while (std::fmod(width.heads, kv) != 0) --kv;
    set_literal(document, "Hkv", kv);
  }
  for (const char* symbol : {"F", "Fe", "Ql", "Kl", "Fp"})
    if (const auto value = literal(document, symbol))
      set_literal(document, symbol,
                  std::max(kWidthStep, round_half_up(*value * ratio / kWidthStep) * kWidthStep));
  if (const auto predictor = literal(document, "Dp")) {
    const double step = literal(document, "dhp").value_or(kWidthStep);
    const double wide = std::max(step, round_half_up(*predictor * ratio / step) * step);
    set_literal(document, "Dp", wide);
    set_literal(document, "Hp", std::max(1.0, round_half_up(wide / step)));
  }
}

void set_depth(Document& document, double factor) {
  for (const char* symbol : {"L", "Lp", "G"})
    if (const auto depth = literal(document, symbol))
      set_literal(document, symbol, std::max(1.0, round_half_up(*depth * factor)));
  const auto depth = literal(document, "L");
  const auto dense = literal(document, "Ld");
  if (!depth || !dense || *dense < *depth) return;
  const double kept = std::max(2.0, *depth);
  set_literal(document, "L", kept);
  set_literal(document, "Ld", kept - 1);
}

void settle_depth(Document& document) {
  constexpr int kFarthest = 16;
  if (counts_are_whole(document)) return;
  for (const char* symbol : {"L", "Lp", "G"}) {
    const auto depth = literal(document, symbol);
    if (!depth) continue;
    for (int step = 1; step <= kFarthest; ++step)
      for (const double moved : {*depth - step, *depth + step}) {
        if (moved < 1) continue;
        set_literal(document, symbol, moved);
        if (counts_are_whole(document)) return;
      }
    set_literal(document, symbol, *depth);
  }
}

void tie_heads(Document& document) {
  for (Node& node : document.graph.nodes) {
    if (node.type != "lm_head") continue;
    const auto tied =
        std::ranges::find(node.params, "tied", &std::pair<std::string, json::Value>::first);
    if (tied == node.params.end())
      node.params.emplace_back("tied", json::Value(true));
    else
      tied->second = json::Value(true);
  }
}

void relabel_repeats(Document& document) {
  const Elaboration design = elaborate(document);
  for (Node& node : document.graph.nodes) {
    if (node.type != "repeat" || !node.label) continue;
    const std::size_t digits = node.label->find_last_not_of("0123456789");
    if (digits == std::string::npos || digits + 1 == node.label->size() ||
        (*node.label)[digits] != 'x')
      continue;
    const Instance* repeat = design.find(node.id);
    if (repeat != nullptr)
      node.label = node.label->substr(0, digits + 1) + shortest(repeat->arguments.number("count"));
  }
}

}  // namespace roofbeam
