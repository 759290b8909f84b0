#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/dtype.h"
#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/device/grid.h"
#include "engine/json/value.h"

namespace roofbeam {

// Formats that units have rates for. 4-bit integers carry MXFP4's payload and run at fp4's.
inline constexpr std::array kRatedFormats{Dtype::fp32, Dtype::bf16, Dtype::fp16,
                                          Dtype::int8, Dtype::fp8,  Dtype::fp4};

// Peak rates of one unit by number format; nothing where the unit lacks the format.
class Peaks {
 public:
  [[nodiscard]] std::optional<FlopsPerSecond> of(Dtype dtype) const;
  void set(Dtype dtype, FlopsPerSecond rate);  // requires a rated format
  [[nodiscard]] bool empty() const;

 private:
  std::array<std::optional<FlopsPerSecond>, kRatedFormats.size()> rates_ = {};
};

// Time an operator takes beyond its roofline: starting it and filling the units.
struct StaticCosts {
  Seconds matrix;      // operators with matrix work that the device has a peak for
  Seconds vector;      // all others that take any time
  Seconds collective;  // collectives
};

// One accelerator. Peaks are dense rates of its data sheet; efficiencies are separate factors.
struct DeviceProfile {
  std::string id;    // "h100-sxm"
  std::string name;  // "H100 SXM (80 GB)"
  std::optional<std::string> vendor;
  Bytes memory;
  BytesPerSecond bandwidth;
  double memory_efficiency = 1;  // share of the bandwidth that operators reach
  Peaks matrix_peaks;            // a multiply-add counts two
  Peaks vector_peaks;
  double compute_efficiency = 1;  // share of both peaks that operators reach
  StaticCosts static_costs;
  std::optional<Grid> grid;  // how it is linked to others; nothing where that is unknown
  std::optional<double> price_per_gpu_hour_dollars;
  // Share of the peak that training runs reach; kAssumedMfu at both ends where nothing is known.
  double mfu_low = 0;
  double mfu_high = 0;
  bool mfu_known = false;
};

// Utilisation taken for a device without a range of its own.
inline constexpr double kAssumedMfu = 0.4;

// Matrix peak that whole-model estimates use: fp8's for fp8 where the device has it, else bf16's
// (for fp32 and fp16 too); where bf16 is missing fp16's, or else the first there is.
[[nodiscard]] FlopsPerSecond matrix_peak(const DeviceProfile& device, Dtype dtype);

// Reads a device document (presets/schema/device.schema.json), all problems at once.
[[nodiscard]] Result<DeviceProfile> read_device(const json::Value& value,
                                                std::string_view path = "");

// One profile or an array of them, none with the name of another or of a built-in one.
[[nodiscard]] Result<std::vector<DeviceProfile>> read_devices(const json::Value& value,
                                                              std::string_view path = "");

// The document of a profile, in the schema's order and without its sources.
[[nodiscard]] json::Value to_json(const DeviceProfile& device);

inline constexpr std::string_view kDefaultDevice = "h100-sxm";

// The devices of presets/devices, ordered by name of their files.
[[nodiscard]] std::span<const DeviceProfile> built_in_devices();

// The built-in device of that id; device.unknown with the closest id and the list otherwise.
[[nodiscard]] Result<DeviceProfile> device_named(std::string_view id);

// The same among profiles of the user's own and the built-in ones.
[[nodiscard]] Result<DeviceProfile> device_named(std::string_view id,
                                                 std::span<const DeviceProfile> own);

}  // namespace roofbeam
