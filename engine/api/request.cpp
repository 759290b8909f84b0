#include "engine/api/request.h"

#include <array>

#include "engine/base/embedded.h"
#include "engine/base/text.h"
#include "engine/import/import.h"

namespace roofbeam::api {
namespace {

constexpr std::array<std::string_view, 4> kDtypes{"fp32", "bf16", "fp16", "fp8"};
constexpr std::array<std::string_view, 2> kPrecisions{"mixed", "autocast"};
constexpr std::array<std::string_view, 6> kOptimizers{"adamw",        "adamw8bit", "muon",
                                                      "sgd_momentum", "sgd",       "bf16_adam"};

std::optional<double> length(json::Reader& in, std::string_view key) {
  const auto value = count_up_to(in, key, kMaxLength);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<Dtype> dtype(json::Reader& in, std::string_view key) {
  const auto value = in.optional_choice(key, kDtypes);
  return value ? dtype_named(*value) : std::nullopt;
}

// A fraction above 0, at most 1.
std::optional<double> fraction(json::Reader& in, std::string_view key) {
  const auto value = in.optional_positive_number(key);
  if (value && *value > 1) {
    in.problem(key, "json.range",
               "found " + shortest(*value) + ", wanted a fraction above 0 and at most 1",
               *value <= 100 ? "40% is written 0.4" : "");
    return std::nullopt;
  }
  return value;
}

template <class Enum, std::size_t N>
Enum choice(json::Reader& in, std::string_view key, const std::array<std::string_view, N>& names) {
  const auto value = in.optional_choice(key, names);
  for (std::size_t i = 0; value && i < N; ++i)
    if (names[i] == *value) return static_cast<Enum>(i);
  return static_cast<Enum>(0);
}

ParallelLayout read_layout(json::Reader in) {
  ParallelLayout layout;
  layout.dp = count_up_to(in, "dp", kMaxDevices).value_or(1);
  layout.tp = count_up_to(in, "tp", kMaxDevices).value_or(1);
  layout.pp = count_up_to(in, "pp", kMaxDevices).value_or(1);
  layout.ep = count_up_to(in, "ep", kMaxDevices).value_or(1);
  const std::int64_t zero = in.optional_whole("zero").value_or(0);
  if (zero > 3)
    in.problem("zero", "json.range",
               "found " + std::to_string(zero) + ", wanted a ZeRO stage from 0 to 3");
  layout.zero = static_cast<int>(zero > 3 ? 0 : zero);
  layout.sequence_parallel = in.optional_boolean("sequence_parallel").value_or(false);
  in.done();
  return layout;
}

Packing read_packing(json::Reader in) {
  Packing packing;
  packing.mean = in.positive_number("mean");
  if (packing.mean > 0 && packing.mean < 1)
    in.problem("mean", "json.range",
               "found " + shortest(packing.mean) + ", wanted a mean of at least 1 token");
  packing.spread = in.optional_number("spread").value_or(0);
  if (packing.spread < 0 || packing.spread > 100)
    in.problem(
        "spread", "json.range",
        "found " + shortest(packing.spread) + ", wanted a coefficient of variation from 0 to 100");
  in.done();
  return packing;
}

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : embedded_files("designs")) names.push_back(file.name);
  return names;
}

}  // namespace

std::optional<std::int64_t> count_up_to(json::Reader& in, std::string_view key,
                                        std::int64_t maximum) {
  const std::optional<std::int64_t> value = in.optional_count(key);
  if (value && *value > maximum) {
    in.problem(key, "json.range",
               "found " + std::to_string(*value) + ", wanted a whole number from 1 to " +
                   std::to_string(maximum));
    return std::nullopt;
  }
  return value;
}

Diagnostics below(Diagnostics problems, const std::string& path) {
  for (Diagnostic& problem : problems) problem.path = path + problem.path;
  return problems;
}

