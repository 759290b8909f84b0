#include "engine/device/profile.h"

#include <gtest/gtest.h>

namespace roofbeam {
namespace {

std::vector<std::string> places(const Diagnostics& problems) {
  std::vector<std::string> all;
  for (const Diagnostic& problem : problems) all.push_back(problem.code + " " + problem.path);
  return all;
}

TEST(Device, TheBuiltInProfilesAreThere) {
  std::vector<std::string> ids;
  for (const DeviceProfile& device : built_in_devices()) ids.push_back(device.id);
  EXPECT_EQ(ids, (std::vector<std::string>{
                     "ATLAS_350_425T_112G", "ATLAS_350_425T_84G", "ATLAS_800_A2_280T_32G_PCIE",
                     "ATLAS_800_A2_280T_64G", "ATLAS_800_A2_280T_64G_PCIE", "ATLAS_800_A2_313T_64G",
                     "ATLAS_800_A2_376T_64G", "ATLAS_800_A3_560T_128G_DIE",
                     "ATLAS_800_A3_560T_128G_DIE_ROCE", "ATLAS_800_A3_752T_128G_DIE", "TEST_DEVICE",
                     "a100-80", "b200", "h100-sxm", "h200-sxm", "rtx4090", "rtx5080"}));
}

TEST(Device, TheH100) {
  const Result<DeviceProfile> device = device_named("h100-sxm");
  ASSERT_TRUE(static_cast<bool>(device));
  EXPECT_EQ(device->memory.value, 80.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(device->bandwidth.value, 3350e9);
  EXPECT_EQ(matrix_peak(*device, Dtype::bf16).value, 989e12);
  EXPECT_EQ(matrix_peak(*device, Dtype::fp8).value, 1979e12);
  EXPECT_EQ(matrix_peak(*device, Dtype::fp32).value, 989e12);  // whole models are not run in fp32
}

TEST(Device, TheTestDevice) {
  const DeviceProfile device = *device_named("TEST_DEVICE");
  EXPECT_EQ(device.memory.value, 64.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(device.bandwidth.value, 1.6 * 1024 * 1024 * 1024 * 1024);
  EXPECT_EQ(device.matrix_peaks.of(Dtype::int8)->value, 707.8e12);
  EXPECT_EQ(device.matrix_peaks.of(Dtype::int4)->value, 1415.6e12);  // carries fp4
  EXPECT_EQ(device.vector_peaks.of(Dtype::fp32)->value, 5.5e12);
  EXPECT_FALSE(device.vector_peaks.of(Dtype::int8).has_value());
  EXPECT_EQ(device.grid->devices(), 256 * 8);
  EXPECT_FALSE(device.price_per_gpu_hour_dollars.has_value());
  EXPECT_FALSE(device.mfu_known);
}

TEST(Device, WithoutFp8UnitsTheBf16PeakStands) {
  EXPECT_EQ(matrix_peak(*device_named("a100-80"), Dtype::fp8).value, 312e12);
}

TEST(Device, AnUnknownOneNamesTheClosest) {
  const Result<DeviceProfile> device = device_named("h100-sx");
  ASSERT_FALSE(static_cast<bool>(device));
  EXPECT_EQ(device.errors().front().code, "device.unknown");
  EXPECT_NE(device.errors().front().hint.find("\"h100-sxm\"?"), std::string::npos);
}

TEST(Device, EveryProblemOfAProfileIsReported) {
  const Result<json::Value> value = json::parse(R"({"schema_version":1,"id":"x","name":"X",
    "memory_bytes":-1,"memory_bandwidth_bytes_per_s":"fast","matrix_flops_per_s":{"bf16":0,"int9":1},
    "memory_efficiency":60,"static_cost_s":{"matrix":-1e-6},
    "grid":[{"size":1,"bandwidth_bytes_per_s":1e9,"latency_s":-1},{"size":4,"latency_s":0,"topology":"ring"}],
    "mfu_range":[0.9,0.3],"sources":{"":"a sheet"},"memroy":1})");
  const Result<DeviceProfile> device = read_device(*value);
  ASSERT_FALSE(static_cast<bool>(device));
  EXPECT_EQ(places(device.errors()),
            (std::vector<std::string>{
                "json.range /memory_bytes", "json.type /memory_bandwidth_bytes_per_s",
                "json.range /memory_efficiency", "json.range /matrix_flops_per_s/bf16",
                "json.unknown_key /matrix_flops_per_s/int9", "json.range /static_cost_s/matrix",
                "json.range /grid/0/size", "json.range /grid/0/latency_s",
                "json.choice /grid/1/topology", "json.missing /grid/1/bandwidth_bytes_per_s",
                "json.range /mfu_range", "json.unknown_key /memroy"}));
}

TEST(Device, ASourceCoversWhatItsPointerHolds) {
  const auto read = [](std::string_view sources) {
    return read_device(*json::parse(R"({"schema_version":1,"id":"x","name":"X","memory_bytes":1,
      "memory_bandwidth_bytes_per_s":1,"matrix_flops_per_s":{"bf16":1,"fp16":1},"sources":)" +
                                    std::string(sources) + "}"));
  };
  EXPECT_TRUE(static_cast<bool>(read(R"({"":"a sheet"})")));
  EXPECT_TRUE(static_cast<bool>(read(
      R"({"/memory_bytes":"a","/memory_bandwidth_bytes_per_s":"b","/matrix_flops_per_s":"c"})")));
  const auto partly = read(R"({"/memory_bytes":"a","/matrix_flops_per_s/bf16":"c"})");
  ASSERT_FALSE(static_cast<bool>(partly));
  EXPECT_EQ(places(partly.errors()),
            (std::vector<std::string>{"device.unsourced_number /sources",
                                      "device.unsourced_number /sources"}));
  EXPECT_FALSE(static_cast<bool>(read(R"({"":""})")));
}

TEST(Device, AGridHasLevelsAndNotTooMany) {
  const auto codes = [](const std::string& grid) {
    const auto device =
        read_device(*json::parse(R"({"schema_version":1,"id":"x","name":"X","memory_bytes":1,
      "memory_bandwidth_bytes_per_s":1,"matrix_flops_per_s":{"bf16":1},"sources":{"":"a sheet"},"grid":)" +
                                 grid + "}"));
    return device ? std::vector<std::string>{} : places(device.errors());
  };
  const std::string level = R"({"size":16777216,"bandwidth_bytes_per_s":1,"latency_s":0})";
  EXPECT_EQ(codes("[]"), (std::vector<std::string>{"device.grid /grid"}));
  EXPECT_EQ(codes("[" + level + "]"), (std::vector<std::string>{}));
  EXPECT_EQ(codes("[" + level + "," + level + "]"),
            (std::vector<std::string>{"device.grid /grid"}));  // 2^48
}

TEST(Device, ProfilesOfOnesOwnNeedNamesOfTheirOwn) {
  const std::string body = R"(","name":"X","memory_bytes":1,"memory_bandwidth_bytes_per_s":1,
    "matrix_flops_per_s":{"bf16":1},"sources":{"":"a sheet"}})";
  const auto profile = [&](const std::string& id) {
    return R"({"schema_version":1,"id":")" + id + body;
  };
  const auto one = read_devices(*json::parse(profile("mine")));
  ASSERT_TRUE(static_cast<bool>(one));
  EXPECT_EQ(device_named("mine", *one)->memory.value, 1);
  EXPECT_EQ(device_named("b200", *one)->id, "b200");
  const auto twice = read_devices(
      *json::parse("[" + profile("mine") + "," + profile("mine") + "," + profile("b200") + "]"));
  EXPECT_EQ(places(twice.errors()),
            (std::vector<std::string>{"device.duplicate /1/id", "device.duplicate /2/id"}));
  EXPECT_EQ(places(read_devices(*json::parse("[]")).errors()),
            (std::vector<std::string>{"device.none "}));
}

TEST(Device, ItsDocumentReadsBackAsTheSame) {
  for (const DeviceProfile& device : built_in_devices()) {
    json::Value document = to_json(device);
    document.set("sources", json::Value(json::Object{{"", json::Value("itself")}}));
    const auto again = read_device(document);
    ASSERT_TRUE(static_cast<bool>(again)) << device.id;
    EXPECT_EQ(to_json(*again), to_json(device));
  }
}

}  // namespace
}  // namespace roofbeam
