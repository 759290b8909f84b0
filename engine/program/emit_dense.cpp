#include "engine/base/text.h"
#include "engine/program/emitter.h"

namespace roofbeam {
namespace {

std::vector<Extent> with_last_axis(std::vector<Extent> shape, Extent last) {
  shape.back() = last;
  return shape;
}

// x / sqrt(mean(x^2) + eps) in fp32.
Tensor normalized(Emitter& e, const Norm& norm, const Tensor& x) {
  const std::vector<Extent> row = with_last_axis(x.shape, 1);
  const Tensor single = e.cast(x, Dtype::fp32);
  const Tensor square = e.apply("pow", {single}, "%,2");
  const Tensor mean = e.apply("mean", {square}, Dtype::fp32, row, "%,(-1),True");
  const Tensor shifted = e.apply("add", {mean}, "%," + number_argument(norm.eps));
  const Tensor factor = e.apply("rsqrt", {shifted});
  return e.apply("mul", {single, factor});
}

Tensor rms_norm(Emitter& e, const Norm& norm, const Tensor& x) {
  const Tensor y = normalized(e, norm, x);
  if (!norm.scale) return e.cast(y, x.dtype);
  const Tensor weight = e.weight(x.dtype, {norm.dim});
  switch (e.family().norm) {
    case Family::NormStyle::cast_then_scale: {
      const Tensor cast = e.cast(y, x.dtype);
      return e.apply("mul", {weight, cast}, x.dtype, x.shape);
    }
    case Family::NormStyle::scale_then_cast:
      return e.cast(e.apply("mul", {weight, y}, Dtype::fp32, x.shape), x.dtype);
    case Family::NormStyle::unit_offset: {
      const Tensor offset = e.apply("add", {e.cast(weight, Dtype::fp32)}, "%,1.0");
      return e.cast(e.apply("mul", {y, offset}), x.dtype, true);
    }
  }
  return y;
}

Tensor layer_norm(Emitter& e, const Norm& norm, const Tensor& x) {
  const std::vector<Extent> row = with_last_axis(x.shape, 1);
  Operator op{
      .name = "native_layer_norm",
      .reads = {x, e.weight(x.dtype, {norm.dim})},
      .writes = {e.fresh(x.dtype, x.shape), e.fresh(Dtype::fp32, row), e.fresh(Dtype::fp32, row)},
      .arguments = "%,(" + std::to_string(norm.dim) + "),%," + (norm.bias ? "%," : "None,") +
                   number_argument(norm.eps)};
  if (norm.bias) op.reads.push_back(e.weight(x.dtype, {norm.dim}));
  Tensor y = op.writes.front();
  e.add(std::move(op));
  return y;
}

}  // namespace

Tensor emit(Emitter& e, const Norm& norm, const Tensor& x) {
  return norm.kind == Norm::Kind::rms ? rms_norm(e, norm, x) : layer_norm(e, norm, x);
}

Tensor emit_activation(Emitter& e, std::string_view kind, const Tensor& x) {
  if (kind == "identity") return x;
  if (kind == "gelu_tanh") return e.apply("gelu", {x}, "%,{approximate=tanh}");
  if (kind == "gelu") return e.apply("gelu", {x});
  if (kind == "relu2") return e.apply("pow", {e.apply("relu", {x})}, "%,2");
  if (kind == "relu") return e.apply("relu", {x});
  if (kind == "tanh") return e.apply("tanh", {x});
  if (kind == "sigmoid") return e.apply("sigmoid", {x});
  return e.apply("silu", {x});
}

Tensor emit(Emitter& e, const Mlp& mlp, const Tensor& x) {
  if (!mlp.gate) return emit(e, mlp.down, emit_activation(e, mlp.act, emit(e, mlp.up, x)));
  const Tensor gate = emit_activation(e, mlp.act, emit(e, *mlp.gate, x));
  const Tensor up = emit(e, mlp.up, x);
  return emit(e, mlp.down, e.apply("mul", {gate, up}));
}

Tensor emit_expert(Emitter& e, const Mlp& mlp, const Tensor& x) {
  if (!mlp.gate) return emit(e, mlp, x);
  const Tensor gate = emit(e, *mlp.gate, x);
  const Tensor up = emit(e, mlp.up, x);
  return emit(e, mlp.down, e.apply("mul", {emit_activation(e, mlp.act, gate), up}));
}

void store(Emitter& e, const Mlp& mlp) {
  if (mlp.gate) store(e, *mlp.gate);
  store(e, mlp.up);
  store(e, mlp.down);
}

namespace {

// Words of this rank's part of the table; zeros stand in for the others' until all parts are added.
Tensor embedding_of_rows(Emitter& e, const Embedding& embedding, const Tensor& table,
                         const Tensor& ids) {
  const Tensor above = e.apply("ge", {ids}, Dtype::boolean, ids.shape, "%,0");
  const Tensor below =
      e.apply("lt", {ids}, Dtype::boolean, ids.shape, "%," + std::to_string(embedding.vocab));
  const Tensor inside = e.apply("bitwise_and", {above, below});
  const Tensor local = e.apply("sub", {ids}, "%,0");
  const Tensor zeros = e.apply("zeros_like", {local}, "%,{pin_memory=False}");
  const Tensor chosen = e.apply("where", {inside, local, zeros}, Dtype::int64, ids.shape);
  Tensor found = e.fresh(table.dtype, {ids.shape[0], ids.shape[1], embedding.dim});
  e.add(roofbeam::embedding(table, chosen, found, std::nullopt));
  const Tensor outside = e.apply("bitwise_not", {inside});
  const Tensor mask = e.view("unsqueeze", outside, {ids.shape[0], ids.shape[1], 1});
  Operator fill = plain("masked_fill_", {found, mask}, found, "%,%,0");
  fill.reads.front().updated = true;
  e.add(std::move(fill));
  return e.reduce(found, embedding.group);
}

}  // namespace

Tensor emit(Emitter& e, const Embedding& embedding, const Tensor& ids) {
  const Tensor table = e.weight(e.settings().dtype, {embedding.vocab, embedding.dim});
  if (embedding.cut == WordEmbedding::rows) return embedding_of_rows(e, embedding, table, ids);
  std::vector<Extent> shape = ids.shape;
  shape.push_back(embedding.dim);
  Tensor found = e.fresh(table.dtype, std::move(shape));
  e.add(roofbeam::embedding(table, ids, found, e.family().padding_id));
  if (embedding.cut == WordEmbedding::replicated || embedding.group.size() <= 1) return found;
  found = e.gather(found, 2, embedding.group, -1);
  return e.view("alias", found, found.shape);
}

void emit_rope_tables(Emitter& e, Extent positions, Extent width) {
  const Extent tokens = e.tokens();
  const Dtype dtype =
      e.family().rope == Family::RopeStyle::halves ? e.settings().dtype : Dtype::fp32;
  const Tensor index = e.view("view", e.step.positions, {tokens});
  for (Tensor* rows : {&e.step.cos, &e.step.sin}) {
    const Tensor table = e.weight(dtype, {positions, width});
    const Tensor found = e.fresh(dtype, {tokens, width});
    e.add(index_select(table, 0, index, found));
    *rows = e.view("view", found, {1, tokens, width});
  }
}

// The last position of each sequence is scored before decoding, every one while decoding.
Tensor emit(Emitter& e, const Head& head, const Tensor& x) {
  Tensor hidden = x;
  if (head.selects) {
    const Extent rows = e.settings().sequences;
    const Tensor last = e.index({rows});
    Tensor chosen = e.fresh(x.dtype, {x.shape[0], rows, x.shape[2]});
    e.add(index_select(x, 1, last, chosen));
    hidden = chosen;
  }
  Tensor logits = emit(e, head.linear, hidden);
  if (head.linear.relayout || head.linear.group.size() <= 1) return logits;
  logits = e.gather(logits, logits.shape.size() - 1, head.linear.group, -1);
  return e.view("alias", logits, logits.shape);
}

}  // namespace roofbeam
