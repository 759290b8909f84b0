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

struct Ranked {
  std::size_t rank = 0;
  Finding finding;
};

// Nothing is before any text.
int compared(const std::optional<std::string>& a, const std::optional<std::string>& b) {
  if (!a || !b) return static_cast<int>(a.has_value()) - static_cast<int>(b.has_value());
  return a->compare(*b);
}

bool comes_before(const Ranked& a, const Ranked& b) {
  if (a.finding.severity != b.finding.severity) return a.finding.severity < b.finding.severity;
  if (const int order = compared(a.finding.path, b.finding.path); order != 0) return order < 0;
  if (const int order = compared(a.finding.port, b.finding.port); order != 0) return order < 0;
  return a.rank < b.rank;
}

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
  const std::size_t unlisted = ranks.at("block-constraints");
  std::vector<Ranked> ranked;
  ranked.reserve(found.size());
  for (Finding& finding : found) {
    const auto at = ranks.find(finding.rule);
    ranked.push_back({at == ranks.end() ? unlisted : at->second, std::move(finding)});
  }
  std::ranges::stable_sort(ranked, comes_before);

  RuleReport report;
  for (const auto& [rule, severity] : document.rules)
    if (!ranks.contains(rule)) report.unknown_rules.push_back(rule);
  if (const Overrides overrides(document); overrides.any()) {
    std::erase_if(ranked, [&](Ranked& one) { return !overrides.apply(one.finding, report.overridden); });
    std::ranges::stable_sort(ranked, comes_before);
  }
  report.findings.reserve(ranked.size());
  for (Ranked& one : ranked) {
    switch (one.finding.severity) {
      case Severity::error: ++report.counts.error; break;
      case Severity::warning: ++report.counts.warning; break;
      case Severity::info: ++report.counts.info; break;
    }
    report.findings.push_back(std::move(one.finding));
  }
  return report;
}

}  // namespace roofbeam
