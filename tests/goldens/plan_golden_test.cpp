#include <gtest/gtest.h>

#include "engine/api/run.h"
#include "engine/json/writer.h"
#include "tests/support/goldens.h"

// Searches for plans as recorded: how many, which, in which order, and their bytes.
namespace roofbeam {
namespace {

using tests::expect_equal;
using tests::golden_cases;

class PlanGolden : public testing::TestWithParam<json::Value> {};

TEST_P(PlanGolden, OrderAndBytes) {
  json::Value request = *GetParam().find("request");
  request.set("schema_version", json::Value(1));
  request.set("command", json::Value("plan"));
  const Result<json::Value> response =
      json::parse(api::run(json::write(request, json::Layout::compact)));
  ASSERT_TRUE(static_cast<bool>(response));
  ASSERT_EQ(*response->find("ok"), json::Value(true));
  expect_equal(*GetParam().find("result"), response->find("result"), "");
}

INSTANTIATE_TEST_SUITE_P(Cases, PlanGolden, testing::ValuesIn(golden_cases("plans.json")),
                         tests::case_name);

}  // namespace
}  // namespace roofbeam
