#include "engine/blocks/image_window.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"

namespace roofbeam {
namespace {

double steps(const Arguments& a, double size) {
  return std::floor((size + 2 * a.number("padding") - a.number("kernel")) / a.number("stride")) + 1;
}

}  // namespace

ImageSize output_size(const Arguments& a) {
  return {.height = steps(a, a.number("in_h")), .width = steps(a, a.number("in_w"))};
}

void check_window_fits(const Arguments& a, std::vector<Issue>& issues) {
  const double kernel = a.number("kernel");
  const double padded = std::min(a.number("in_h"), a.number("in_w")) + 2 * a.number("padding");
  if (!(kernel > padded)) return;
  issues.push_back({.rule = "WINDOW-01",
                    .param = "kernel",
                    .message = "a kernel of " + shortest(kernel) + " does not fit an image of " +
                               shortest(padded) + " with its padding",
                    .hint = "shrink the kernel, or pad more"});
}

}  // namespace roofbeam
