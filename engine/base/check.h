#pragma once

namespace roofbeam {

// Reports a broken engine invariant and aborts. Never reached by input, however hostile: a wrong
// request is a Diagnostic (result.h). The page drops the aborted instance and starts a new one.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace roofbeam

#define ROOFBEAM_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::roofbeam::check_failed(#condition, __FILE__, __LINE__))
