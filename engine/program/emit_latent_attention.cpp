#include "engine/program/emitter.h"

namespace roofbeam {
namespace {

// Made from the up-projection when the model is loaded: beside it in memory, and no parameter.
Tensor absorbed(Emitter& e, Dtype dtype, std::vector<Extent> shape) {
  return e.fresh(dtype, std::move(shape), TensorRole::cache);
}

}  // namespace

Tensor emit(Emitter& e, const LatentAttention& a, const Tensor& x) {
  const Dtype half = e.settings().dtype;
  const Extent tokens = e.tokens();
  const Extent head_dim = a.nope_dim + a.rope_dim;
  const Dtype dtype = e.cache_dtype(a.mode);
  const bool quantized = a.mode != AttentionMode::disabled;

  LatentPreparation preparation{.hidden = e.view("view", x, {tokens, a.hidden}),
                                .cos = e.step.cos,
                                .sin = e.step.sin,
                                .q_down = stored_matrix(e, a.q_down),
                                .q_norm = e.weight(half, {a.q_rank}),
                                .q_up = stored_matrix(e, a.q_up),
                                .kv_down = stored_matrix(e, a.kv_down),
                                .kv_norm = e.weight(half, {a.kv_rank}),
                                .q = e.fresh(half, {tokens, a.heads, head_dim}),
                                .kv_latent = e.fresh(half, {tokens, a.kv_rank}),
                                .k_rope = e.fresh(half, {tokens, a.rope_dim}),
                                .q_latent = e.fresh(half, {tokens, a.q_rank}),
                                .heads = a.heads,
                                .nope_dim = a.nope_dim,
                                .rope_dim = a.rope_dim};
  for (const Linear* linear : {&a.q_down, &a.q_up, &a.kv_down})
    if (linear->mode != LinearMode::disabled)
      preparation.scales.push_back(stored_scale(e, *linear));
  e.add(latent_preparation(preparation));
  store(e, a.kv_up);

  Tensor q = preparation.q;
  Tensor kv_latent = preparation.kv_latent;
  Tensor k_rope = preparation.k_rope;
  if (quantized)
    for (Tensor* tensor : {&q, &kv_latent, &k_rope}) {
      const Tensor values = e.fresh(dtype, tensor->shape);
      e.add(quantize(*tensor, e.fresh(Dtype::fp32, {}), values));
      *tensor = values;
    }
  const Tensor cache = e.cache(dtype, {e.pages(), kPageTokens, a.kv_rank + a.rope_dim});
  e.add(concat_and_cache_mla(kv_latent, k_rope, cache, e.step.slots));
  LatentAttentionKernel kernel{
      .q = q,
      .cache = cache,
      .y = e.fresh(half, {tokens, a.heads, a.v_dim}),
      .indices = {e.step.page_table, e.step.query_starts, e.step.key_lengths, e.step.query_lengths},
      .key_absorb = absorbed(e, dtype, {a.heads, a.nope_dim, a.kv_rank}),
      .value_absorb = absorbed(e, dtype, {a.heads, a.kv_rank, a.v_dim}),
      .up = absorbed(e, dtype, {a.kv_rank, a.heads * (a.nope_dim + a.v_dim)}),
      .heads = a.heads,
      .nope_dim = a.nope_dim,
      .rope_dim = a.rope_dim,
      .rank = a.kv_rank,
      .v_dim = a.v_dim,
      .lengths = e.lengths()};
  constexpr int kScales = 8;
  if (quantized)
    for (int i = 0; i < kScales; ++i) kernel.scales.push_back(e.fresh(Dtype::fp32, {}));
  e.add(latent_attention(kernel));
  const Tensor flat = e.view("view", kernel.y, {tokens, a.heads * a.v_dim});
  return emit(e, a.o, e.view("view", flat, {1, tokens, a.heads * a.v_dim}));
}

}  // namespace roofbeam
