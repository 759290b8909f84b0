#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/dtype.h"
#include "engine/base/extent.h"
#include "engine/base/units.h"

namespace roofbeam {

// What a tensor is to the operator that touches it. Decides which bytes are weights, which grow
// with the context, and what a rewrite may shard or quantize.
enum class TensorRole : std::uint8_t { activation, weight, cache, index };

// One operand with its complete shape on one device.
struct Tensor {
  Dtype dtype = Dtype::bf16;
  std::vector<Extent> shape = {};  // outermost first; empty for a scalar
  TensorRole role = TensorRole::activation;
  bool tied = false;                   // a weight that another block owns: read here, stored there
  std::optional<double> touched = {};  // elements moved where that is not all: the rows of a lookup
};

// Number of elements (1 for a scalar), as a double: counts stay below 2^53.
[[nodiscard]] double elements(const Tensor& tensor);
// What the tensor takes where it is stored.
[[nodiscard]] Bytes bytes(const Tensor& tensor);
// What an operator moves of it.
[[nodiscard]] Bytes traffic(const Tensor& tensor);

// One device operator: what is read and written, and how much of which work it is. This is the
// record simulation prices, planning sums and every rewrite (quantize, shard, fuse, recompute)
// takes and returns; where a number comes from is decided once, in the primitive that lowers to it.
// Names are those of the framework's eager operators ("mm", "mul", "attention").
struct Operator {
  std::string_view name = {};  // a literal
  std::vector<Tensor> reads = {};
  std::vector<Tensor> writes = {};
  Flops matrix = {};       // multiply-accumulate work at 2 a MAC, in the first operand's dtype
  Flops elementwise = {};  // vector-unit work
  bool view = false;       // renames elements without touching memory: no bytes, no time
};

// The workload a primitive is lowered for: one step of one replica.
struct Workload {
  Extent batch = 1;           // sequences
  Extent query_tokens = 1;    // new positions of each sequence (T of this step)
  Extent context_tokens = 0;  // positions already in the cache
  Extent source_tokens = 0;   // S; 0 without an encoder's stream
  bool keeps_cache = true;    // keys, values and states are stored for later steps
  Dtype weights = Dtype::bf16;
  Dtype activations = Dtype::bf16;
  Dtype cache = Dtype::bf16;
};

}  // namespace roofbeam
