#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/dtype.h"
#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/json/value.h"

namespace roofbeam {

// One accelerator. Peaks are dense rates of its data sheet; efficiencies are separate factors.
struct DeviceProfile {
  std::string id;    // "h100-sxm"
  std::string name;  // "H100 SXM (80 GB)"
  Bytes memory;
  BytesPerSecond bandwidth;
  FlopsPerSecond bf16_peak;
  std::optional<FlopsPerSecond> fp8_peak;
  std::optional<double> price_per_gpu_hour_dollars;
  double mfu_low = 0;  // share of the peak that training runs reach, from
  double mfu_high = 0; // to
};

// Matrix peak in a dtype: fp8's where the device has it, else bf16's (fp32 and fp16 too).
[[nodiscard]] FlopsPerSecond matrix_peak(const DeviceProfile& device, Dtype dtype);

// Reads a device document (presets/schema/device.schema.json), all problems at once.
[[nodiscard]] Result<DeviceProfile> read_device(const json::Value& value, std::string_view path = "");

inline constexpr std::string_view kDefaultDevice = "h100-sxm";

// The devices of presets/devices, ordered by name of their files.
[[nodiscard]] std::span<const DeviceProfile> built_in_devices();

// The built-in device of that id; device.unknown with the closest id and the list otherwise.
[[nodiscard]] Result<DeviceProfile> device_named(std::string_view id);

}  // namespace roofbeam
