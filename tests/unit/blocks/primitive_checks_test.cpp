#include <gtest/gtest.h>

#include "engine/blocks/attention.h"
#include "engine/blocks/primitives.h"
#include "tests/unit/blocks/sample.h"

namespace roofbeam {
namespace {

constexpr Workload kWorkload{.batch = 2, .query_tokens = 64, .source_tokens = 24};

// "SDPA-01 error, SDPA-02 error"
std::string line_of(const std::vector<Issue>& issues) {
  std::string line;
  for (const Issue& issue : issues)
    line += (line.empty() ? "" : ", ") + issue.rule + " " + std::string(name(issue.severity));
  return line;
}

struct CheckCase {
  std::string name;
  std::string_view type;
  Written written;
  std::string issues;
};

void PrintTo(const CheckCase& row, std::ostream* out) { *out << row.name; }

class Constraints : public testing::TestWithParam<CheckCase> {};

TEST_P(Constraints, NameWhatIsWrong) {
  const CheckCase& row = GetParam();
  const Scope scope = scope_of(kWorkload);
  const Sample block(row.type, row.written, scope);
  const std::vector<Issue> issues = block.issues(scope);
  EXPECT_EQ(line_of(issues), row.issues);
  for (const Issue& issue : issues) {
    EXPECT_FALSE(issue.message.empty());
    if (issue.severity == Severity::error && issue.rule != "expression") {
      EXPECT_FALSE(issue.hint.empty()) << issue.message;
    }
    if (issue.param) {
      EXPECT_NE(block.spec().param(*issue.param), nullptr) << *issue.param;
    }
  }
}

const Written kHeads{{"heads", 8}, {"kv_heads", 2}, {"head_dim", 16}};
const Written kImage{{"in_channels", 4}, {"out_channels", 6}, {"in_h", 4}, {"in_w", 9}};

Written with(Written written, Written more) {
  written.insert(written.end(), more.begin(), more.end());
  return written;
}

CheckCase attention(std::string name, Written more, std::string issues) {
  return {std::move(name), "sdpa", with(kHeads, std::move(more)), std::move(issues)};
}

CheckCase ssd(std::string name, int d_inner, int heads, int groups, std::string issues) {
  return {std::move(name),
          "ssd_scan",
          {{"d_inner", d_inner},
           {"heads", heads},
           {"head_dim", 8},
           {"state", 16},
           {"groups", groups},
           {"xbc_width", 128}},
          std::move(issues)};
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Constraints,
    testing::Values(
        attention("sdpa_fits", {}, ""),
        CheckCase{"sdpa_heads",
                  "sdpa",
                  {{"heads", 8}, {"kv_heads", 3}, {"head_dim", 16}},
                  "SDPA-01 error"},
        CheckCase{"sdpa_more_kv_heads",
                  "sdpa",
                  {{"heads", 2}, {"kv_heads", 8}, {"head_dim", 16}},
                  "SDPA-01 error"},
        attention("sdpa_window", {{"window", -1}}, "SDPA-02 error"),
        attention("sdpa_cap", {{"logit_softcap", 50}}, "SDPA-03 info"),
        attention("sdpa_cap_and_sinks", {{"logit_softcap", 50}, {"sinks", true}}, "SDPA-06 info"),
        attention("sdpa_mask_of_nothing", {{"mask", "kv > q"}}, "SDPA-04 error, SDPA-06 info"),
        attention("sdpa_mask_of_some", {{"mask", "kv < q"}}, "SDPA-05 warning, SDPA-06 info"),
        attention("sdpa_mask", {{"mask", "q - kv < 20"}}, "SDPA-06 info"),
        attention("sdpa_mask_by_head", {{"mask", "h != 1 or kv < q"}},
                  "SDPA-05 warning, SDPA-06 info"),
        attention("sdpa_mask_outside_the_window", {{"window", 8}, {"mask", "q - kv >= 8"}},
                  "SDPA-04 error, SDPA-06 info"),
        attention("sdpa_mask_syntax", {{"mask", "q - "}}, "expression error, SDPA-06 info"),
        attention("sdpa_mask_of_no_truth", {{"mask", "q - kv"}}, "expression error, SDPA-06 info"),
        attention("sdpa_score_unknown_name", {{"score", "score + bais"}},
                  "expression error, SDPA-06 info"),
        attention("sdpa_score_of_nothing", {{"score", "q - kv"}}, "expression error, SDPA-06 info"),
        attention("sdpa_cross", {{"cross", true}, {"causal", false}}, ""),
        attention("sdpa_cross_causal", {{"cross", true}}, "SDPA-07 error"),
        attention("sdpa_cross_window", {{"cross", true}, {"causal", false}, {"window", 8}},
                  "SDPA-07 error"),
        CheckCase{"rope_even", "rope", {{"heads", 8}, {"head_dim", 16}}, ""},
        CheckCase{"rope_odd", "rope", {{"heads", 8}, {"head_dim", 15}}, "ROPE-01 error"},
        CheckCase{"router",
                  "topk_router",
                  {{"d_model", 32}, {"experts", 8}, {"top_k", 9}},
                  "ROUTER-01 error"},
        CheckCase{
            "router_of_all", "topk_router", {{"d_model", 32}, {"experts", 8}, {"top_k", 8}}, ""},
        CheckCase{"experts", "moe_experts", {{"experts", 8}, {"top_k", 9}}, "MOE-01 error"},
        CheckCase{"shift", "shift", {{"dim", 32}, {"by", -1}}, "SHIFT-01 error"},
        CheckCase{"no_shift", "shift", {{"dim", 32}, {"by", 0}}, ""}, ssd("ssd", 64, 8, 2, ""),
        ssd("ssd_width", 63, 8, 2, "SSD-01 error"), ssd("ssd_groups", 64, 8, 3, "SSD-02 error"),
        CheckCase{"delta",
                  "gated_delta_scan",
                  {{"heads", 4}, {"head_dim", 16}, {"v_head_dim", -1}},
                  "GDN-01 error"},
        CheckCase{"conv2d_kernel", "conv2d", with(kImage, {{"kernel", 5}}), "WINDOW-01 error"},
        CheckCase{"conv2d_padded", "conv2d", with(kImage, {{"kernel", 5}, {"padding", 1}}), ""},
        CheckCase{"conv2d_groups", "conv2d", with(kImage, {{"groups", 3}}), "CONV-01 error"},
        CheckCase{"pool_kernel",
                  "maxpool2d",
                  {{"channels", 4}, {"in_h", 2}, {"in_w", 2}, {"kernel", 3}},
                  "WINDOW-01 error"},
        CheckCase{"split_short",
                  "split",
                  {{"from", "B T 32"}, {"sizes", json::Array{16, 8}}},
                  "SPLIT-01 error"},
        CheckCase{"split_exact",
                  "split",
                  {{"from", "B T (2*T + S)"}, {"sizes", json::Array{"T+S", "T"}}},
                  ""},
        CheckCase{"split_nothing_named",
                  "split",
                  {{"from", "..."}, {"sizes", json::Array{16, 8}}},
                  "SPLIT-01 error"},
        CheckCase{"concat_long",
                  "concat",
                  {{"to", "B T 32"}, {"sizes", json::Array{16, 17}}},
                  "CONCAT-01 error"},
        CheckCase{"concat_axis",
                  "concat",
                  {{"to", "B T 32"}, {"sizes", json::Array{16, 16}}, {"axis", 3}},
                  "CONCAT-01 error"},
        CheckCase{"concat_past_an_ellipsis",
                  "concat",
                  {{"to", "... 32"}, {"sizes", json::Array{16, 16}}, {"axis", 1}},
                  "CONCAT-01 error"},
        CheckCase{"boundary",
                  "boundary_in",
                  {{"ports", json::Object{{"x", 4}, {"y", "B T"}}}},
                  "graph error"}),
    [](const auto& row) { return row.param.name; });

TEST(Constraints, AMasksEmptyQueriesAreListedAsRanges) {
  const Scope scope = scope_of(kWorkload);
  const Sample block("sdpa", with(kHeads, {{"mask", "q % 16 > 1 or q > 95"}}), scope);
  const std::vector<Issue> issues = block.issues(scope);
  ASSERT_FALSE(issues.empty());
  EXPECT_EQ(issues[0].rule, "SDPA-05");
  EXPECT_NE(issues[0].message.find("0-1, 16-17, 32-33, 48-49 and 2 more ranges"), std::string::npos)
      << issues[0].message;
}

struct SpanCase {
  std::string name;
  KeySpan span;
  double keys;
};

TEST(KeysPerQuery, CountWhatAQueryMayRead) {
  for (const SpanCase& row : {
           SpanCase{"causal", {.length = 8192}, 8192 / 2},
           SpanCase{"causal window", {.length = 8192, .window = 1024}, 960},
           SpanCase{"wider causal window", {.length = 8192, .window = 4096}, 3072},
           SpanCase{"window of the length", {.length = 8192, .window = 8192}, 8192 / 2},
           SpanCase{"both ways", {.length = 8192, .causal = false}, 8192},
           SpanCase{"window both ways", {.length = 8192, .causal = false, .window = 1024}, 1024},
           SpanCase{"cross", {.length = 8192, .source = 512, .causal = false, .cross = true}, 512},
       })
    EXPECT_EQ(keys_per_query(row.span), row.keys) << row.name;
}

}  // namespace
}  // namespace roofbeam
