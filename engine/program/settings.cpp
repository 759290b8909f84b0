#include "engine/program/settings.h"

#include <array>

namespace roofbeam {
namespace {

constexpr std::array<std::string_view, 9> kLinearModes{
    "DISABLED",     "W8A16_STATIC", "W8A8_STATIC", "W4A8_STATIC", "W8A16_DYNAMIC",
    "W8A8_DYNAMIC", "W4A8_DYNAMIC", "FP8",         "MXFP4"};
constexpr std::array<std::string_view, 3> kAttentionModes{"DISABLED", "INT8", "FP8"};

template <class Mode, std::size_t n>
std::optional<Mode> mode_named(const std::array<std::string_view, n>& names,
                               std::string_view wanted) {
  for (std::size_t i = 0; i < n; ++i)
    if (names[i] == wanted) return static_cast<Mode>(i);
  return std::nullopt;
}

}  // namespace

std::span<const std::string_view> linear_mode_names() { return kLinearModes; }

std::string_view name(LinearMode mode) { return kLinearModes[static_cast<std::size_t>(mode)]; }

std::optional<LinearMode> linear_mode_named(std::string_view name) {
  return mode_named<LinearMode>(kLinearModes, name);
}

std::span<const std::string_view> attention_mode_names() { return kAttentionModes; }

std::string_view name(AttentionMode mode) {
  return kAttentionModes[static_cast<std::size_t>(mode)];
}

std::optional<AttentionMode> attention_mode_named(std::string_view name) {
  return mode_named<AttentionMode>(kAttentionModes, name);
}

}  // namespace roofbeam
