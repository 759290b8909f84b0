#include "engine/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace roofbeam {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "roofbeam: internal check failed: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace roofbeam
