#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/analysis/operating_point.h"
#include "engine/base/result.h"
#include "engine/design/document.h"
#include "engine/json/reader.h"

namespace roofbeam::api {

inline constexpr int kSchemaVersion = 1;

// Lengths and counts beyond these overflow no double's integers even when multiplied with a model's
// sizes, and no machine has as many.
inline constexpr std::int64_t kMaxLength = std::int64_t{1} << 40;
inline constexpr std::int64_t kMaxDevices = std::int64_t{1} << 24;

// Names of recompute settings, in the order of their type.
inline constexpr std::array<std::string_view, 3> kRecomputes{"none", "selective", "full"};

// An optional whole number from 1 to `maximum`; anything else is noted.
[[nodiscard]] std::optional<std::int64_t> count_up_to(json::Reader& in, std::string_view key,
                                                      std::int64_t maximum);

// A design, however it was named: a preset, a document, or the text of a config.json.
struct Model {
  Document document;
  Diagnostics warnings;  // of the import
};

// Diagnostics of a part, seen from the whole request: its path goes before theirs. Problems of a
// config's text are at "/config" and go on with the pointer into the text.
[[nodiscard]] Diagnostics below(Diagnostics problems, const std::string& path);

// Reads `preset`, `design` or `config` (exactly one) from a request.
[[nodiscard]] Result<Model> read_model(json::Reader& in);

// The preset of that name; model.unknown_preset with the closest names otherwise.
[[nodiscard]] Result<Document> preset_named(std::string_view name);

// A document or a config.json, told apart by what it holds; `path` is the pointer to it.
[[nodiscard]] Result<Model> model_from_text(std::string_view text,
                                            const std::optional<std::string>& name);

// The operating point of a request's `options` (nullptr: all left open).
struct PointRequest {
  OperatingPointOptions options;
  DeviceProfile device;
};

[[nodiscard]] Result<PointRequest> read_point(const json::Value* options, std::string path);

}  // namespace roofbeam::api
