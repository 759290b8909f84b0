#include "engine/api/models.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace roofbeam::api {
namespace {

// A comparison keeps two models, going back and forth a few more.
constexpr std::size_t kKept = 4;
// Larger designs are rare, and four of them would be hundreds of megabytes.
constexpr std::size_t kMaxKeptInstances = 20'000;

constexpr std::array<std::string_view, 3> kSources{"preset", "design", "config"};

}  // namespace

Result<std::shared_ptr<const ExpandedModel>> Models::read(json::Reader& in) {
  std::string_view key;
  const json::Value* source = nullptr;
  for (const std::string_view candidate : kSources) {
    const json::Value* given = in.optional_value(candidate);
    if (given == nullptr) continue;
    key = source == nullptr ? candidate : std::string_view{};  // two are refused below
    source = given;
  }
  const auto found = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return entry.key == key && entry.source == *source; });
  if (!key.empty() && found != entries_.end()) {
    std::rotate(found, found + 1, entries_.end());
    return entries_.back().model;
  }
  Result<Model> model = read_model(in);
  if (!model) return model.errors();
  Elaboration design = elaborate(model->document);
  auto expanded =
      std::make_shared<const ExpandedModel>(ExpandedModel{.document = std::move(model->document),
                                                          .warnings = std::move(model->warnings),
                                                          .design = std::move(design)});
  if (expanded->design.instances.size() <= kMaxKeptInstances) {
    if (entries_.size() == kKept) entries_.erase(entries_.begin());
    entries_.push_back({.source = *source, .key = std::string(key), .model = expanded});
  }
  return std::shared_ptr<const ExpandedModel>(std::move(expanded));
}

}  // namespace roofbeam::api
