#include "engine/device/profile.h"

#include <gtest/gtest.h>

namespace roofbeam {
namespace {

TEST(Device, TheBuiltInProfilesAreThere) {
  std::vector<std::string> ids;
  for (const DeviceProfile& device : built_in_devices()) ids.push_back(device.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"a100-80", "b200", "h100-sxm", "h200-sxm", "rtx4090", "rtx5080"}));
}

TEST(Device, TheH100) {
  const Result<DeviceProfile> device = device_named("h100-sxm");
  ASSERT_TRUE(static_cast<bool>(device));
  EXPECT_EQ(device->memory.value, 80.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(device->bandwidth.value, 3350e9);
  EXPECT_EQ(matrix_peak(*device, Dtype::bf16).value, 989e12);
  EXPECT_EQ(matrix_peak(*device, Dtype::fp8).value, 1979e12);
  EXPECT_EQ(matrix_peak(*device, Dtype::fp32).value, 989e12);  // no figure of its own
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
    "memory_bytes":-1,"memory_bandwidth_bytes_per_s":"fast","bf16_flops_per_s":1e15,
    "mfu_range":[0.9,0.3],"sources":{"/memory_bytes":"a sheet"},"memroy":1})");
  const Result<DeviceProfile> device = read_device(*value);
  ASSERT_FALSE(static_cast<bool>(device));
  std::vector<std::string> places;
  for (const Diagnostic& problem : device.errors()) places.push_back(problem.code + " " + problem.path);
  EXPECT_EQ(places, (std::vector<std::string>{
                        "json.range /memory_bytes", "json.type /memory_bandwidth_bytes_per_s",
                        "json.range /mfu_range", "device.unsourced_number /sources",
                        "device.unsourced_number /sources", "device.unsourced_number /sources",
                        "device.unsourced_number /sources", "json.unknown_key /memroy"}));
}

}  // namespace
}  // namespace roofbeam
