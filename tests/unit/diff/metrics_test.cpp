#include "engine/diff/metrics.h"

#include <map>

#include "engine/base/embedded.h"
#include "tests/support/documents.h"

namespace roofbeam {
namespace {

Document preset(std::string_view name) { return tests::document_of(embedded_file("designs", name)->text); }

std::map<std::string_view, MetricDifference> metrics_of(std::string_view a, std::string_view b,
                                                        const OperatingPointOptions& options = {}) {
  const Elaboration in_a = elaborate(preset(a));
  const Elaboration in_b = elaborate(preset(b));
  const DeviceProfile device = *device_named(kDefaultDevice);
  const OperatingPointOptions shared = shared_point(options, in_a, in_b);
  std::map<std::string_view, MetricDifference> metrics;
  for (const MetricDifference& metric : metric_differences(analyze(in_a, shared, device), analyze(in_b, shared, device)))
    metrics.emplace(metric.id, metric);
  return metrics;
}

TEST(MetricDifferences, AreOfPublishedModels) {
  const auto metrics = metrics_of("llama-2-7b", "llama-3-8b");
  ASSERT_EQ(metrics.size(), 9u);
  EXPECT_EQ(metrics.at("params").a, 6'738'415'616);
  EXPECT_EQ(metrics.at("params").b, 8'030'261'248);
  EXPECT_EQ(metrics.at("params").delta(), 1'291'845'632);
  EXPECT_DOUBLE_EQ(*metrics.at("params").ratio(), 8'030'261'248.0 / 6'738'415'616.0);
  // 2 (key and value) x layers x kv_heads x head_dim x 2 bytes
  EXPECT_EQ(metrics.at("kv_bytes_per_token").a, 2 * 32 * 32 * 128 * 2);
  EXPECT_EQ(metrics.at("kv_bytes_per_token").b, 2 * 32 * 8 * 128 * 2);
  EXPECT_EQ(*metrics.at("kv_bytes_per_token").ratio(), 0.25);
}

TEST(MetricDifferences, HaveNoRatioToNothing) {
  const auto metrics = metrics_of("alexnet", "gpt2-small");  // images keep no cache
  EXPECT_EQ(metrics.at("kv_bytes_per_token").a, 0);
  EXPECT_EQ(metrics.at("kv_bytes_per_token").ratio(), std::nullopt);
  EXPECT_EQ(metrics.at("kv_bytes_per_token").delta(), 36'864);
}

TEST(MetricDifferences, MeasureBothAtTheLargerLengthUnlessOneIsGiven) {
  const Elaboration gpt2 = elaborate(preset("gpt2-small"));    // T 1024
  const Elaboration llama = elaborate(preset("llama-3-8b"));   // T 8192
  const Elaboration t5 = elaborate(preset("t5-small"));        // T 114, S 512
  EXPECT_EQ(shared_point({}, gpt2, llama).T, 8192);
  EXPECT_EQ(shared_point({}, llama, gpt2).T, 8192);
  EXPECT_EQ(shared_point({}, llama, gpt2).B, 1);
  EXPECT_EQ(shared_point({}, llama, gpt2).S, std::nullopt);
  EXPECT_EQ(shared_point({}, gpt2, t5).S, 512);
  OperatingPointOptions given;
  given.T = 100;
  EXPECT_EQ(shared_point(given, gpt2, llama).T, 100);
}

TEST(MetricDifferences, AreNoneBetweenEquals) {
  for (const auto& [id, metric] : metrics_of("t5-small", "t5-small")) EXPECT_EQ(metric.delta(), 0) << id;
}

}  // namespace
}  // namespace roofbeam
