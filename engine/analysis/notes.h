#pragma once

#include <string>
#include <vector>

#include "engine/analysis/analysis.h"

namespace roofbeam {

// What the figures assume or leave out at this operating point, one sentence each.
[[nodiscard]] std::vector<std::string> notes_on(const Analysis& analysis);

// "Training needs 168.69 GiB on each of 1 device; an H100 SXM (80 GB) has 80.00 GiB. Optimizer
// state takes most of it."
[[nodiscard]] std::string training_sentence(const Analysis& analysis);

// "Serving 1 sequence of 8,192 tokens fits one H100 SXM (80 GB): 19.15 of 80.00 GiB, 195.5 tokens/s
// while decoding, bound by memory traffic."
[[nodiscard]] std::string serving_sentence(const Analysis& analysis);

}  // namespace roofbeam
