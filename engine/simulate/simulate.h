#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/operator_time.h"
#include "engine/program/program.h"
#include "engine/simulate/memory.h"
#include "engine/simulate/workload.h"

namespace roofbeam {

// Equal calls of one operator: the same name, operands, results and so the same time.
struct PricedCall {
  const Operator* op = nullptr;  // of the program that was priced
  OperatorTime time;
  double calls = 0;
  int stage = 0;
  std::string_view segment;  // path of the layer it stands in
};

// Calls of one kind together, a row of the table.
struct OperatorTotal {
  std::string name;  // "aten.mul.Tensor"
  Seconds total;
  double calls = 0;
};

// Seconds by what holds the device up: of every call the dominant part alone, a compute-bound one's
// matrix and vector time each to their own.
struct BoundTotals {
  Seconds memory;
  Seconds communication;
  Seconds matrix;
  Seconds vector;
};

// One stage of a pipeline; a step without one has a single stage.
struct StageTotals {
  Seconds compute;                       // sum of all calls
  Seconds outgoing;                      // transfer to the next stage
  std::vector<OperatorTotal> operators;  // by total, longest first; equal ones as they first appear
};

// One step of one rank.
struct Simulation {
  StagedProgram program;
  ResolvedWorkload workload;
  DeviceProfile device;
  Bytes reserved;
  // One each operator of a segment, in order; `calls` counts copies. Transfers are no calls.
  std::vector<PricedCall> calls;
  std::vector<OperatorTotal> operators;  // by total, longest first; equal ones as they first appear
  BoundTotals bounds;
  std::vector<StageTotals> stages;
  Seconds total;                 // sum of all calls
  Seconds execution;             // when the last one ends
  double tokens_per_second = 0;  // of one device: queries * query length / (execution * devices)
  StepMemory memory;             // of the stage that needs most
  std::vector<std::string> warnings;

  // The last stage, whose table the reference prints.
  [[nodiscard]] const StageTotals& last_stage() const { return stages.back(); }

  // What is left of the device's memory, taking the larger of the two figures for activations.
  [[nodiscard]] Bytes available() const;
};

// Lowers the design for the workload and prices every operator on the device. Errors: as `resolve`
// and `build_program`.
[[nodiscard]] Result<Simulation> simulate(const Elaboration& design,
                                          const std::optional<FrameworkConfig>& framework,
                                          const TextWorkload& workload,
                                          const DeviceProfile& device);

// A timeline that Perfetto and chrome://tracing open, every copy of every operator in order: Trace
// Event Format, complete events ("ph": "X"), microseconds rounded to even.
[[nodiscard]] std::string chrome_trace(const Simulation& simulation);

}  // namespace roofbeam
