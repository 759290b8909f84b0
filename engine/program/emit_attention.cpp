#include "engine/program/emitter.h"

namespace roofbeam {
namespace {

std::vector<Extent> with_last_axis(std::vector<Extent> shape, Extent last) {
  shape.back() = last;
  return shape;
}

// [-second half, first half]
Tensor rotated(Emitter& e, const Tensor& x) {
  const Extent half = x.shape.back() / 2;
  const Tensor first = e.slice(x, 3, half);
  const Tensor second = e.slice(x, 3, half);
  return e.concat({e.apply("neg", {second}), first}, 3, ",-1");
}

// Neighbours: [-x1, x0, -x3, x2, ...]
Tensor rotated_neighbours(Emitter& e, const Tensor& x) {
  const Extent half = x.shape.back() / 2;
  const Tensor even = e.slice(x, 3, half);
  const Tensor odd = e.slice(x, 3, half);
  std::vector<Extent> pairs = even.shape;
  pairs.push_back(2);
  const Tensor stacked =
      e.apply("stack", {e.apply("neg", {odd}), even}, x.dtype, pairs, "(%;%),-1");
  return e.view("view", stacked, x.shape);
}

struct Angles {
  Tensor cos, sin;  // [1, 1, tokens, width]
};

Angles angles(Emitter& e) {
  Angles result;
  for (const bool cos : {true, false}) {
    const Tensor& rows = cos ? e.step.cos : e.step.sin;
    Tensor angle = e.view("unsqueeze", rows, {1, 1, rows.shape[1], rows.shape[2]});
    (cos ? result.cos : result.sin) = angle;
  }
  if (e.family().rope != Family::RopeStyle::interleaved) return result;
  // One angle a pair, written twice.
  for (Tensor* angle : {&result.cos, &result.sin}) {
    const Extent half = angle->shape.back() / 2;
    const Tensor first = e.slice(*angle, 3, half);
    std::vector<Extent> single = first.shape;
    single.push_back(1);
    std::vector<Extent> twice = first.shape;
    twice.push_back(2);
    const Tensor expanded = e.view("expand", e.view("unsqueeze", first, single), twice);
    *angle = e.view("_unsafe_view", e.clone(expanded), angle->shape);
  }
  return result;
}

// x cos + rotated(x) sin
Tensor turned(Emitter& e, const Tensor& x, const Angles& angles) {
  const bool neighbours = e.family().rope == Family::RopeStyle::interleaved;
  const Dtype angle = angles.cos.dtype;
  const auto wide = [&](const Tensor& t) { return neighbours ? e.cast(t, Dtype::fp32) : t; };
  const Dtype dtype = angle == Dtype::fp32 ? Dtype::fp32 : x.dtype;
  const Tensor straight = e.apply("mul", {wide(x), angles.cos}, dtype, x.shape);
  const Tensor turned = neighbours ? rotated_neighbours(e, x) : rotated(e, x);
  const Tensor across = e.apply("mul", {wide(turned), angles.sin}, dtype, x.shape);
  return e.apply("add", {straight, across});
}

struct Heads {
  Tensor q, k;  // [1, heads, tokens, width]
};

Heads roped(Emitter& e, const Rope& rope, Heads heads) {
  const Angles angle = angles(e);
  const Extent width = heads.q.shape.back();
  if (rope.dim == width && !e.family().rotates_whole_heads) {
    const Dtype dtype = heads.q.dtype;
    Heads result{turned(e, heads.q, angle), turned(e, heads.k, angle)};
    if (result.q.dtype == dtype) return result;
    result.q = e.cast(result.q, dtype);
    result.k = e.cast(result.k, dtype);
    return result;
  }
  // Only leading channels rotate.
  const auto leading = [&](const Tensor& x) {
    return rope.dim == width ? e.view("alias", x, x.shape) : e.slice(x, 3, rope.dim);
  };
  const Tensor q_turning = leading(heads.q);
  const Tensor q_rest = e.slice(heads.q, 3, width - rope.dim);
  const Tensor k_turning = leading(heads.k);
  const Tensor k_rest = e.slice(heads.k, 3, width - rope.dim);
  const Tensor q = turned(e, q_turning, angle);
  const Tensor k = turned(e, k_turning, angle);
  return {e.concat({q, q_rest}, 3, ",-1"), e.concat({k, k_rest}, 3, ",-1")};
}

// [1, heads, tokens, width] as the kernel takes it: [tokens, heads * width]. What was put together
// in the order of heads is copied.
Tensor flattened(Emitter& e, const Tensor& heads, bool in_order_of_heads) {
  const Tensor back = e.transpose(heads, 1, 2);
  const Extent tokens = back.shape[1];
  const Extent width = back.shape[2] * back.shape[3];
  const bool copies = in_order_of_heads && heads.shape[1] > 1 && tokens > 1;
  if (!copies) return e.view("view", back, {tokens, width});
  return e.view("_unsafe_view", e.clone(back), {tokens, width});
}

struct FlatHeads {
  Tensor q, k, v;  // [tokens, heads * width]
};

FlatHeads projected(Emitter& e, const Attention& a, const Tensor& x) {
  const Extent tokens = x.shape[1];
  const bool late_norm = e.family().norms_heads_transposed;
  const auto split_heads = [&](const Tensor& t, Extent heads, Extent width) {
    return e.view("view", t, {1, tokens, heads, width});
  };
  Tensor q, k, v;
  if (a.norm_over_heads) {
    q = emit(e, a.q, x);
    if (a.q_norm) q = emit(e, *a.q_norm, q);
    k = emit(e, a.k, x);
    if (a.k_norm) k = emit(e, *a.k_norm, k);
    v = emit(e, a.v, x);
    q = e.transpose(split_heads(q, a.heads, a.head_dim), 1, 2);
    k = e.transpose(split_heads(k, a.kv_heads, a.head_dim), 1, 2);
    v = e.transpose(split_heads(v, a.kv_heads, a.v_head_dim), 1, 2);
  } else {
    q = split_heads(emit(e, a.q, x), a.heads, a.head_dim);
    if (a.q_norm && !late_norm) q = emit(e, *a.q_norm, q);
    q = e.transpose(q, 1, 2);
    k = split_heads(emit(e, a.k, x), a.kv_heads, a.head_dim);
    if (a.k_norm && !late_norm) k = emit(e, *a.k_norm, k);
    k = e.transpose(k, 1, 2);
    v = e.transpose(split_heads(emit(e, a.v, x), a.kv_heads, a.v_head_dim), 1, 2);
    if (a.q_norm && late_norm) q = emit(e, *a.q_norm, q);
    if (a.k_norm && late_norm) k = emit(e, *a.k_norm, k);
  }
  bool joined = false;
  if (a.rope) {
    Heads heads = roped(e, *a.rope, {q, k});
    q = heads.q;
    k = heads.k;
    joined = a.rope->dim != a.head_dim || e.family().rotates_whole_heads;
  }
  return {flattened(e, q, joined), flattened(e, k, joined), flattened(e, v, false)};
}

Tensor attended(Emitter& e, const Attention& a, FlatHeads heads) {
  const Dtype dtype = e.cache_dtype(a.mode);
  const bool quantized = a.mode != AttentionMode::disabled;
  const Tensor y = e.fresh(e.settings().dtype, {heads.q.shape[0], a.heads * a.v_head_dim});
  std::vector<Tensor> scales;
  const auto in_cache_format = [&](Tensor& t) {
    scales.push_back(e.fresh(Dtype::fp32, {}));  // known beforehand, no parameter
    const Tensor values = e.fresh(dtype, t.shape);
    e.add(quantize(t, scales.back(), values));
    t = values;
  };
  if (quantized) {
    in_cache_format(heads.k);
    in_cache_format(heads.v);
  }
  const std::vector<Extent> half{e.pages(), kPageTokens, a.kv_heads, a.head_dim};
  const Tensor cache = e.cache(dtype, {2, half[0], half[1], half[2], half[3]});
  PagedAttention attention{
      .q = heads.q,
      .keys = heads.k,
      .values = heads.v,
      .y = y,
      .indices = {e.step.page_table, e.step.query_starts, e.step.key_lengths, e.step.query_lengths},
      .heads = a.heads,
      .width = a.head_dim,
      .lengths = e.lengths()};
  if (!e.family().attention_reads_cache) {
    e.add(step_attention(attention));
    return y;
  }
  e.add(reshape_and_cache(heads.k, heads.v, cache, e.step.slots));
  attention.keys = e.view("select", cache, half);
  attention.values = e.view("select", cache, half);
  if (quantized) {
    in_cache_format(heads.q);
    attention.q = heads.q;
    attention.scales = scales;
  }
  e.add(paged_attention(attention));
  return y;
}

}  // namespace

Tensor emit(Emitter& e, const Attention& a, const Tensor& x) {
  const Tensor y = attended(e, a, projected(e, a, x));
  const Tensor joined = e.view("view", y, with_last_axis(x.shape, y.shape.back()));
  return emit(e, a.o, joined);
}

}  // namespace roofbeam
