#include "engine/device/profile.h"

#include <algorithm>

#include "engine/base/embedded.h"
#include "engine/base/text.h"
#include "engine/json/reader.h"

namespace roofbeam {
namespace {

constexpr std::array<std::string_view, 2> kTopologies{"clos", "full_mesh"};

// Whether a source is given for the value at a pointer or for something that holds it.
bool is_sourced(const json::Value& sources, std::string pointer) {
  for (;;) {
    if (sources.find(pointer) != nullptr) return true;
    if (pointer.empty()) return false;
    pointer.resize(pointer.rfind('/'));
  }
}

// Every number of a profile carries its source, or lies in a part that does.
void check_sources(json::Reader& in, const json::Value& sources, const json::Value& value,
                   const std::string& pointer) {
  if (value.is_number()) {
    if (!is_sourced(sources, pointer))
      in.problem("sources", "device.unsourced_number", "no source is given for " + pointer,
                 "say where the figure comes from, or \"estimated: why\"");
  } else if (value.is_object()) {
    for (const auto& [key, member] : value.object())
      if (pointer != "" || (key != "schema_version" && key != "sources"))
        check_sources(in, sources, member, json::pointer(pointer, key));
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.array().size(); ++i)
      check_sources(in, sources, value.array()[i], json::pointer(pointer, i));
  }
}

void read_sources(json::Reader& in, const json::Value& value) {
  const std::size_t before = in.has("sources") ? 1 : 0;
  json::Reader sources = in.object("sources");
  for (const auto& [pointer, source] : sources.members())
    if (!source.is_string() || source.string().empty())
      in.problem("sources", "device.unsourced_number", "no source is given for " + quoted(pointer),
                 "say where the figure comes from, or \"estimated: why\"");
  const json::Value* written = value.find("sources");
  if (before == 1 && written->is_object()) check_sources(in, *written, value, "");
}

Peaks read_peaks(std::optional<json::Reader> in) {
  Peaks peaks;
  if (!in) return peaks;
  for (const Dtype format : kRatedFormats)
    if (const auto rate = in->optional_positive_number(name(format))) peaks.set(format, {*rate});
  in->done();
  return peaks;
}

// A share above 0 and at most 1; 1 where it is not given.
double read_efficiency(json::Reader& in, std::string_view key) {
  const double share = in.optional_positive_number(key).value_or(1);
  if (share <= 1) return share;
  in.problem(key, "json.range",
             "found " + shortest(share) + ", wanted a fraction above 0 and at most 1",
             share <= 100 ? "70% is written 0.7" : "");
  return 1;
}

// A duration of zero or more; 0 where it is not given.
Seconds not_negative(json::Reader& in, std::string_view key, std::optional<double> seconds) {
  if (!seconds || *seconds >= 0) return {seconds.value_or(0)};
  in.problem(key, "json.range", "found " + shortest(*seconds) + ", wanted a time of 0 s or more");
  return {};
}

StaticCosts read_static_costs(std::optional<json::Reader> in) {
  if (!in) return {};
  const StaticCosts costs{
      .matrix = not_negative(*in, "matrix", in->optional_number("matrix")),
      .vector = not_negative(*in, "vector", in->optional_number("vector")),
      .collective = not_negative(*in, "collective", in->optional_number("collective"))};
  in->done();
  return costs;
}

GridLevel read_level(json::Reader in) {
  constexpr std::int64_t kMostDevices = std::int64_t{1} << 24;
  GridLevel level;
  level.size = in.whole("size", 2);
  if (level.size > kMostDevices) {
    in.problem("size", "json.range",
               "found " + std::to_string(level.size) + ", wanted at most " +
                   std::to_string(kMostDevices) + " devices");
    level.size = 2;
  }
  const auto topology = in.optional_choice("topology", kTopologies);
  level.topology = topology == kTopologies[1] ? Topology::full_mesh : Topology::clos;
  level.bandwidth = {in.positive_number("bandwidth_bytes_per_s")};
  level.latency = not_negative(in, "latency_s", in.number("latency_s"));
  level.efficiency = read_efficiency(in, "efficiency");
  in.done();
  return level;
}

std::optional<Grid> read_grid(json::Reader& in, Diagnostics& problems) {
  const json::Array* written = in.optional_array("grid");
  if (written == nullptr) return std::nullopt;
  constexpr std::size_t kMostLevels = 8;
  if (written->empty() || written->size() > kMostLevels) {
    in.problem("grid", "device.grid",
               "found " + std::to_string(written->size()) + " levels, wanted 1 to " +
                   std::to_string(kMostLevels),
               "leave `grid` out where a device stands alone");
    return std::nullopt;
  }
  Grid grid;
  double devices = 1;
  for (std::size_t i = 0; i < written->size(); ++i) {
    grid.levels.push_back(
        read_level({(*written)[i], json::pointer(in.path_of("grid"), i), problems}));
    devices *= static_cast<double>(grid.levels.back().size);
  }
  if (devices > 0x1p40) {
    in.problem("grid", "device.grid", "the grid holds more than 2^40 devices");
    return std::nullopt;
  }
  return grid;
}

void read_mfu(json::Reader& in, DeviceProfile& device) {
  device.mfu_low = device.mfu_high = kAssumedMfu;
  if (!in.has("mfu_range")) {
    (void)in.optional_value("mfu_range");
    return;
  }
  const json::Array& range = in.array("mfu_range");
  if (range.size() == 2 && range[0].is_number() && range[1].is_number() && range[0].number() > 0 &&
      range[0].number() <= range[1].number() && range[1].number() <= 1) {
    device.mfu_low = range[0].number();
    device.mfu_high = range[1].number();
    device.mfu_known = true;
  } else {
    in.problem("mfu_range", "json.range", "wanted two rising fractions of the peak, [0.35, 0.45]");
  }
}

json::Value peaks_json(const Peaks& peaks) {
  json::Object object;
  for (const Dtype format : kRatedFormats)
    if (const auto rate = peaks.of(format))
      object.emplace_back(std::string(name(format)), rate->value);
  return json::Value(std::move(object));
}

json::Value grid_json(const Grid& grid) {
  json::Array levels;
  for (const GridLevel& level : grid.levels)
    levels.push_back(json::Value(
        json::Object{{"size", level.size},
                     {"topology", kTopologies[level.topology == Topology::full_mesh ? 1 : 0]},
                     {"bandwidth_bytes_per_s", level.bandwidth.value},
                     {"latency_s", level.latency.value},
                     {"efficiency", level.efficiency}}));
  return json::Value(std::move(levels));
}

}  // namespace

