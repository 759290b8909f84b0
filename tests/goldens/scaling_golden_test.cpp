#include <gtest/gtest.h>

#include "engine/api/run.h"
#include "engine/json/writer.h"
#include "tests/support/goldens.h"

// Ladders, scaled and new designs as recorded.
namespace roofbeam {
namespace {

using tests::expect_equal;
using tests::golden_cases;

json::Value answer_to(const char* command, json::Value request) {
  request.set("schema_version", json::Value(1));
  request.set("command", json::Value(command));
  const Result<json::Value> response =
      json::parse(api::run(json::write(request, json::Layout::compact)));
  if (!response || *response->find("ok") != json::Value(true)) {
    ADD_FAILURE() << (response ? json::write(*response, json::Layout::compact) : "no JSON");
    return json::Value(json::Object{});
  }
  return *response->find("result");
}

class ScaleGolden : public testing::TestWithParam<json::Value> {};
TEST_P(ScaleGolden, SymbolsAndCounts) {
  const json::Value result = answer_to("scale", *GetParam().find("request"));
  expect_equal(*GetParam().find("result"), &result, "");
  EXPECT_EQ(result.find("changes")->object().size(),
            GetParam().find("result")->find("changes")->object().size());
}
INSTANTIATE_TEST_SUITE_P(Cases, ScaleGolden, testing::ValuesIn(golden_cases("scale.json")),
                         tests::case_name);

class NewDesignGolden : public testing::TestWithParam<json::Value> {};
TEST_P(NewDesignGolden, SizesAndBytes) {
  const json::Value result = answer_to("new", *GetParam().find("request"));
  expect_equal(*GetParam().find("result"), &result, "");
}
INSTANTIATE_TEST_SUITE_P(Cases, NewDesignGolden,
                         testing::ValuesIn(golden_cases("new_designs.json")), tests::case_name);

class LadderGolden : public testing::TestWithParam<json::Value> {};
TEST_P(LadderGolden, RungsAndClasses) {
  json::Value request = *GetParam().find("request");
  if (const json::Value* scaled =
          request.find("scaled")) {  // the ladder of a design that scale made
    for (const json::Value& row : golden_cases("scale.json"))
      if (row.find("name")->string() == scaled->string())
        request = json::Value(
            json::Object{{"design", *answer_to("scale", *row.find("request")).find("doc")},
                         {"reference", json::Value(true)}});
  }
  const json::Value result = answer_to("mup", request);
  expect_equal(*GetParam().find("result"), &result, "");
}
INSTANTIATE_TEST_SUITE_P(Cases, LadderGolden, testing::ValuesIn(golden_cases("ladders.json")),
                         tests::case_name);

}  // namespace
}  // namespace roofbeam
