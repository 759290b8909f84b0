#pragma once

#include <vector>

#include "engine/blocks/block.h"

namespace roofbeam {

// The square window a convolution or pooling moves over an image. Reads the parameters kernel,
// stride, padding, in_h and in_w.

struct ImageSize {
  double height = 0;
  double width = 0;
};

// floor((size + 2 padding - kernel) / stride) + 1 each way.
[[nodiscard]] ImageSize output_size(const Arguments& arguments);

// The same as axes of a pattern.
inline constexpr char kOutputHeight[] = "floor((in_h+2*padding-kernel)/stride)+1";
inline constexpr char kOutputWidth[] = "floor((in_w+2*padding-kernel)/stride)+1";

// WINDOW-01 where the kernel is larger than the padded image.
void check_window_fits(const Arguments& arguments, std::vector<Issue>& issues);

}  // namespace roofbeam
