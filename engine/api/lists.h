#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/json/reader.h"

namespace roofbeam::api {

// The most items a list of a request may have.
inline constexpr std::size_t kMaxListItems = 64;

// Whole numbers from 1 to `maximum`: an optional list, or one of them alone. Each problem is noted
// at its item; empty where the key is absent.
[[nodiscard]] std::vector<std::int64_t> counts(json::Reader& in, std::string_view key,
                                               std::int64_t maximum, Diagnostics& problems);

// Words among `allowed`, the same way; `value` (null: none) lies at `path`.
[[nodiscard]] std::vector<std::string> choices(const json::Value* value, const std::string& path,
                                               std::span<const std::string_view> allowed,
                                               Diagnostics& problems);

}  // namespace roofbeam::api
