// The document's `rules`, and the order of the report.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "engine/rules/rule.h"
#include "tests/unit/rules/judged.h"

namespace roofbeam {
namespace {

using tests::judged;
using tests::of_rule;

// Two linear layers with odd widths, one of them unread, and a symbol nobody uses.
RuleReport with_rules(std::string_view rules) {
  return judged(tests::wired(R"([{ "id": "x", "type": "input", "params": { "shape": "B T 65", "dtype": "bf16" } },
      { "id": "b", "type": "linear", "params": { "in_features": 65, "out_features": 65 } },
      { "id": "a", "type": "linear", "params": { "in_features": 65, "out_features": 64 } }, { "id": "out", "type": "output" }])",
                                R"([["x:x", "b:x"], ["b:y", "a:x"], ["x:x", "out:x"]])", R"({ "Lost": 1 })",
                                R"(, "rules": )" + std::string(rules)));
}

TEST(Overrides, AreNoneWithoutRules) {
  const RuleReport report = with_rules("{}");
  EXPECT_TRUE(report.overridden.empty());
  EXPECT_EQ(of_rule(report, "tensor-core-multiples").size(), 2u);
  EXPECT_TRUE(report.ok());
}

TEST(Overrides, RegradeAndRecordEveryFindingOfARule) {
  const RuleReport report = with_rules(R"({ "tensor-core-multiples": "error" })");
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.counts.error, 2u);
  ASSERT_EQ(report.overridden.size(), 2u);
  EXPECT_EQ(report.overridden[0].path, "a");
  EXPECT_EQ(report.overridden[1].path, "b");
  for (const OverriddenFinding& overridden : report.overridden) {
    EXPECT_EQ(overridden.rule, "tensor-core-multiples");
    EXPECT_EQ(overridden.from, "info");
    EXPECT_EQ(overridden.to, "error");
  }
  EXPECT_EQ(report.findings[0].path, "a");  // errors lead, regraded ones too
  EXPECT_EQ(report.findings[1].path, "b");
}

TEST(Overrides, DropAndRecord) {
  const RuleReport report = with_rules(R"({ "unused-symbol": "off", "dangling-output": "off" })");
  EXPECT_TRUE(of_rule(report, "unused-symbol").empty());
  EXPECT_TRUE(of_rule(report, "dangling-output").empty());
  ASSERT_EQ(report.overridden.size(), 2u);
  EXPECT_EQ(report.overridden[0].rule, "dangling-output");
  EXPECT_EQ(report.overridden[1].rule, "unused-symbol");
  EXPECT_EQ(report.overridden[1].path, std::nullopt);
  EXPECT_EQ(report.overridden[1].to, "off");
}

TEST(Overrides, KeepWhatTheyCannotRead) {
  const RuleReport report = with_rules(R"({ "unused-symbol": "loud" })");
  EXPECT_EQ(of_rule(report, "unused-symbol").size(), 1u);
  EXPECT_EQ(of_rule(report, "unused-symbol")[0].severity, Severity::info);
  ASSERT_EQ(report.overridden.size(), 1u);
  EXPECT_EQ(report.overridden[0].to, "?loud");
}

TEST(Overrides, RecordNothingWhereNothingChanges) {
  EXPECT_TRUE(with_rules(R"({ "unused-symbol": "info", "vocab-padding": "error" })").overridden.empty());
}

TEST(Overrides, ReachTheConstraintsOfBlocks) {
  const Document document = tests::wired(
      R"([{ "id": "x", "type": "input", "params": { "shape": "B 2 T 33", "dtype": "bf16" } },
          { "id": "rope", "type": "rope", "params": { "heads": 2, "head_dim": 33 } }, { "id": "out", "type": "output" }])",
      R"([["x:x", "rope:x"], ["rope:y", "out:x"]])", "{}", R"(, "rules": { "ROPE-01": "info", "shape": "off" })");
  const RuleReport report = judged(document);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(of_rule(report, "ROPE-01").size(), 1u);
  EXPECT_EQ(report.overridden.size(), 2u);
}

TEST(Overrides, NameRulesThatDoNotExist) {
  EXPECT_EQ(with_rules(R"({ "vocab-paddin": "off", "SDPA-01": "off", "shape": "error" })").unknown_rules,
            std::vector<std::string>{"vocab-paddin"});
}

// Severity, then path with the whole design first, then port.
TEST(Order, HoldsInEveryReport) {
  for (const EmbeddedFile& file : embedded_files("designs")) {
    const Findings findings = judged(tests::document_of(file.text), tests::point([](auto& p) { p.B = 16; p.tokens = 1e6; })).findings;
    const auto key = [](const Finding& finding) {
      return std::tuple(finding.severity, finding.path, finding.port);
    };
    EXPECT_TRUE(std::ranges::is_sorted(findings, {}, key)) << file.name;
  }
}

TEST(Rules, AreTwentyFourWithIdsOfTheirOwn) {
  EXPECT_EQ(design_rules().size(), 24u);
  std::vector<std::string_view> ids;
  for (const auto rules : {design_rules(), block_constraints()})
    for (const Rule& rule : rules) ids.push_back(rule.id);
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

// docs/rules.md has a row for every id, in the order of the tables.
TEST(Rules, AreAllDocumentedInOrder) {
  std::ifstream file(ROOFBEAM_SOURCE_DIR "/docs/rules.md");
  std::stringstream text;
  text << file.rdbuf();
  std::vector<std::string> documented;
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("| `")) documented.push_back(line.substr(3, line.find('`', 3) - 3));
  std::vector<std::string> ids;
  for (const auto rules : {design_rules(), block_constraints()})
    for (const Rule& rule : rules) ids.emplace_back(rule.id);
  EXPECT_EQ(documented, ids);
}

}  // namespace
}  // namespace roofbeam
