#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/analysis/analysis.h"
#include "engine/design/document.h"
#include "engine/design/finding.h"
#include "engine/graph/elaboration.h"

namespace roofbeam {

// What a rule looks at: a design as written and as expanded, and what it costs at one operating
// point.
struct RuleContext {
  const Document& document;
  const Elaboration& design;
  const Analysis& analysis;

  [[nodiscard]] const OperatingPoint& point() const { return analysis.point; }
  // Whether an instance is of a built-in type, "sdpa"; types are unique, so addresses decide.
  [[nodiscard]] const BlockSpec* type(std::string_view name) const {
    return design.catalog->find(name);
  }
};

// A rule by its id. Rules without a check speak while the design is elaborated.
struct Rule {
  std::string_view id;
  std::string_view title;  // what it looks for
  void (*check)(const RuleContext& context, Findings& findings) = nullptr;
};

// Every rule, in the order their findings about one block are listed in.
[[nodiscard]] std::span<const Rule> design_rules();

// The ids that blocks give to constraints between their own parameters ("SDPA-01"). Their findings
// stand where the rule "block-constraints" does.
[[nodiscard]] std::span<const Rule> block_constraints();

// Findings about the whole design, and about one block.
[[nodiscard]] Finding about_design(std::string_view rule, Severity severity, std::string message,
                                   std::string hint = "");
[[nodiscard]] Finding about_block(std::string_view rule, Severity severity,
                                  const Instance& instance, std::string message,
                                  std::string hint = "");

}  // namespace roofbeam
