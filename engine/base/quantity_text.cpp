#include "engine/base/quantity_text.h"

#include <array>
#include <cmath>

#include "engine/base/text.h"

namespace roofbeam {
namespace {

struct Step {
  double at_least;
  const char* suffix;
  int digits;
};

template <std::size_t N>
std::string scaled(double value, const std::array<Step, N>& steps) {
  for (const Step& step : steps)
    if (std::fabs(value) >= step.at_least)
      return fixed(value / step.at_least, step.digits) + step.suffix;
  return "";
}

constexpr const char* kUnknown = "unknown";

}  // namespace

std::string count_text(double count) {
  if (!std::isfinite(count)) return kUnknown;
  constexpr std::array<Step, 4> kSteps{{{1e12, "T", 2}, {1e9, "B", 2}, {1e6, "M", 1}, {1e3, "K", 1}}};
  const std::string text = scaled(count, kSteps);
  return text.empty() ? shortest(count) : text;
}

std::string bytes_text(Bytes bytes) {
  if (!std::isfinite(bytes.value)) return kUnknown;
  constexpr std::array<Step, 5> kSteps{{{0x1p50, " PiB", 2},
                                        {0x1p40, " TiB", 2},
                                        {0x1p30, " GiB", 2},
                                        {0x1p20, " MiB", 2},
                                        {0x1p10, " KiB", 2}}};
  const std::string text = scaled(bytes.value, kSteps);
  return text.empty() ? shortest(bytes.value) + " B" : text;
}

std::string flops_text(Flops flops) {
  if (!std::isfinite(flops.value)) return kUnknown;
  constexpr std::array<Step, 6> kSteps{{{1e18, " EFLOP", 2},
                                        {1e15, " PFLOP", 2},
                                        {1e12, " TFLOP", 2},
                                        {1e9, " GFLOP", 2},
                                        {1e6, " MFLOP", 2},
                                        {1e3, " kFLOP", 2}}};
  const std::string text = scaled(flops.value, kSteps);
  return text.empty() ? shortest(flops.value) + " FLOP" : text;
}

std::string hours_text(double hours) {
  if (!std::isfinite(hours)) return kUnknown;
  if (hours < 1) return fixed(hours * 60, 1) + " min";
  if (hours < 48) return fixed(hours, 1) + " h";
  return fixed(hours / 24, 1) + " days";
}

std::string dollars_text(double dollars) {
  if (!std::isfinite(dollars)) return kUnknown;
  if (dollars >= 1e6) return "$" + fixed(dollars / 1e6, 2) + "M";
  if (dollars >= 1e3) return "$" + fixed(dollars / 1e3, 1) + "k";
  return "$" + fixed(dollars, 2);
}

std::string seconds_text(Seconds seconds) {
  if (!std::isfinite(seconds.value)) return kUnknown;
  constexpr std::array<Step, 4> kSteps{{{1, " s", 2}, {1e-3, " ms", 2}, {1e-6, " us", 2}, {1e-9, " ns", 2}}};
  const std::string text = scaled(seconds.value, kSteps);
  return text.empty() ? "0 s" : text;
}

std::string percent_text(double ratio, int digits) {
  if (!std::isfinite(ratio)) return kUnknown;
  return fixed(100 * ratio, digits) + "%";
}

std::string number_text(double number, int digits) {
  return std::isfinite(number) ? fixed(number, digits) : kUnknown;
}

std::string grouped_text(double number) {
  if (!std::isfinite(number)) return kUnknown;
  const std::string digits = fixed(std::fabs(number), 0);
  std::string text = number < 0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace roofbeam
