#include "engine/rules/check_rules.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>

#include "engine/rules/rule.h"

namespace roofbeam {
namespace {

// The place of each rule's findings among those about the same port.
std::unordered_map<std::string_view, std::size_t> ranks_by_rule() {
  std::unordered_map<std::string_view, std::size_t> ranks;
  const std::span<const Rule> rules = design_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) ranks.emplace(rules[i].id, i);
  const std::size_t constraints = ranks.at("block-constraints");
  for (const Rule& constraint : block_constraints()) ranks.emplace(constraint.id, constraints);
  return ranks;
}

// Nothing is before any text.
int compared(const std::optional<std::string>& a, const std::optional<std::string>& b) {
  if (!a || !b) return static_cast<int>(a.has_value()) - static_cast<int>(b.has_value());
  return a->compare(*b);
}

// Findings in the order they are listed in. Sorts positions: a finding is six texts, and there may be
// a hundred thousand.
class Listing {
 public:
  Listing(Findings found, const std::unordered_map<std::string_view, std::size_t>& ranks) : found_(std::move(found)) {
    const std::size_t unlisted = ranks.at("block-constraints");
    for (const Finding& finding : found_) {
      const auto at = ranks.find(finding.rule);
      ranks_.push_back(at == ranks.end() ? unlisted : at->second);
      order_.push_back(order_.size());
    }
    sort();
  }

  // Passes every finding to `stays`, which may regrade it, drops those that do not, and sorts anew.
  template <class Stays>
  void filter(Stays stays) {
    std::erase_if(order_, [&](std::size_t at) { return !stays(found_[at]); });
    sort();
  }

  [[nodiscard]] Findings take() && {
    Findings listed;
    listed.reserve(order_.size());
    for (const std::size_t at : order_) listed.push_back(std::move(found_[at]));
    return listed;
  }

 private:
  void sort() {
    std::ranges::stable_sort(order_, [&](std::size_t x, std::size_t y) {
      const Finding& a = found_[x];
      const Finding& b = found_[y];
      if (a.severity != b.severity) return a.severity < b.severity;
      if (const int order = compared(a.path, b.path); order != 0) return order < 0;
      if (const int order = compared(a.port, b.port); order != 0) return order < 0;
      return ranks_[x] < ranks_[y];
    });
  }

  Findings found_;
  std::vector<std::size_t> ranks_;
  std::vector<std::size_t> order_;  // positions in found_
};

std::optional<Severity> severity_named(std::string_view wanted) {
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info})
    if (name(severity) == wanted) return severity;
  return std::nullopt;
}

constexpr std::string_view kOff = "off";

// Regrades and drops findings as the document wishes, keeping a record.
class Overrides {
 public:
  explicit Overrides(const Document& document) {
    for (const auto& [rule, wanted] : document.rules) wanted_.emplace(rule, wanted);
  }

  [[nodiscard]] bool any() const { return !wanted_.empty(); }

  // Whether the finding stays.
  bool apply(Finding& finding, std::vector<OverriddenFinding>& record) const {
    const auto at = wanted_.find(finding.rule);
    if (at == wanted_.end()) return true;
    const std::string_view wanted = at->second;
    const std::string from(name(finding.severity));
    const std::optional<Severity> severity = severity_named(wanted);
    if (severity == finding.severity) return true;
    const bool valid = severity || wanted == kOff;
    record.push_back({finding.rule, finding.path, from, (valid ? "" : "?") + std::string(wanted)});
    if (severity) finding.severity = *severity;
    return wanted != kOff;
  }

 private:
  std::unordered_map<std::string_view, std::string_view> wanted_;
};

}  // namespace

RuleReport check_rules(const Document& document, const Elaboration& design, const Analysis& analysis) {
  Findings found = design.findings;
  const RuleContext context{document, design, analysis};
  for (const Rule& rule : design_rules())
    if (rule.check != nullptr) rule.check(context, found);

  const auto ranks = ranks_by_rule();
  Listing listing(std::move(found), ranks);
  RuleReport report;
  if (const Overrides overrides(document); overrides.any())
    listing.filter([&](Finding& finding) { return overrides.apply(finding, report.overridden); });
  report.findings = std::move(listing).take();
  for (const Finding& finding : report.findings) {
    switch (finding.severity) {
      case Severity::error: ++report.counts.error; break;
      case Severity::warning: ++report.counts.warning; break;
      case Severity::info: ++report.counts.info; break;
    }
  }
  for (const auto& [rule, severity] : document.rules)
    if (!ranks.contains(rule)) report.unknown_rules.push_back(rule);
  return report;
}

}  // namespace roofbeam
