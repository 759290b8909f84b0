#pragma once

#include <string>

#include "engine/base/units.h"

namespace roofbeam {

// How quantities read in sentences and tables, the same at every door. NaN reads "unknown".

// 8.03B, 1.21T, 499.7M, 65.0K, 12: counts of parameters and tokens.
[[nodiscard]] std::string count_text(double count);
// 49.03 GiB, 749.25 KiB, 12 B.
[[nodiscard]] std::string bytes_text(Bytes bytes);
// 17.16 GFLOP.
[[nodiscard]] std::string flops_text(Flops flops);
// 5.1 h below two days, 25.3 min below an hour, else days.
[[nodiscard]] std::string hours_text(double hours);
// $13.6k, $1.25M, $0.42.
[[nodiscard]] std::string dollars_text(double dollars);
// 355.28 ms, 1.74 s, 237.67 us.
[[nodiscard]] std::string seconds_text(Seconds seconds);
// 12.5%: a ratio of one.
[[nodiscard]] std::string percent_text(double ratio, int digits = 1);
// 2.165: a plain number.
[[nodiscard]] std::string number_text(double number, int digits);
// 8,192: whole numbers with separators.
[[nodiscard]] std::string grouped_text(double number);

}  // namespace roofbeam
