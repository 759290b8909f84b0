#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/blocks/operator.h"
#include "engine/graph/elaboration.h"
#include "engine/program/settings.h"

namespace roofbeam {

// What lies in memory throughout the step, whether an operator touches it or not.
struct Stored {
  enum class Kind : std::uint8_t { weight, cache, indexer_cache };
  Kind kind = Kind::weight;
  Tensor tensor = {};
  std::int64_t copies =
      1;  // equal tensors of this segment's one copy that operators do not tell apart
};

// Operators that run one after another, `copies` times over: a stack of equal layers is one
// segment. Each copy has weights, caches and values of its own. Copy n + 1 reads as `carried_in`
// what copy n wrote as `carried_out`; whatever else a copy reads that is written outside is the
// same in all.
struct Segment {
  std::string name = {};  // path of the instance it comes from: "layers/block"
  std::int64_t copies = 1;
  std::vector<Operator> operators = {};
  std::vector<Stored> stored = {};  // of one copy
  ValueId carried_in = kNoValue;    // a value written before this segment
  ValueId carried_out = kNoValue;   // a value written in this segment; what follows reads it
};

// One forward step of one rank, in order.
struct Program {
  std::vector<Segment> segments = {};
  ValueId next_value = kNoValue + 1;  // ids below are taken
  // Operators without a formula of the reference: priced by bytes moved and matrix work alone.
  std::vector<std::string> priced_by_default = {};  // paths of instances

  [[nodiscard]] ValueId fresh_value() { return next_value++; }
};

// The stages of a pipeline, one where there is none, and what each hands to the next. Stage s runs
// on a rank of its own; the transfer after it is transfers[s].
struct StagedProgram {
  std::vector<Program> stages = {};
  std::vector<Operator> transfers = {};
};

// What the reference runs for one step of a design: lowered, quantized, sharded, as operators in
// their eager order. Errors: program.* where the design cannot be run under these settings.
[[nodiscard]] Result<StagedProgram> build_program(const Elaboration& design,
                                                  const std::optional<FrameworkConfig>& framework,
                                                  const StepSettings& settings);

// The same operators with every copy written out, values of each copy apart.
[[nodiscard]] Program unrolled(const Program& program);

[[nodiscard]] Flops matrix_flops(const Program& program);  // all copies
[[nodiscard]] Bytes weight_bytes(const Program& program);  // stored, all copies
[[nodiscard]] Bytes cache_bytes(const Program& program);   // both kinds of cache, all copies

// The framework's full name of an operator, as its tables print it: "mul" is "aten.mul.Tensor",
// "attention" is "tensor_cast.attention.default"; "roofbeam." and the name where it has none.
[[nodiscard]] std::string full_name(std::string_view name);

// Arguments and results in the reference's notation: "f16[1,7000,5120],i64[2]", "(f16[2,3];f32[])".
[[nodiscard]] std::string signature_of_inputs(const Operator& op);
[[nodiscard]] std::string signature_of_outputs(const Operator& op);

}  // namespace roofbeam
