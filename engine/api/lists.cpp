#include "engine/api/lists.h"

#include <algorithm>

#include "engine/base/text.h"

namespace roofbeam::api {
namespace {

// Calls `read` for each item and its path; an item alone is a list of one.
template <class Read>
void each_item(const json::Value* value, const std::string& path, Diagnostics& problems,
               Read read) {
  if (value == nullptr || value->is_null()) return;
  if (!value->is_array()) {
    read(*value, path);
    return;
  }
  const json::Array& items = value->array();
  if (items.empty() || items.size() > kMaxListItems) {
    problems.push_back({.code = "json.range",
                        .path = path,
                        .message = "found a list of " + std::to_string(items.size()) +
                                   " items, wanted 1 to " + std::to_string(kMaxListItems),
                        .hint = ""});
    return;
  }
  for (std::size_t i = 0; i < items.size(); ++i) read(items[i], json::pointer(path, i));
}

}  // namespace

std::vector<std::int64_t> counts(json::Reader& in, std::string_view key, std::int64_t maximum,
                                 Diagnostics& problems) {
  std::vector<std::int64_t> found;
  each_item(in.optional_value(key), in.path_of(key), problems,
            [&](const json::Value& item, const std::string& path) {
              const bool whole = item.is_number() && item.number() >= 1 &&
                                 item.number() <= static_cast<double>(maximum) &&
                                 item.number() == round_half_up(item.number());
              if (whole) {
                found.push_back(static_cast<std::int64_t>(item.number()));
                return;
              }
              problems.push_back({.code = item.is_number() ? "json.range" : "json.type",
                                  .path = path,
                                  .message = "found " + json::described(item) +
                                             ", wanted a whole number from 1 to " +
                                             std::to_string(maximum),
                                  .hint = ""});
            });
  return found;
}

std::vector<std::string> choices(const json::Value* value, const std::string& path,
                                 std::span<const std::string_view> allowed, Diagnostics& problems) {
  std::vector<std::string> found;
  each_item(value, path, problems, [&](const json::Value& item, const std::string& at) {
    if (item.is_string() &&
        std::find(allowed.begin(), allowed.end(), item.string()) != allowed.end()) {
      found.push_back(item.string());
      return;
    }
    problems.push_back(
        {.code = "json.choice",
         .path = at,
         .message = "found " + json::described(item) + ", wanted one of " + join(allowed, ", "),
         .hint = item.is_string() ? closest_hint(item.string(), allowed) : ""});
  });
  return found;
}

}  // namespace roofbeam::api
