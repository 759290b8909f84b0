#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/api/commands.h"
#include "engine/api/run.h"
#include "engine/graph/elaboration.h"
#include "engine/json/writer.h"
#include "tests/support/goldens.h"

// Every figure of every preset at three operating points, through the same door as everybody's.
namespace roofbeam {
namespace {

using tests::expect_equal;

const json::Value& goldens() {
  static const json::Value value = tests::golden_file("analysis.json");
  return value;
}

std::vector<std::string> keys_of(const char* section) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : goldens().find(section)->object()) keys.push_back(key);
  return keys;
}

class AnalysisGolden : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(AnalysisGolden, EveryFigure) {
  const auto& [preset, point] = GetParam();
  const json::Value& golden = *goldens().find("presets")->find(preset);
  const json::Value request(json::Object{{"schema_version", json::Value(1)},
                                         {"command", json::Value("analyze")},
                                         {"preset", json::Value(preset)},
                                         {"options", *goldens().find("options")->find(point)}});
  const Result<json::Value> response =
      json::parse(api::run(json::write(request, json::Layout::compact)));
  ASSERT_TRUE(static_cast<bool>(response));
  ASSERT_EQ(*response->find("ok"), json::Value(true));
  const json::Value& result = *response->find("result");
  expect_equal(*golden.find("cases")->find(point), &result, "");
  if (point != "default") return;
  for (const char* table : {"params_by_path", "flops_by_path", "activations_by_path"}) {
    const json::Value& rows = *golden.find(table);
    if (rows.is_null()) continue;
    expect_equal(rows, result.find(table), table);
    EXPECT_EQ(result.find(table)->object().size(), rows.object().size()) << table;
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, AnalysisGolden,
                         testing::Combine(testing::ValuesIn(keys_of("presets")),
                                          testing::ValuesIn(keys_of("options"))),
                         [](const auto& row) {
                           std::string name = std::get<0>(row.param) + "_" + std::get<1>(row.param);
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

class StructureGolden : public testing::TestWithParam<std::string> {};

TEST_P(StructureGolden, SymbolsAndExpansion) {
  const json::Value& golden = *goldens().find("presets")->find(GetParam());
  const Result<Document> document = api::preset_named(GetParam());
  ASSERT_TRUE(static_cast<bool>(document));
  const Elaboration design = elaborate(*document);
  for (const auto& [symbol, value] : golden.find("symbols")->object()) {
    const auto id = design.scope.find(symbol);
    ASSERT_TRUE(id.has_value()) << symbol;
    EXPECT_EQ(design.scope.value(*id), value.number()) << symbol;
  }
  for (const auto& [symbol, value] : golden.find("runtime_defaults")->object())
    EXPECT_EQ(design.scope.value(*design.scope.find(symbol)), value.number()) << symbol;

  const json::Value& flat = *golden.find("flat");
  std::size_t primitives = 0;
  json::Array repeats;
  const auto whole = [](double count) { return json::Value(static_cast<std::int64_t>(count)); };
  for (const Instance& instance : design.instances) {
    if (instance.spec->kind == BlockKind::primitive) ++primitives;
    if (instance.spec->kind != BlockKind::container) continue;
    const bool repeat = instance.spec->type == "repeat";
    repeats.push_back(json::Value(json::Object{
        {"path", json::Value(instance.path)},
        {"type", json::Value(instance.spec->type)},
        {"count", whole(instance.arguments.number(repeat ? "count" : "experts"))},
        {"active", whole(instance.arguments.number(repeat ? "count" : "top_k"))}}));
  }
  EXPECT_EQ(static_cast<std::int64_t>(primitives), flat.find("primitive_nodes")->integer());
  EXPECT_EQ(static_cast<std::int64_t>(design.instances.size()), flat.find("blocks")->integer());
  EXPECT_EQ(json::Value(repeats), *flat.find("repeats"));
  EXPECT_TRUE(design.findings.empty() || design.findings.front().severity != Severity::error);
}

INSTANTIATE_TEST_SUITE_P(Presets, StructureGolden, testing::ValuesIn(keys_of("presets")),
                         [](const auto& row) {
                           std::string name = row.param;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace roofbeam
