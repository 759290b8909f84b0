#pragma once

#include <span>

namespace roofbeam::cli {

// Flags of a simulated step. Each is a key of the request's options, dashes for underscores.
struct StepFlag {
  const char* flag;
  const char* type;  // nullptr: a switch
  const char* group;
  const char* help;
};

[[nodiscard]] std::span<const StepFlag> step_flags();

}  // namespace roofbeam::cli
