#include "engine/api/run.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/json/value.h"

namespace roofbeam {
namespace {

json::Value response_to(std::string_view request) {
  const Result<json::Value> response = json::parse(api::run(request));
  EXPECT_TRUE(static_cast<bool>(response));
  return response ? *response : json::Value();
}

using Places = std::vector<std::pair<std::string, std::string>>;

Places places(const json::Value& response) {
  Places places;
  if (const json::Value* diagnostics = response.find("diagnostics"))
    for (const json::Value& diagnostic : diagnostics->array())
      places.emplace_back(diagnostic.find("code")->string(), diagnostic.find("path")->string());
  return places;
}

TEST(Run, Lists) {
  const json::Value response = response_to(R"({"schema_version":1,"command":"list"})");
  EXPECT_EQ(*response.find("ok"), json::Value(true));
  EXPECT_EQ(response.find("result")->find("presets")->array().size(), 29u);
  EXPECT_EQ(response.find("result")->find("hardware")->array().size(), 17u);
}

struct BadRequest {
  const char* name;
  std::string request;
  Places wanted;
};

class RunRefuses : public testing::TestWithParam<BadRequest> {};

TEST_P(RunRefuses, WithEveryProblemAtItsPlace) {
  const json::Value response = response_to(GetParam().request);
  EXPECT_EQ(*response.find("ok"), json::Value(false));
  EXPECT_EQ(places(response), GetParam().wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RunRefuses,
    testing::Values(
        BadRequest{"nothing", "", {{"json.empty", ""}}},
        BadRequest{"no_json", "analyze llama", {{"json.syntax", ""}}},
        BadRequest{"a_list", "[]", {{"json.type", ""}}},
        BadRequest{"no_command", R"({"schema_version":1})", {{"json.missing", "/command"}}},
        BadRequest{"unknown_command",
                   R"({"schema_version":1,"command":"analyse"})",
                   {{"request.unknown_command", "/command"}}},
        BadRequest{"newer_version",
                   R"({"schema_version":2,"command":"list"})",
                   {{"request.version", "/schema_version"}}},
        BadRequest{"unknown_key",
                   R"({"schema_version":1,"command":"list","verbose":true})",
                   {{"json.unknown_key", "/verbose"}}},
        BadRequest{"no_model",
                   R"({"schema_version":1,"command":"analyze"})",
                   {{"request.model", ""}}},
        BadRequest{"two_models",
                   R"({"schema_version":1,"command":"analyze","preset":"gpt2-xl","config":"{}"})",
                   {{"request.model", ""}}},
        BadRequest{"unknown_preset",
                   R"({"schema_version":1,"command":"analyze","preset":"gpt3"})",
                   {{"model.unknown_preset", "/preset"}}},
        BadRequest{"every_option_wrong",
                   R"({"schema_version":1,"command":"analyze","preset":"gpt2-xl","options":{
                       "T":0,"B":1.5,"dtype":"fp7","hardware":"h1","gpus":-1,
                       "parallel":{"tp":"two","zero":4,"pd":1},"mfu":40,"tokens":-1,
                       "packing":{"mean":0.5}}})",
                   {{"json.range", "/options/T"},
                    {"json.not_whole", "/options/B"},
                    {"json.choice", "/options/dtype"},
                    {"json.range", "/options/gpus"},
                    {"json.type", "/options/parallel/tp"},
                    {"json.range", "/options/parallel/zero"},
                    {"json.unknown_key", "/options/parallel/pd"},
                    {"json.range", "/options/tokens"},
                    {"json.range", "/options/mfu"},
                    {"json.range", "/options/packing/mean"},
                    {"device.unknown", "/options/hardware"}}},
        BadRequest{"broken_config",
                   R"({"schema_version":1,"command":"import","config":"{\"model_type\":\"foo\"}"})",
                   {{"import.unknown_model_type", "/config/model_type"}}}),
    [](const auto& row) { return row.param.name; });

TEST(Run, NeverAnswersWithANumberThatIsNotFinite) {
  const std::string response = api::run(R"j({"schema_version":1,"command":"analyze","design":{"version":1,
    "meta":{"name":"a"},"symbols":{"D":"sqrt(0-1)"},
    "graph":{"nodes":[{"id":"a","type":"rmsnorm","params":{"dim":"D"}}],"edges":[]}}})j");
  EXPECT_EQ(response.find("nan"), std::string::npos);
  EXPECT_EQ(response.find("NaN,"), std::string::npos);
  EXPECT_NE(response.find("\"total\":null"), std::string::npos);
}

TEST(Run, HostileTextIsAnAnswerToo) {
  EXPECT_EQ(places(response_to(std::string(10'000, '['))), (Places{{"json.too_deep", ""}}));
  EXPECT_EQ(places(response_to(std::string(50u << 20, ' '))).size(), 1u);
}

TEST(Run, ANameIsTextWhateverItHolds) {
  const json::Value response = response_to(R"j({"schema_version":1,"command":"analyze","design":{"version":1,
    "meta":{"name":"<script>alert(1)</script>"},"symbols":{},"graph":{"nodes":[],"edges":[]}}})j");
  EXPECT_EQ(*response.find("result")->find("name"), json::Value("<script>alert(1)</script>"));
}

TEST(Run, SaysWhatMadeNoDifference) {
  const json::Value response = response_to(
      R"({"schema_version":1,"command":"analyze","preset":"gpt2-small","options":{"S":12,"gpus":2,"parallel":{"dp":4}}})");
  const json::Array& notes = response.find("result")->find("notes")->array();
  ASSERT_GE(notes.size(), 2u);
  EXPECT_NE(notes[notes.size() - 2].string().find("no source"), std::string::npos);
  EXPECT_NE(notes.back().string().find("needs 4 devices"), std::string::npos);
}

TEST(Run, ParseGivesTheDocumentBack) {
  const json::Value response =
      response_to(R"({"schema_version":1,"command":"parse","preset":"llama-3-8b"})");
  EXPECT_EQ(*response.find("result")->find("doc")->find("meta")->find("name"), json::Value("llama-3-8b"));
}

}  // namespace
}  // namespace roofbeam