Result<Document> preset_named(std::string_view name) {
  const EmbeddedFile* file = embedded_file("designs", name);
  if (file == nullptr) {
    const std::vector<std::string_view> names = preset_names();
    std::string hint = closest_hint(name, names);
    hint += (hint.empty() ? "known: " : "; known: ") + join(names, ", ");
    return Diagnostic{.code = "model.unknown_preset",
                      .path = "",
                      .message = "no preset is called " + quoted(name),
                      .hint = hint};
  }
  const Result<json::Value> value = json::parse(file->text);
  if (!value) return value.errors();
  return read_document(*value);
}

Result<Model> model_from_text(std::string_view text, const std::optional<std::string>& name) {
  const Result<json::Value> value = json::parse(text);
  if (!value) return value.errors();
  const bool design = value->find("graph") != nullptr ||
                      (value->find("version") != nullptr && value->find("meta") != nullptr);
  if (design) {
    Result<Document> document = read_document(*value);
    if (!document) return document.errors();
    return Model{.document = std::move(*document), .warnings = {}};
  }
  Result<Import> import = import_config(text, {.name = name});
  if (!import) return import.errors();
  return Model{.document = std::move(import->document), .warnings = std::move(import->warnings)};
}

Result<Model> read_model(json::Reader& in) {
  const std::optional<std::string> preset = in.optional_string("preset");
  const json::Value* design = in.optional_value("design");
  const std::optional<std::string> config = in.optional_string("config");
  const int given = (preset ? 1 : 0) + (design != nullptr ? 1 : 0) + (config ? 1 : 0);
  if (given != 1)
    return Diagnostic{.code = "request.model",
                      .path = in.path(),
                      .message = given == 0 ? "no model is given" : "more than one model is given",
                      .hint = "give one of preset, design and config"};
  if (preset) {
    Result<Document> document = preset_named(*preset);
    if (!document) return below(document.errors(), in.path_of("preset"));
    return Model{.document = std::move(*document), .warnings = {}};
  }
  if (design != nullptr) {
    Result<Document> document = read_document(*design, in.path_of("design"));
    if (!document) return document.errors();
    return Model{.document = std::move(*document), .warnings = {}};
  }
  Result<Import> import = import_config(*config);
  if (!import) return below(import.errors(), in.path_of("config"));
  return Model{.document = std::move(import->document), .warnings = std::move(import->warnings)};
}

Result<PointRequest> read_point(const json::Value* options, std::string path) {
  static const json::Value kNone{json::Object{}};
  Diagnostics problems;
  json::Reader in(options == nullptr ? kNone : *options, std::move(path), problems);
  OperatingPointOptions point;
  point.T = length(in, "T");
  point.B = length(in, "B");
  point.S = length(in, "S");
  point.dtype = dtype(in, "dtype");
  point.inference_dtype = dtype(in, "inference_dtype");
  point.kv_dtype = dtype(in, "kv_dtype");
  point.precision = choice<Precision>(in, "precision", kPrecisions);
  const std::string hardware = in.optional_string("hardware").value_or(std::string(kDefaultDevice));
  point.gpus = count_up_to(in, "gpus", kMaxDevices);
  if (auto layout = in.optional_object("parallel")) point.parallel = read_layout(*layout);
  point.optimizer = choice<Optimizer>(in, "optimizer", kOptimizers);
  point.recompute = choice<Recompute>(in, "recompute", kRecomputes);
  point.flash = in.optional_boolean("flash").value_or(true);
  point.tokens = in.optional_positive_number("tokens");
  point.mfu = fraction(in, "mfu");
  if (const auto efficiency = fraction(in, "decode_efficiency"))
    point.decode_efficiency = *efficiency;
  point.concurrency = count_up_to(in, "concurrency", kMaxLength).value_or(1);
  if (auto packing = in.optional_object("packing")) point.packing = read_packing(*packing);
  in.done();
  Result<DeviceProfile> device = device_named(hardware);
  if (!device)
    for (const Diagnostic& problem : below(device.errors(), in.path_of("hardware")))
      problems.push_back(problem);
  if (!problems.empty()) return problems;
  return PointRequest{.options = std::move(point), .device = std::move(*device)};
}

}  // namespace roofbeam::api
