#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/embedded.h"
#include "engine/graph/elaboration.h"
#include "engine/rules/check_rules.h"
#include "tests/support/documents.h"

namespace roofbeam::tests {

inline RuleReport judged(const Document& document, const OperatingPointOptions& options = {},
                         std::string_view device = kDefaultDevice) {
  const Elaboration design = elaborate(document);
  return check_rules(document, design, analyze(design, options, *device_named(device)));
}

// An operating point: point([](auto& p) { p.B = 4; }).
template <class Set>
OperatingPointOptions point(Set set) {
  OperatingPointOptions options;
  set(options);
  return options;
}

// A design of these nodes, edges and symbols.
inline Document wired(std::string_view nodes, std::string_view edges, std::string_view symbols = "{}",
                       std::string_view more = "") {
  return document_of(R"({"version":1,"meta":{"name":"d"},"symbols":)" + std::string(symbols) +
                     R"(,"graph":{"nodes":)" + std::string(nodes) + R"(,"edges":)" + std::string(edges) + "}" +
                     std::string(more) + "}");
}

// Findings of one rule.
inline Findings of_rule(const RuleReport& report, std::string_view rule) {
  Findings findings;
  for (const Finding& finding : report.findings)
    if (finding.rule == rule) findings.push_back(finding);
  return findings;
}

}  // namespace roofbeam::tests
