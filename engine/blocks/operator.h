#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/collective.h"
#include "engine/base/dtype.h"
#include "engine/base/extent.h"
#include "engine/base/units.h"

namespace roofbeam {

// What a tensor is to the operator that touches it. Decides which bytes are weights, which grow
// with the context, and what a rewrite may shard or quantize.
enum class TensorRole : std::uint8_t { activation, weight, cache, index };

// Which tensor of a program this is: what an operator writes under an id, later ones read under the
// same id. Unique within a program; kNoValue where nobody follows tensors.
using ValueId = std::uint32_t;
inline constexpr ValueId kNoValue = 0;

// One operand with its complete shape on one device.
struct Tensor {
  Dtype dtype = Dtype::bf16;
  std::vector<Extent> shape = {};  // outermost first; empty for a scalar
  TensorRole role = TensorRole::activation;
  bool tied = false;                   // a weight that another block owns: read here, stored there
  std::optional<double> touched = {};  // elements moved where that is not all: the rows of a lookup
  bool updated = false;                // of what an operator reads: changed in place
  ValueId value = kNoValue;
};

// Number of elements (1 for a scalar), as a double: counts stay below 2^53.
[[nodiscard]] double elements(const Tensor& tensor);
// What the tensor takes where it is stored.
[[nodiscard]] Bytes bytes(const Tensor& tensor);
// What an operator moves of it.
[[nodiscard]] Bytes traffic(const Tensor& tensor);

// Work in one number format; each has rates of its own on a device.
struct Work {
  Dtype dtype = Dtype::bf16;
  Flops matrix = {};       // of the matrix unit; a multiply-accumulate counts 2
  Flops elementwise = {};  // of the vector unit
};

// Bytes an operator moves beside its operands: what a lookup reads of a table whose size does not
// matter, the part of a cache that belongs to the sequences at hand.
struct ExtraTraffic {
  Bytes read = {};
  Bytes written = {};
  Bytes updated = {};  // read and written back in place; counted once, as `Tensor::updated` is
};

// What makes an operator an exchange between ranks.
struct Collective {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<std::int64_t> ranks = {};  // global numbers; for send_receive from, to
  std::size_t me = 0;                    // whose time it is, an index of `ranks`
  // What moves: of all_reduce the whole tensor, of all_gather what one rank has before, of
  // reduce_scatter and all_to_all what one rank has before.
  Tensor message = {};
  std::vector<std::int64_t> out_splits = {};  // all_to_all: rows received from each rank
  std::vector<std::int64_t> in_splits = {};   // all_to_all: rows sent to each rank
};

// One device operator: what is read and written, and how much of which work it is. This is the
// record simulation prices, planning sums and every rewrite (quantize, shard, fuse, recompute)
// takes and returns; where a number comes from is decided once, in the primitive that lowers to it
// or in the maker of its kind (engine/program). Names are those of the framework's eager operators
// ("mm", "mul", "attention").
//
// Bytes read: traffic of all reads that are not updated, plus beside.read. Bytes updated: traffic
// of updated reads, plus beside.updated. Bytes written: traffic of all writes, plus beside.written;
// an operator that returns what it has changed in place lists it under writes too.
struct Operator {
  std::string_view name = {};      // a literal
  std::vector<Tensor> reads = {};  // in the order of the framework's arguments, lists in line
  std::vector<Tensor> writes = {};
  std::vector<Work> work = {};  // at most one entry a format
  ExtraTraffic beside = {};
  int extra_static_costs = 0;  // times a start is paid beyond the first: kernels of several stages
  std::optional<Collective> collective = {};
  // Its results are the first operand's storage under another shape: no bytes, no time. (What is
  // changed in place and returned shows as the same value read and written.)
  bool view = false;
  // Kernels running side by side: it takes as long as the longest of them (each with its own
  // start), and its own work and traffic are not counted. Empty for all but fused operators.
  std::vector<Operator> parts = {};
  // The framework's argument list for signatures: every '%' stands for the next read, other text
  // (scalars, None, brackets of lists) for itself; "" for the reads alone.
  std::string arguments = {};
};

// Work of one kind in the operand's format.
[[nodiscard]] std::vector<Work> matrix_work(const Tensor& operand, Flops matrix);
[[nodiscard]] std::vector<Work> elementwise_work(const Tensor& operand, double operations);

// All formats together.
[[nodiscard]] Flops matrix_flops(const Operator& op);
[[nodiscard]] Flops elementwise_flops(const Operator& op);

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
