#include "engine/mup/ladder.h"

#include <algorithm>
#include <cmath>

#include "engine/analysis/parameters.h"
#include "engine/base/text.h"
#include "engine/scale/resize.h"

namespace roofbeam {
namespace {

struct Fans {
  double in = 0;
  double out = 0;
};

// Sizes a matrix reads and writes; zeros for weights that are no matrices: norms, gains, states.
Fans fans_of(const Instance& instance) {
  const Arguments& a = instance.arguments;
  const std::string& type = instance.spec->type;
  if (type == "linear") return {a.number("in_features"), a.number("out_features")};
  if (type == "lm_head") return {a.number("dim"), a.number("vocab")};
  if (type == "embedding") return {a.number("vocab"), a.number("dim")};
  if (type == "pos_embedding") return {a.number("max_seq"), a.number("dim")};
  if (type == "learned_tokens") return {a.number("count"), a.number("dim")};
  if (type == "topk_router") return {a.number("d_model"), a.number("experts")};
  if (type == "conv2d") {
    const double k = a.number("kernel");
    return {a.number("in_channels") * k * k / a.number("groups"),
            a.number("out_channels") * k * k / a.number("groups")};
  }
  return {};
}

bool is_tied_head(const Instance& instance) {
  return instance.spec->type == "lm_head" && instance.arguments.flag("tied");
}

// Widths in whole heads.
class Widths {
 public:
  Widths(const Document& document, bool reference)
      : document_(document),
        width_(*literal(document, "D")),
        heads_(literal(document, "H").value_or(0)) {
    const double head_dim = *literal(document, "dh");
    own_ratio_ = !reference && heads_ > 0;
    unit_ = own_ratio_ ? width_ / heads_ : head_dim;
  }

  [[nodiscard]] double unit() const { return unit_; }

  [[nodiscard]] Width nearest(double asked) const {
    const double heads = std::max(1.0, round_half_up(asked / unit_));
    return {.D = round_half_up(heads * unit_), .heads = heads};
  }

  [[nodiscard]] Document at(const Width& width) const {
    Document document = document_;
    if (width.D != width_ || width.heads != heads_) set_width(document, width);
    return document;
  }

 private:
  const Document& document_;
  double width_;
  double heads_;
  double unit_ = 1;
  bool own_ratio_ = false;
};

// The design's own width and its halves of at least four heads, at most four rungs; upwards where
// that leaves fewer than three.
std::vector<double> default_widths(double width, double unit) {
  constexpr std::size_t kMost = 4;
  constexpr std::size_t kFewest = 3;
  const double floor = std::max(4 * unit, 128.0);
  std::vector<double> widths;
  for (double next = width; next >= floor && widths.size() < kMost; next /= 2)
    widths.push_back(next);
  if (widths.empty()) widths.push_back(width);
  for (double next = 2 * width; widths.size() < kFewest; next *= 2) widths.push_back(next);
  return widths;
}

std::vector<ClassScaling> scaling_of(const Elaboration& rung, const Elaboration& twice, double m) {
  std::vector<ClassScaling> rows{{WidthClass::input, 1, 1, {}},
                                 {WidthClass::hidden, 1 / std::sqrt(m), 1 / m, {}},
                                 {WidthClass::output, 1 / m, 1 / m, {}}};
  for (const Instance& instance : rung.instances) {
    const bool tied = is_tied_head(instance);
    if (!tied && !(weights_of(instance) > 0)) continue;
    WidthClass width_class = WidthClass::input;
    if (const Instance* wider = twice.find(instance.path)) {
      const Fans narrow = fans_of(instance);
      const Fans wide = fans_of(*wider);
      if (wide.in > narrow.in)
        width_class = wide.out > narrow.out ? WidthClass::hidden : WidthClass::output;
    }
    rows[static_cast<std::size_t>(width_class)].paths.push_back(instance.path);
  }
  for (ClassScaling& row : rows) std::ranges::sort(row.paths);
  return rows;
}

std::vector<std::string> notes_on(const Ladder& ladder, bool tied) {
  std::vector<std::string> notes;
  if (tied)
    notes.push_back(
        "The head is tied to the embedding: give its output the factor 1/m instead of its "
        "weights.");
  notes.push_back(
      "Tune at width " + shortest(ladder.base_width) +
      "; the other rungs multiply what was found there. The rate itself is not decided here.");
  notes.push_back(
      "Attention scores scaled by 1/d instead of 1/sqrt(d) are a property of the design, not of "
      "the ladder.");
  if (std::ranges::none_of(ladder.rungs, &Rung::base))
    notes.push_back("No rung stands at the base width " + shortest(ladder.base_width) + ".");
  return notes;
}

}  // namespace

std::string_view name(WidthClass width_class) {
  switch (width_class) {
    case WidthClass::input:
      return "input";
    case WidthClass::hidden:
      return "hidden";
    case WidthClass::output:
      return "output";
  }
  return "input";
}

Result<Ladder> width_ladder(const Document& written, const LadderOptions& options) {
  const Document document = with_configuration(written);
  const auto width = literal(document, "D");
  const auto head_dim = literal(document, "dh");
  if (!width || !head_dim)
    return Diagnostic{.code = "mup.no_heads",
                      .path = "",
                      .message = std::string("the design has no symbol ") + (width ? "dh" : "D") +
                                 " with a plain number: a ladder widens it by whole heads",
                      .hint = "give its width the symbol D and its head width dh"};
  const Widths widths(document, options.reference);
  Diagnostics problems;
  const auto check = [&](double asked, std::string path) {
    if (asked < widths.unit())
      problems.push_back({.code = "mup.narrow",
                          .path = std::move(path),
                          .message = "found a width of " + shortest(asked) +
                                     ", wanted at least one head, " +
                                     shortest(std::ceil(widths.unit())),
                          .hint = ""});
  };
  for (std::size_t i = 0; i < options.widths.size(); ++i)
    check(options.widths[i], "/widths/" + std::to_string(i));
  if (options.base_width) check(*options.base_width, "/base_width");
  if (!problems.empty()) return problems;

  std::vector<double> asked =
      options.widths.empty() ? default_widths(*width, widths.unit()) : options.widths;
  std::ranges::sort(asked);
  Ladder ladder{.base_width = widths.nearest(options.base_width.value_or(asked.front())).D,
                .head_dim = *head_dim,
                .rungs = {},
                .notes = {}};
  bool tied = false;
  for (const double want : asked) {
    const Width at = widths.nearest(want);
    if (!ladder.rungs.empty() && ladder.rungs.back().width == at.D) continue;
    Rung rung{.width = at.D,
              .heads = at.heads,
              .multiplier = at.D / ladder.base_width,
              .params = 0,
              .base = at.D == ladder.base_width,
              .scaling = {},
              .notes = {},
              .document = widths.at(at)};
    const Elaboration design = elaborate(rung.document);
    const Elaboration twice = elaborate(widths.at(widths.nearest(2 * at.D)));
    rung.params = count_parameters(design).total;
    rung.scaling = scaling_of(design, twice, rung.multiplier);
    tied = tied || std::ranges::any_of(design.instances, is_tied_head);
    if (at.D != want)
      rung.notes.push_back("Width " + shortest(want) +
                           " is no whole number of heads: " + shortest(at.D) + " is the nearest.");
    ladder.rungs.push_back(std::move(rung));
  }
  ladder.notes = notes_on(ladder, tied);
  return ladder;
}

}  // namespace roofbeam
