#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/blocks/operator.h"

namespace roofbeam {

// Makers of operators, one a kind: here stands what each costs, nowhere else. Operands come with
// their values; results too. Bytes are those of the operands unless a maker says otherwise.

// Moves its operands and nothing more: every eager elementwise operator, cast, cat, clone.
[[nodiscard]] Operator plain(std::string_view name, std::vector<Tensor> reads, Tensor write,
                             std::string arguments = "");

// The first operand's storage under another shape.
[[nodiscard]] Operator view_operator(std::string_view name, const Tensor& of, Tensor as);

// y[m, n] = x[m, k] w[k, n]
[[nodiscard]] Operator mm(const Tensor& x, const Tensor& w, const Tensor& y);
// The same plus bias[n], which the reference does not count as work.
[[nodiscard]] Operator addmm(const Tensor& bias, const Tensor& x, const Tensor& w, const Tensor& y);
// y[b, m, n] = x[b, m, k] w[b, k, n]
[[nodiscard]] Operator bmm(const Tensor& x, const Tensor& w, const Tensor& y);

// x in one byte, by a scale that is known, or measured now.
[[nodiscard]] Operator quantize(const Tensor& x, const Tensor& scale, const Tensor& y);
[[nodiscard]] Operator dynamic_quantize_symmetric(const Tensor& x, const Tensor& y,
                                                  const Tensor& scale);
// x in 4-bit floats, an exponent for each `group` of them: 2 operations an element and one a scale.
[[nodiscard]] Operator dynamic_quantize_mxfp4(const Tensor& x, const Tensor& y, const Tensor& scale,
                                              Extent group);

// Quantized products of x[m, k] and w[k, n], by the format of w: int8, packed 4-bit integers (which
// cost k n operations in fp32 to unpack), fp8, and 4-bit floats. A bias costs m n operations.
struct QuantizedProduct {
  Tensor x = {}, w = {}, x_scale = {}, w_scale = {}, y = {};
  std::optional<Tensor> bias = {};
};
[[nodiscard]] Operator quantized_linear(const QuantizedProduct& product);

// Rows of a table: what is read of it are the rows asked for.
[[nodiscard]] Operator embedding(const Tensor& table, const Tensor& ids, const Tensor& y,
                                 std::optional<Extent> padding_id);
[[nodiscard]] Operator index_select(const Tensor& table, Extent axis, const Tensor& index,
                                    const Tensor& y);

// Lengths of the sequences of one step, all alike, and the index tensors that tell them.
struct SequenceLengths {
  Extent sequences = 1;
  Extent query = 1;
  Extent context = 0;
  [[nodiscard]] double keys() const { return static_cast<double>(query + context); }
  // Every query of a sequence with every key.
  [[nodiscard]] double pairs() const {
    return static_cast<double>(sequences) * static_cast<double>(query) * keys();
  }
};

// Keys and values of the step at their places in a paged cache.
[[nodiscard]] Operator reshape_and_cache(const Tensor& key, const Tensor& value,
                                         const Tensor& cache, const Tensor& slots);

// softmax(q k^T) v over paged keys and values: 4 pairs heads width of matrix work, 4 pairs heads of
// elementwise; of the cache what belongs to the sequences is read.
struct PagedAttention {
  Tensor q = {}, keys = {}, values = {},
         y = {};  // q and y [tokens, heads * width], the two halves of a cache
  std::vector<Tensor> indices =
      {};  // page table, where queries start, lengths of keys and of queries
  Extent heads = 1;
  Extent width = 1;
  SequenceLengths lengths = {};
  std::vector<Tensor> scales = {};  // of a quantized cache
};
[[nodiscard]] Operator paged_attention(const PagedAttention& attention);

// The same over the step's own keys and values, [tokens, heads * width] each, all tokens one
// sequence.
[[nodiscard]] Operator step_attention(const PagedAttention& attention);

// Preparation of latent attention in one kernel: queries through their latent, keys' and values'
// latent, norms of both, rotation. With T tokens, h the hidden width, q and c the ranks of queries
// and of keys and values, r the rotary and d the whole width of a head, n heads:
//   matrix       2 T (h q + q n d + h (c + r)), in the format of the weights
//   elementwise  T (5 q + 3 n r + 5 c + 3 r), and for quantized weights what it takes to quantize
//                each of the three products' inputs and rescale its weights
//   bytes        beside the operands the latents, written and read back once more, and q again
//   starts       16
struct LatentPreparation {
  Tensor hidden = {}, cos = {}, sin = {}, q_down = {}, q_norm = {}, q_up = {}, kv_down = {},
         kv_norm = {};
  std::vector<Tensor> scales = {};  // of quantized weights
  Tensor q = {}, kv_latent = {}, k_rope = {}, q_latent = {};
  Extent heads = 1;
  Extent nope_dim = 1;
  Extent rope_dim = 1;
};
[[nodiscard]] Operator latent_preparation(const LatentPreparation& preparation);

[[nodiscard]] Operator concat_and_cache_mla(const Tensor& kv_latent, const Tensor& k_rope,
                                            const Tensor& cache, const Tensor& slots);

// Attention over cached latents. A step of few tokens a sequence absorbs the up-projections into
// queries and results, a longer one expands the latents.
struct LatentAttentionKernel {
  Tensor q = {}, cache = {},
         y = {};  // [tokens, heads, width], pages of latents, [tokens, heads, v]
  std::vector<Tensor> indices =
      {};  // page table, where queries start, lengths of keys and of queries
  Tensor key_absorb, value_absorb,
      up;  // [heads, nope, rank], [heads, rank, v], [rank, heads (nope + v)]
  Extent heads = 1;
  Extent nope_dim = 1;
  Extent rope_dim = 1;
  Extent rank = 1;
  Extent v_dim = 1;
  SequenceLengths lengths = {};
  std::vector<Tensor> scales = {};
};
[[nodiscard]] Operator latent_attention(const LatentAttentionKernel& attention);

// Queries of fewer tokens than this absorb the up-projections.
inline constexpr Extent kAbsorbedQueries = 6;

[[nodiscard]] Operator all_reduce(const Tensor& x, const Tensor& y,
                                  std::span<const std::int64_t> ranks, std::size_t me);
[[nodiscard]] Operator all_gather(const Tensor& x, const Tensor& y, int axis,
                                  std::span<const std::int64_t> ranks, std::size_t me);
[[nodiscard]] Operator all_to_all(const Tensor& x, const Tensor& y,
                                  std::vector<std::int64_t> out_splits,
                                  std::vector<std::int64_t> in_splits,
                                  std::span<const std::int64_t> ranks, std::size_t me);
[[nodiscard]] Operator send_receive(const Tensor& x, const Tensor& y, std::int64_t from,
                                    std::int64_t to);

// "1e-06", "2.5": as the framework's language prints a number.
[[nodiscard]] std::string number_argument(double number);

// "(%;%;%)" for so many operands in a list.
[[nodiscard]] std::string list_argument(std::size_t operands);

}  // namespace roofbeam
