// The findings of three broken designs, all of them, in order.
#include <fstream>
#include <sstream>

#include "tests/unit/rules/judged.h"

namespace roofbeam {
namespace {

json::Value goldens() {
  std::ifstream file(ROOFBEAM_SOURCE_DIR "/tests/goldens/rules.json");
  std::stringstream text;
  text << file.rdbuf();
  const Result<json::Value> value = json::parse(text.str());
  ROOFBEAM_CHECK(static_cast<bool>(value));
  return *value;
}

std::string text_of(const json::Value& value) { return value.is_null() ? "-" : value.string(); }

std::string place_of(const Finding& finding) {
  return finding.rule + " " + std::string(name(finding.severity)) + " " + finding.path.value_or("-") + " " +
         finding.port.value_or("-");
}

TEST(GoldenRules, AreThreeDesigns) { EXPECT_EQ(goldens().array().size(), 3u); }

TEST(GoldenRules, FindAllThatIsWrongInOrder) {
  const json::Value cases = goldens();
  for (const json::Value& golden : cases.array()) {
    SCOPED_TRACE(golden.find("name")->string());
    const RuleReport report = tests::judged(*read_document(*golden.find("design")));
    std::vector<std::string> expected;
    for (const json::Value& row : golden.find("findings")->array()) {
      const json::Array& cells = row.array();
      expected.push_back(text_of(cells[0]) + " " + text_of(cells[1]) + " " + text_of(cells[2]) + " " +
                         text_of(cells[3]));
    }
    std::vector<std::string> found;
    for (const Finding& finding : report.findings) found.push_back(place_of(finding));
    ASSERT_EQ(found, expected);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const json::Array& cells = golden.find("findings")->array()[i].array();
      const std::string said = report.findings[i].message + " | " + report.findings[i].hint;
      for (std::size_t part = 4; part < cells.size(); ++part)
        EXPECT_NE(said.find(cells[part].string()), std::string::npos) << said;
    }
    const json::Value& counts = *golden.find("counts");
    EXPECT_EQ(static_cast<std::int64_t>(report.counts.error), counts.find("error")->integer());
    EXPECT_EQ(static_cast<std::int64_t>(report.counts.warning), counts.find("warning")->integer());
    EXPECT_EQ(static_cast<std::int64_t>(report.counts.info), counts.find("info")->integer());
    EXPECT_FALSE(report.ok());
    EXPECT_TRUE(report.overridden.empty());
  }
}

TEST(GoldenRules, FindNoErrorInAnyPreset) {
  ASSERT_EQ(embedded_files("designs").size(), 29u);
  for (const EmbeddedFile& file : embedded_files("designs")) {
    const RuleReport report = tests::judged(tests::document_of(file.text));
    for (const Finding& finding : report.findings)
      EXPECT_NE(finding.severity, Severity::error) << file.name << ": " << place_of(finding) << ": " << finding.message;
    EXPECT_TRUE(report.ok()) << file.name;
  }
}

// Three designs leave their number of layers to the counts of their stacks.
TEST(GoldenRules, NameTheSymbolsPresetsDoNotUse) {
  std::vector<std::string> unused;
  for (const EmbeddedFile& file : embedded_files("designs"))
    for (const Finding& finding : tests::of_rule(tests::judged(tests::document_of(file.text)), "unused-symbol"))
      unused.push_back(std::string(file.name) + ": " + finding.message);
  const std::vector<std::string> expected{
      "gemma-3-27b: nothing uses the symbol \"L\"", "jamba-v0.1: nothing uses the symbol \"L\"",
      "nemotron-h-8b: nothing uses the symbol \"L\"", "qwen3-next-80b-a3b: nothing uses the symbol \"L\""};
  EXPECT_EQ(unused, expected);
}

}  // namespace
}  // namespace roofbeam