std::optional<FlopsPerSecond> Peaks::of(Dtype dtype) const {
  const Dtype format = dtype == Dtype::int4 ? Dtype::fp4 : dtype;
  for (std::size_t i = 0; i < kRatedFormats.size(); ++i)
    if (kRatedFormats[i] == format) return rates_[i];
  return std::nullopt;
}

void Peaks::set(Dtype dtype, FlopsPerSecond rate) {
  const auto found = std::ranges::find(kRatedFormats, dtype);
  ROOFBEAM_CHECK(found != kRatedFormats.end());
  rates_[static_cast<std::size_t>(found - kRatedFormats.begin())] = rate;
}

bool Peaks::empty() const {
  return std::ranges::none_of(rates_, [](const auto& rate) { return rate.has_value(); });
}

FlopsPerSecond matrix_peak(const DeviceProfile& device, Dtype dtype) {
  const Peaks& peaks = device.matrix_peaks;
  if (dtype == Dtype::fp8 && peaks.of(Dtype::fp8)) return *peaks.of(Dtype::fp8);
  for (const Dtype format : {Dtype::bf16, Dtype::fp16})
    if (const auto rate = peaks.of(format)) return *rate;
  for (const Dtype format : kRatedFormats)
    if (const auto rate = peaks.of(format)) return *rate;
  return {};
}

