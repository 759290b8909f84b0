#include "engine/scale/scale.h"

#include <algorithm>
#include <cmath>

#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/scale/resize.h"

namespace roofbeam {
namespace {

constexpr double kNarrowHead = 64;

// One design of the search.
struct Candidate {
  Document document;
  ParameterCount params;
  double achieved = 0;
  bool narrowed = false;  // the heads
};

Candidate at_factor(const Document& original, const ScaleOptions& options, double factor) {
  Candidate candidate{.document = original, .params = {}};
  Document& document = candidate.document;
  const double width_factor = options.keep_depth ? std::sqrt(factor) : std::cbrt(factor);
  const double depth_factor = options.keep_depth ? 1 : std::cbrt(factor);
  const double before = *literal(document, "D");
  const std::optional<double> head_dim = literal(document, "dh");
  double head = head_dim.value_or(kNarrowHead);
  if (head_dim && !options.width_multiple && head > kNarrowHead &&
      round_half_up(before * width_factor / head) < options.min_heads) {
    head = kNarrowHead;
    candidate.narrowed = true;
  }
  const double step = options.width_multiple.value_or(head);
  Width width{.D = std::max(step, round_half_up(before * width_factor / step) * step)};
  width.heads = std::max(1.0, round_half_up(width.D / head));
  if (candidate.narrowed) width.head_dim = head;
  set_width(document, width);
  set_depth(document, depth_factor);
  settle_depth(document);
  if (options.vocab) set_literal(document, "V", *options.vocab);
  if (options.tie_head) tie_heads(document);
  candidate.params = count_parameters(elaborate(document));
  candidate.achieved = options.basis == TargetBasis::total ? candidate.params.total
                                                           : candidate.params.non_embedding();
  return candidate;
}

std::vector<std::string> notes_on(const Candidate& candidate, const ScaleOptions& options) {
  std::vector<std::string> notes;
  if (candidate.narrowed)
    notes.push_back("Heads are narrowed to 64, to keep at least " + shortest(options.min_heads) +
                    " of them.");
  const double miss = candidate.achieved / options.target_params - 1;
  if (std::fabs(miss) > 0.1)
    notes.push_back("It is " + fixed(100 * std::fabs(miss), 0) + "% " +
                    (miss > 0 ? "above" : "below") +
                    " the target: sizes move in steps of whole heads and layers.");
  const double share = candidate.params.embedding / candidate.params.total;
  if (share > 0.4)
    notes.push_back("The embedding is " + fixed(100 * share, 0) +
                    "% of the weights: a smaller vocabulary would leave more to the layers.");
  if (options.vocab && !literal(candidate.document, "V"))
    notes.push_back(
        "The vocabulary is left as it is: the design has no symbol V with a plain number.");
  return notes;
}

}  // namespace

std::string size_suffix(double params) {
  if (params >= 1e9) {
    const std::string billions = fixed(params / 1e9, 1);
    return (billions.ends_with(".0") ? billions.substr(0, billions.size() - 2) : billions) + "b";
  }
  return params >= 1e6 ? fixed(params / 1e6, 0) + "m" : fixed(params / 1e3, 0) + "k";
}

std::vector<SymbolChange> changed_literals(const Document& from, const Document& to) {
  std::vector<SymbolChange> changes;
  for (const SymbolDefinition& symbol : from.symbols) {
    const auto before = literal(from, symbol.name);
    const auto after = literal(to, symbol.name);
    if (before && after && *before != *after) changes.push_back({symbol.name, *before, *after});
  }
  return changes;
}

Result<Scaled> scale(const Document& written, const ScaleOptions& options) {
  const Document original = with_configuration(written);
  if (!literal(original, "D"))
    return Diagnostic{.code = "scale.no_width",
                      .path = "",
                      .message = "the design has no symbol D with a plain number to scale by",
                      .hint = "give its width the symbol D"};
  constexpr double kSmallest = 1e-8;
  const Candidate smallest = at_factor(original, options, kSmallest);
  if (options.target_params < smallest.achieved)
    return Diagnostic{.code = "scale.too_small",
                      .path = "",
                      .message = "found a target of " + count_text(options.target_params) +
                                 ", wanted at least the smallest design of this kind, " +
                                 count_text(smallest.achieved),
                      .hint = options.vocab ? "" : "a smaller vocabulary makes smaller designs"};

  Candidate best = at_factor(original, options, 1);
  const auto miss = [&](const Candidate& candidate) {
    return std::fabs(candidate.achieved - options.target_params);
  };
  double low = kSmallest;
  double high = std::max(4.0, 4 * options.target_params / best.achieved);
  for (int i = 0; i < options.max_iterations && high / low >= 1.0001; ++i) {
    const double middle = std::sqrt(low * high);
    Candidate candidate = at_factor(original, options, middle);
    (candidate.achieved < options.target_params ? low : high) = middle;
    if (miss(candidate) < miss(best)) best = std::move(candidate);
  }

  Scaled scaled;
  scaled.notes = notes_on(best, options);
  scaled.changes = changed_literals(original, best.document);
  scaled.achieved = best.achieved;
  scaled.params = std::move(best.params);
  scaled.document = std::move(best.document);
  relabel_repeats(scaled.document);
  Meta& meta = scaled.document.meta;
  const std::string origin = meta.name;
  meta.name += "-" + size_suffix(scaled.params.total);
  meta.published.reset();
  meta.notes = "Scaled from " + origin + " to " + count_text(scaled.params.total) + " parameters." +
               (meta.notes ? " " + *meta.notes : "");
  return scaled;
}

}  // namespace roofbeam
