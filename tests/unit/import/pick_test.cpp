#include "engine/import/pick.h"

#include "engine/json/writer.h"
#include "tests/unit/import/files.h"

namespace roofbeam {
namespace {

Values some_values() {
  Values values;
  values.set("heads", json::Value(32));
  values.set("hidden", json::Value(4096));
  values.set("kind", json::Value("yarn"));
  values.set("none", json::Value());
  values.set("scaling", json_of(R"({"rope_type": "yarn", "factor": 4})"));
  return values;
}

struct PickCase {
  const char* pick;
  const char* value;
};

const PickCase kPicks[] = {
    {R"("D")", R"("D")"},
    {R"("")", R"("")"},
    {"7", "7"},
    {"true", "true"},
    {R"("$heads")", "32"},
    {R"("$kind")", R"("yarn")"},
    {R"("$none")", "null"},
    {R"("$never_set")", "null"},
    {R"("=hidden/heads")", "128"},
    {R"("=heads/hidden")", "0.0078125"},
    {R"("=none + 1")", "null"},
    {"\"=1/(heads - heads)\"", "null"},
    {R"("?heads > 8")", "true"},
    {R"({"when": "heads > 8", "then": "$hidden", "else": 0})", "4096"},
    {R"({"when": "heads < 8", "then": "$hidden", "else": 0})", "0"},
    {R"({"when": "heads < 8", "then": "$hidden"})", "null"},
    {R"({"theta": "$hidden", "scaling": {"when": "none", "then": 1}})", R"({"theta":4096})"},
    {R"(["$heads", "x"])", R"([32,"x"])"},
    {R"({"merge": [{"type": "$kind"}, "$scaling", "$none"], "without": ["rope_type"]})",
     R"({"type":"yarn","factor":4})"},
    {"\"1/sqrt({heads})\"", "\"1/sqrt(32)\""},
    {R"("{heads*2} of {kind}, {none}")", R"("64 of \"yarn\", ?")"},
};

class Picks : public testing::TestWithParam<PickCase> {};

TEST_P(Picks, GiveValues) {
  const std::optional<json::Value> value = picked(json_of(GetParam().pick), some_values());
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(json::write(*value, json::Layout::compact), GetParam().value) << GetParam().pick;
}

INSTANTIATE_TEST_SUITE_P(Cases, Picks, testing::ValuesIn(kPicks));

TEST(PickOfAFaultyValue, IsUnknown) {
  Values values = some_values();
  NamedValue wrong;
  wrong.faulty = true;
  values.set("wrong", wrong);
  for (const char* pick : {R"("$wrong")", R"("=wrong + 1")", R"("?wrong > 0")", R"(["$wrong"])",
                           R"({"when": "wrong > 0", "then": 1, "else": 1})", R"({"a": "$wrong"})",
                           R"({"merge": ["$wrong"]})"})
    EXPECT_EQ(picked(json_of(pick), values), std::nullopt) << pick;
  EXPECT_EQ(picked(json_of(R"({"when": "heads > 0", "then": 1, "else": "$wrong"})"), values),
            json::Value(1));
}

TEST(PickNames, AreFoundAtEveryDepth) {
  std::vector<std::string> names;
  collect_names(json_of(R"([{"when": "a > b", "then": "$c"}, {"x": "=d*2", "y": "{e} and {f + 1}"},
                            {"merge": ["?g"], "without": ["$not_a_name"]}])"),
                names);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"}));
}

}  // namespace
}  // namespace roofbeam
