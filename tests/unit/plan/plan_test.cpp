#include "engine/plan/plan.h"

#include <cmath>

#include "engine/api/run.h"
#include "tests/support/documents.h"

namespace roofbeam {
namespace {

// A stack of 12 layers, each a 64 x 64 matrix, after an embedding of 100 rows.
Document stack() {
  return tests::design(R"("D":64)",
                       R"({"id":"in","type":"input","params":{"shape":"B T"}},
                          {"id":"embed","type":"embedding","params":{"vocab":100,"dim":"D"}},
                          {"id":"layers","type":"repeat","params":{"count":12},"graph":{"nodes":[
                            {"id":"_in","type":"boundary_in","params":{"ports":{"x":"B T D"}}},
                            {"id":"fc","type":"linear","params":{"in_features":"D","out_features":"D"}},
                            {"id":"_out","type":"boundary_out","params":{"ports":{"x":"B T D"}}}],
                            "edges":[["_in:x","fc:x"],["fc:y","_out:x"]]}},
                          {"id":"out","type":"output"})",
                       R"(["in:x","embed:ids"],["embed:y","layers:x"],["layers:x","out:x"])");
}

DeviceProfile device() { return *device_named("h100-sxm"); }

PlanSearch searched(const Document& document, const PlanRequest& request) {
  const Result<PlanSearch> search = search_plans(elaborate(document), {}, device(), request);
  if (!search) {
    ADD_FAILURE() << search.errors().front().message;
    return {};
  }
  return *search;
}

TEST(Plan, CountsEveryLayout) {
  // 4 devices: (tp, pp, dp) of (1,1,4) (1,2,2) (1,4,1) (2,1,2) (2,2,1) (4,1,1); ZeRO 0-3 where dp >
  // 1, sequence parallelism or not where tp > 1, three recompute settings.
  const std::int64_t layouts = 4 + 4 + 1 + 4 * 2 + 1 * 2 + 1 * 2;
  EXPECT_EQ(searched(stack(), {.gpus = 4}).considered, 3 * layouts);
  EXPECT_EQ(searched(stack(), {.gpus = 4, .micro_batches = {1, 2}}).considered, 2 * 3 * layouts);
  EXPECT_EQ(searched(stack(), {.gpus = 4, .recomputes = {Recompute::full}}).considered, layouts);
}

TEST(Plan, BoundsTensorParallelismByTheNodeAndStagesByTheLayers) {
  const PlanSearch search = searched(stack(), {.gpus = 64, .gpus_per_node = 4, .limit = 100'000});
  std::int64_t largest_tp = 0;
  std::int64_t largest_pp = 0;
  for (const Plan& plan : search.fits) {
    const ParallelLayout& layout = plan.layout;
    EXPECT_EQ(layout.dp * layout.tp * layout.pp * layout.ep, 64);
    largest_tp = std::max(largest_tp, layout.tp);
    largest_pp = std::max(largest_pp, layout.pp);
  }
  EXPECT_EQ(largest_tp, 4);
  EXPECT_EQ(largest_pp, 8);  // the largest power of two up to 12
  EXPECT_EQ(search.notes, std::vector<std::string>{
                              "Expert parallelism is not searched: the design has no experts."});
}

TEST(Plan, OrdersByDemand) {
  const PlanSearch search = searched(stack(), {.gpus = 64, .limit = 100'000});
  for (std::size_t i = 1; i < search.fits.size(); ++i)
    EXPECT_LE(search.fits[i - 1].demand, search.fits[i].demand) << i;
  EXPECT_EQ(search.fits.front().layout, (ParallelLayout{.dp = 64}));
}

TEST(Plan, DropsWhatDiffersInNothing) {
  // Without attention selective recompute keeps what none keeps.
  for (const Plan& plan : searched(stack(), {.gpus = 8, .limit = 100'000}).fits)
    EXPECT_NE(plan.recompute, Recompute::selective);
  // Asked for alone it is kept.
  EXPECT_FALSE(searched(stack(), {.gpus = 8, .recomputes = {Recompute::selective}}).fits.empty());
}

TEST(Plan, MemoryIsTheAnalysisOfTheSameLayout) {
  const Elaboration design = elaborate(stack());
  for (const Plan& plan : searched(stack(), {.gpus = 16, .limit = 100'000}).fits) {
    OperatingPointOptions options;
    options.parallel = plan.layout;
    options.recompute = plan.recompute;
    const MemoryPerGpu expected = analyze(design, options, device()).training.per_gpu;
    EXPECT_EQ(plan.memory.total(), expected.total()) << plan_summary(plan, false);
  }
}

TEST(Plan, RefusesAnEndlessSearch) {
  PlanRequest request{.gpus = 14'414'400, .gpus_per_node = 14'414'400};
  for (int i = 1; i <= 64; ++i) request.micro_batches.push_back(i);
  request.recomputes = {Recompute::none, Recompute::full};
  const Result<PlanSearch> search = search_plans(
      elaborate(stack()), {}, device(),
      {.gpus = 14'414'400, .gpus_per_node = 14'414'400, .micro_batches = request.micro_batches});
  ASSERT_FALSE(static_cast<bool>(search));
  EXPECT_EQ(search.errors().front().code, "plan.too_many");
}

TEST(PlanSummary, NamesWhatIsSplit) {
  Plan plan{.layout = {.dp = 32, .tp = 2, .zero = 1, .sequence_parallel = true},
            .recompute = Recompute::full};
  EXPECT_EQ(plan_summary(plan, false), "DP 32 x TP 2, ZeRO-1, sequence parallel, full recompute");
  EXPECT_EQ(plan_summary(plan, true),
            "DP 32 x TP 2, ZeRO-1, sequence parallel, full recompute, micro-batch 1");
  EXPECT_EQ(plan_summary({}, false), "one device");
}

struct Refusal {
  const char* name;
  const char* members;
  const char* code;
  const char* path;
  const char* says;  // part of the message
};

class PlanRequests : public testing::TestWithParam<Refusal> {};

TEST_P(PlanRequests, Refuses) {
  const Refusal& row = GetParam();
  const std::string response =
      api::run(R"({"schema_version":1,"command":"plan","preset":"gpt2-small",)" +
               std::string(row.members) + "}");
  const Result<json::Value> value = json::parse(response);
  ASSERT_TRUE(static_cast<bool>(value));
  ASSERT_NE(value->find("diagnostics"), nullptr) << response;
  const json::Array& diagnostics = value->find("diagnostics")->array();
  ASSERT_EQ(diagnostics.size(), 1U) << response;
  EXPECT_EQ(diagnostics[0].find("code")->string(), row.code);
  EXPECT_EQ(diagnostics[0].find("path")->string(), row.path);
  EXPECT_NE(diagnostics[0].find("message")->string().find(row.says), std::string::npos)
      << diagnostics[0].find("message")->string();
}

INSTANTIATE_TEST_SUITE_P(
    Rows, PlanRequests,
    testing::Values(
        Refusal{"no_devices", R"("gpus":0)", "json.range", "/gpus", "0"},
        Refusal{"negative", R"("gpus":-8)", "json.range", "/gpus", "-8"},
        Refusal{"missing", R"("headroom":0.2)", "plan.no_gpus", "/gpus", "missing"},
        Refusal{"partial_node", R"("gpus":7,"gpus_per_node":8)", "plan.partial_node", "/gpus", "7"},
        Refusal{"no_memory_left", R"("gpus":8,"headroom":1)", "json.range", "/headroom", "found 1"},
        Refusal{"recompute", R"("gpus":8,"recompute":["none","ful"])", "json.choice",
                "/recompute/1", "full"},
        Refusal{"recompute_option", R"("gpus":8,"options":{"recompute":"ful"})", "json.choice",
                "/options/recompute", "full"},
        Refusal{"micro_batch_zero", R"("gpus":8,"micro_batch":[1,0])", "json.range",
                "/micro_batch/1", "0"},
        Refusal{"micro_batch_text", R"("gpus":8,"micro_batch":"many")", "json.type", "/micro_batch",
                "many"},
        Refusal{"micro_batch_fraction", R"("gpus":8,"micro_batch":1.5)", "json.range",
                "/micro_batch", "1.5"},
        Refusal{"layout", R"("gpus":8,"options":{"parallel":{"tp":2}})", "plan.layout",
                "/options/parallel", "layout"},
        Refusal{"limit", R"("gpus":8,"limit":0)", "json.range", "/limit", "0"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace roofbeam
