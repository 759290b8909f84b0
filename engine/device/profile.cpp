#include "engine/device/profile.h"

#include "engine/base/embedded.h"
#include "engine/base/text.h"
#include "engine/json/reader.h"

namespace roofbeam {
namespace {

// Every leaf number of a profile carries its source.
void check_sources(json::Reader& in, const json::Value& value) {
  const json::Value* sources = value.find("sources");
  if (sources == nullptr || !sources->is_object()) return;  // its absence is noted by the reader
  const auto require = [&](const std::string& pointer) {
    const json::Value* source = sources->find(pointer);
    if (source == nullptr || !source->is_string() || source->string().empty())
      in.problem("sources", "device.unsourced_number", "no source is given for " + pointer,
                 "say where the figure comes from, or \"estimated: why\"");
  };
  for (const auto& [key, member] : value.object()) {
    if (key == "schema_version") continue;
    if (member.is_number()) require(json::pointer("", key));
    if (!member.is_array()) continue;
    for (std::size_t i = 0; i < member.array().size(); ++i)
      if (member.array()[i].is_number()) require(json::pointer(json::pointer("", key), i));
  }
}

}  // namespace

FlopsPerSecond matrix_peak(const DeviceProfile& device, Dtype dtype) {
  return dtype == Dtype::fp8 && device.fp8_peak ? *device.fp8_peak : device.bf16_peak;
}

Result<DeviceProfile> read_device(const json::Value& value, std::string_view path) {
  Diagnostics problems;
  json::Reader in(value, std::string(path), problems);
  if (!value.is_object()) return problems;
  (void)in.optional_string("$schema");
  (void)in.optional_string("vendor");
  const std::int64_t version = in.count("schema_version");
  if (version > 1)
    in.problem("schema_version", "device.version",
               "found version " + std::to_string(version) + ", wanted 1",
               "the profile was written for a newer program");
  DeviceProfile device;
  device.id = in.string("id");
  device.name = in.string("name");
  device.memory = {in.positive_number("memory_bytes")};
  device.bandwidth = {in.positive_number("memory_bandwidth_bytes_per_s")};
  device.bf16_peak = {in.positive_number("bf16_flops_per_s")};
  if (const auto fp8 = in.optional_positive_number("fp8_flops_per_s")) device.fp8_peak = FlopsPerSecond{*fp8};
  device.price_per_gpu_hour_dollars = in.optional_positive_number("price_per_gpu_hour_dollars");
  const json::Array& range = in.array("mfu_range");
  if (range.size() == 2 && range[0].is_number() && range[1].is_number() && range[0].number() > 0 &&
      range[0].number() <= range[1].number() && range[1].number() <= 1) {
    device.mfu_low = range[0].number();
    device.mfu_high = range[1].number();
  } else {
    in.problem("mfu_range", "json.range", "wanted two rising fractions of the peak, [0.35, 0.45]");
  }
  (void)in.value("sources");
  check_sources(in, value);
  in.done();
  if (!problems.empty()) return problems;
  return device;
}

std::span<const DeviceProfile> built_in_devices() {
  static const std::vector<DeviceProfile> devices = [] {
    std::vector<DeviceProfile> all;
    for (const EmbeddedFile& file : embedded_files("devices")) {
      const Result<json::Value> value = json::parse(file.text);
      ROOFBEAM_CHECK(static_cast<bool>(value));
      Result<DeviceProfile> device = read_device(*value);
      ROOFBEAM_CHECK(static_cast<bool>(device));
      all.push_back(std::move(*device));
    }
    return all;
  }();
  return devices;
}

Result<DeviceProfile> device_named(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const DeviceProfile& device : built_in_devices()) {
    if (device.id == id) return device;
    ids.push_back(device.id);
  }
  std::string hint = closest_hint(id, ids);
  hint += (hint.empty() ? "known: " : "; known: ") + join(ids, ", ");
  return Diagnostic{.code = "device.unknown",
                    .path = "",
                    .message = "no device is called " + quoted(id),
                    .hint = hint};
}

}  // namespace roofbeam
