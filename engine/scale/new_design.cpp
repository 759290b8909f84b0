#include "engine/scale/new_design.h"

#include <algorithm>
#include <cmath>

#include "engine/analysis/analysis.h"
#include "engine/base/quantity_text.h"
#include "engine/scale/resize.h"

namespace roofbeam {
namespace {

constexpr double kFitShare = 0.9;  // of the device's memory

void set_length(Document& document, double length) {
  for (SymbolDefinition& symbol : document.symbols)
    if (symbol.name == "T" && symbol.kind == SymbolKind::runtime)
      symbol.value = json::Value(static_cast<std::int64_t>(length));
}

// Keeps query heads in whole groups of those that share key and value heads: among designs within
// 5% of the target, the one that moves width and depth least; inner widths stay. Nothing where none
// is that near.
std::optional<Document> in_whole_groups(const Document& preset, const Document& scaled,
                                        double target) {
  const auto all_heads = literal(preset, "H");
  const auto all_kv = literal(preset, "Hkv");
  const auto heads = literal(scaled, "H");
  const auto head_dim = literal(scaled, "dh");
  if (!all_heads || !all_kv || !heads || !head_dim) return std::nullopt;
  const double group = *all_heads / *all_kv;
  if (std::fmod(*heads, group) == 0) return std::nullopt;
  const double width = *literal(scaled, "D");
  const auto depth = literal(scaled, "L");
  std::optional<Document> best;
  double least = 0;
  for (const double wanted :
       {std::floor(*heads / group) * group, std::ceil(*heads / group) * group}) {
    if (wanted < group) continue;
    const double first = depth ? std::max(1.0, std::ceil(*depth / 2)) : 1;
    const double last = depth ? 2 * *depth : 1;
    for (double layers = first; layers <= last; ++layers) {
      const double moved = std::fabs(wanted * *head_dim - width) +
                           (depth ? std::fabs(layers - *depth) * *head_dim / 4 : 0);
      if (best && moved >= least) continue;
      Document document = scaled;
      set_literal(document, "D", wanted * *head_dim);
      set_literal(document, "H", wanted);
      set_literal(document, "Hkv", wanted / group);
      if (depth) set_literal(document, "L", layers);
      const double total = count_parameters(elaborate(document)).total;
      if (!(std::fabs(total / target - 1) <= 0.05)) continue;
      best = std::move(document);
      least = moved;
    }
  }
  return best;
}

}  // namespace

std::span<const DesignFamily> families() {
  static const std::vector<DesignFamily> all{
      {"dense", "llama-3-8b", 4096, {125e6, 350e6, 1e9, 3e9, 8e9, 70e9}},
      {"classic", "gpt2-small", 1024, {15e6, 30e6, 125e6, 350e6, 774e6, 1.5e9}},
      {"moe", "qwen3-30b-a3b", 4096, {1e9, 3e9, 8e9, 30e9, 100e9}},
      {"hybrid", "jamba-v0.1", 4096, {1e9, 4e9, 10e9, 20e9, 52e9}},
      {"encoder-decoder", "t5-small", 0, {30e6, 60e6, 250e6, 750e6, 3e9}},
      {"vision", "ijepa-vit-h14", 0, {40e6, 100e6, 300e6, 630e6, 1.3e9}},
  };
  return all;
}

Result<NewDesign> new_design(const Document& preset, const DesignFamily& family, double params,
                             const DeviceProfile& device) {
  Document base = with_configuration(preset);
  if (family.T > 0) set_length(base, family.T);
  Result<Scaled> scaled = scale(base, {.target_params = params});
  if (!scaled) return scaled.errors();
  NewDesign design;
  design.target = params;
  bool tied = false;
  if (scaled->params.head > 0 && scaled->params.embedding > scaled->params.total / 3) {
    scaled = scale(base, {.target_params = params, .tie_head = true});
    if (!scaled) return scaled.errors();
    tied = true;
  }
  design.document = scaled->document;
  design.notes = scaled->notes;
  if (tied)
    design.notes.push_back(
        "The head shares the embedding's weights, which would be over a third of the model twice.");
  if (std::optional<Document> grouped = in_whole_groups(base, scaled->document, params)) {
    design.document = *std::move(grouped);
    relabel_repeats(design.document);
  }
  const Elaboration expanded = elaborate(design.document);
  const Analysis analysis = analyze(expanded, {}, device);
  design.params = analysis.params;
  design.tied = design.params.head == 0;
  design.train_bytes = analysis.training.per_gpu.total();
  design.sizes = changed_literals(base, design.document);
  Meta& meta = design.document.meta;
  meta.name = std::string(family.name) + "-" + size_suffix(design.params.total);
  meta.published.reset();
  meta.notes = "A " + std::string(family.name) + " design of " + count_text(design.params.total) +
               " parameters after " + std::string(family.preset) + ".";
  return design;
}

Result<NewDesign> largest_design(const Document& preset, const DesignFamily& family,
                                 const DeviceProfile& device) {
  constexpr int kSteps = 28;
  constexpr double kNearEnough = 1.02;
  const Bytes budget = kFitShare * device.memory;
  double low = kSmallestDesign;
  double high = budget.value;  // a byte a parameter: never fits
  std::optional<NewDesign> best;
  for (int i = 0; i < kSteps && high / low > kNearEnough; ++i) {
    const double middle = std::sqrt(low * high);
    Result<NewDesign> design = new_design(preset, family, middle, device);
    if (design && design->train_bytes > budget) {
      high = middle;
      continue;
    }
    low = middle;
    if (design) best = *std::move(design);
  }
  if (!best)
    return Diagnostic{.code = "new.nothing_fits",
                      .path = "",
                      .message = "no " + std::string(family.name) + " design trains within " +
                                 bytes_text(budget) + " of one " + device.name,
                      .hint = ""};
  best->budget = budget;
  return *std::move(best);
}

}  // namespace roofbeam