Result<DeviceProfile> read_device(const json::Value& value, std::string_view path) {
  Diagnostics problems;
  json::Reader in(value, std::string(path), problems);
  if (!value.is_object()) return problems;
  (void)in.optional_string("$schema");
  const std::int64_t version = in.count("schema_version");
  if (version > 1)
    in.problem("schema_version", "device.version",
               "found version " + std::to_string(version) + ", wanted 1",
               "the profile was written for a newer program");
  DeviceProfile device;
  device.id = in.string("id");
  if (device.id.empty() && in.has("id")) in.problem("id", "json.range", "the id is empty");
  device.name = in.string("name");
  device.vendor = in.optional_string("vendor");
  device.memory = {in.positive_number("memory_bytes")};
  device.bandwidth = {in.positive_number("memory_bandwidth_bytes_per_s")};
  device.memory_efficiency = read_efficiency(in, "memory_efficiency");
  const bool has_peaks = in.has("matrix_flops_per_s");
  device.matrix_peaks = read_peaks(in.object("matrix_flops_per_s"));
  if (has_peaks && device.matrix_peaks.empty() && value.find("matrix_flops_per_s")->is_object() &&
      value.find("matrix_flops_per_s")->object().empty())
    in.problem("matrix_flops_per_s", "device.no_peak", "no number format has a rate",
               "give at least that of bf16 or fp16");
  device.vector_peaks = read_peaks(in.optional_object("vector_flops_per_s"));
  device.compute_efficiency = read_efficiency(in, "compute_efficiency");
  device.static_costs = read_static_costs(in.optional_object("static_cost_s"));
  device.grid = read_grid(in, problems);
  device.price_per_gpu_hour_dollars = in.optional_positive_number("price_per_gpu_hour_dollars");
  read_mfu(in, device);
  read_sources(in, value);
  in.done();
  if (!problems.empty()) return problems;
  return device;
}

Result<std::vector<DeviceProfile>> read_devices(const json::Value& value, std::string_view path) {
  const bool one = !value.is_array();
  const std::size_t count = one ? 1 : value.array().size();
  Diagnostics problems;
  std::vector<DeviceProfile> devices;
  const auto is_taken = [&](const std::string& id) {
    const auto has_id = [&](const DeviceProfile& device) { return device.id == id; };
    return std::ranges::any_of(built_in_devices(), has_id) || std::ranges::any_of(devices, has_id);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::string at = one ? std::string(path) : json::pointer(path, i);
    Result<DeviceProfile> device = read_device(one ? value : value.array()[i], at);
    if (!device) {
      problems.insert(problems.end(), device.errors().begin(), device.errors().end());
    } else if (is_taken(device->id)) {
      problems.push_back({.code = "device.duplicate",
                          .path = json::pointer(at, "id"),
                          .message = "another device is called " + quoted(device->id) + " already",
                          .hint = "give the profile an id of its own"});
    } else {
      devices.push_back(*std::move(device));
    }
  }
  if (count == 0)
    problems.push_back({.code = "device.none",
                        .path = std::string(path),
                        .message = "the list of devices is empty",
                        .hint = "give at least one profile"});
  if (!problems.empty()) return problems;
  return devices;
}

json::Value to_json(const DeviceProfile& device) {
  json::Object object{{"schema_version", 1}, {"id", device.id}, {"name", device.name}};
  object.emplace_back("vendor", device.vendor ? json::Value(*device.vendor) : json::Value());
  object.emplace_back("memory_bytes", device.memory.value);
  object.emplace_back("memory_bandwidth_bytes_per_s", device.bandwidth.value);
  object.emplace_back("memory_efficiency", device.memory_efficiency);
  object.emplace_back("matrix_flops_per_s", peaks_json(device.matrix_peaks));
  object.emplace_back("vector_flops_per_s", peaks_json(device.vector_peaks));
  object.emplace_back("compute_efficiency", device.compute_efficiency);
  object.emplace_back("static_cost_s", json::Value(json::Object{
                                           {"matrix", device.static_costs.matrix.value},
                                           {"vector", device.static_costs.vector.value},
                                           {"collective", device.static_costs.collective.value}}));
  object.emplace_back("grid", device.grid ? grid_json(*device.grid) : json::Value());
  object.emplace_back("price_per_gpu_hour_dollars",
                      device.price_per_gpu_hour_dollars
                          ? json::Value(*device.price_per_gpu_hour_dollars)
                          : json::Value());
  object.emplace_back("mfu_range", device.mfu_known
                                       ? json::Value(json::Array{json::Value(device.mfu_low),
                                                                 json::Value(device.mfu_high)})
                                       : json::Value());
  return json::Value(std::move(object));
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

Result<DeviceProfile> device_named(std::string_view id) { return device_named(id, {}); }

Result<DeviceProfile> device_named(std::string_view id, std::span<const DeviceProfile> own) {
  std::vector<std::string_view> ids;
  for (const std::span<const DeviceProfile> devices : {own, built_in_devices()})
    for (const DeviceProfile& device : devices) {
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
