#include "engine/program/emitter.h"

namespace roofbeam {
namespace {

Extent ceil_div(Extent a, Extent b) { return (a + b - 1) / b; }

bool is_static(LinearMode mode) {
  return mode == LinearMode::w8a16_static || mode == LinearMode::w8a8_static ||
         mode == LinearMode::w4a8_static;
}

std::vector<Extent> with_last_axis(std::vector<Extent> shape, Extent last) {
  shape.back() = last;
  return shape;
}

}  // namespace

// Two 4-bit weights share a byte along the inputs.
Tensor stored_matrix(Emitter& e, const Linear& linear) {
  switch (linear.mode) {
    case LinearMode::disabled:
      return e.weight(e.settings().dtype, {linear.out, linear.in});
    case LinearMode::w4a8_static:
    case LinearMode::w4a8_dynamic:
      return e.weight(Dtype::uint8, {linear.out, ceil_div(linear.in, 2)});
    case LinearMode::fp8:
      return e.weight(Dtype::fp8, {linear.out, linear.in});
    case LinearMode::mxfp4:
      return e.weight(Dtype::int4, {linear.out, linear.in});
    default:
      return e.weight(Dtype::int8, {linear.out, linear.in});
  }
}

Tensor stored_scale(Emitter& e, const Linear& linear) {
  if (linear.mode != LinearMode::mxfp4) return e.weight_scale();
  const Extent groups = ceil_div(linear.in, e.settings().quantization.mxfp4_group);
  return e.weight(Dtype::e8m0, {linear.out, groups});
}

namespace {

Tensor unquantized(Emitter& e, const Linear& linear, const Tensor& x) {
  const bool flat = x.shape.size() == 2;
  std::optional<Tensor> bias;
  if (linear.bias) bias = e.weight(x.dtype, {linear.out});
  const Tensor w = e.view("t", stored_matrix(e, linear), {linear.in, linear.out});
  const Extent rows = static_cast<Extent>(elements(x)) / linear.in;
  const Tensor x2 = flat ? x : e.view("view", x, {rows, linear.in});
  Tensor y2 = e.fresh(x.dtype, {rows, linear.out});
  e.add(bias ? addmm(*bias, x2, w, y2) : mm(x2, w, y2));
  if (flat) return y2;
  return e.view(bias ? "view" : "_unsafe_view", y2, with_last_axis(x.shape, linear.out));
}

struct Quantized {
  Tensor values, scale;
};

Quantized quantized_activation(Emitter& e, const Linear& linear, const Tensor& x) {
  if (linear.mode == LinearMode::mxfp4) {
    const Extent group = e.settings().quantization.mxfp4_group;
    const Tensor values = e.fresh(Dtype::int4, x.shape);
    const Tensor scale =
        e.fresh(Dtype::e8m0, with_last_axis(x.shape, ceil_div(x.shape.back(), group)));
    e.add(dynamic_quantize_mxfp4(x, values, scale, group));
    return {values, scale};
  }
  if (is_static(linear.mode)) {
    const Tensor scale = e.activation_scale();
    const Tensor values = e.fresh(Dtype::int8, x.shape);
    e.add(quantize(x, scale, values));
    return {values, scale};
  }
  const Tensor values = e.fresh(Dtype::int8, x.shape);
  const Tensor scale = e.fresh(Dtype::fp32, {});
  e.add(dynamic_quantize_symmetric(x, values, scale));
  return {values, scale};
}

Tensor quantized(Emitter& e, const Linear& linear, const Tensor& x) {
  const Extent rows = static_cast<Extent>(elements(x)) / linear.in;
  const Tensor x2 = e.view("view", x, {rows, linear.in});
  const Quantized input = quantized_activation(e, linear, x2);
  QuantizedProduct product{.x = input.values,
                           .w = e.transpose(stored_matrix(e, linear), 0, 1),
                           .x_scale = input.scale,
                           .w_scale = stored_scale(e, linear),
                           .y = e.fresh(x.dtype, {rows, linear.out})};
  if (linear.bias) product.bias = e.weight(x.dtype, {linear.out});
  e.add(quantized_linear(product));
  return e.view("view", product.y, with_last_axis(x.shape, linear.out));
}

Tensor product(Emitter& e, const Linear& linear, const Tensor& x) {
  return linear.mode == LinearMode::disabled ? unquantized(e, linear, x) : quantized(e, linear, x);
}

// The part of the tokens that this rank of a group works on.
Tensor own_part(Emitter& e, const Tensor& x, const Group& group) {
  return group.size() > 1 ? e.slice(x, 0, x.shape[0] / group.size()) : x;
}

// Tokens of the matrix' whole group come together, and go back to where attention left them.
Tensor relaid(Emitter& e, const Linear& linear, const Tensor& x) {
  const Relayout& relayout = *linear.relayout;
  Tensor given = x;
  if (linear.cut == Cut::rows && x.shape.back() != relayout.in) {
    given = e.gather(x, x.shape.size() - 1, relayout.whole, -1);
    given = e.view("alias", given, given.shape);
  }
  const Extent width = given.shape.back();
  const Tensor flat = e.view("view", given, {static_cast<Extent>(elements(given)) / width, width});
  Tensor rows = own_part(e, flat, relayout.whole);
  rows = e.gather(rows, 0, relayout.matrix, 0);
  if (linear.cut == Cut::rows) {
    // The rank's columns of the input, in a tensor of their own.
    const Tensor part = e.slice(rows, 1, linear.in);
    Tensor own = e.apply("zeros", {}, x.dtype, {rows.shape[0], linear.in},
                         "(" + std::to_string(rows.shape[0]) + ";" + std::to_string(linear.in) +
                             "),{dtype=torch.float16;device=meta;pin_memory=False}");
    Operator copy = plain("copy_", {own, part}, own);
    copy.reads.front().updated = true;
    e.add(std::move(copy));
    rows = own;
  }
  Tensor y = product(e, linear, rows);
  if (linear.cut == Cut::rows) {
    y = e.reduce(y, relayout.matrix);
  } else {
    y = e.gather(y, 1, relayout.matrix, -1);
    y = e.view("alias", y, {y.shape[0], linear.whole_out});
  }
  y = own_part(e, y, relayout.matrix);
  y = e.gather(y, 0, relayout.whole, 0);
  return e.view("view", y, with_last_axis(x.shape, y.shape.back()));
}

}  // namespace

void store(Emitter& e, const Linear& linear) {
  (void)stored_matrix(e, linear);
  if (linear.mode != LinearMode::disabled) (void)stored_scale(e, linear);
  if (linear.bias) (void)e.weight(e.settings().dtype, {linear.out});
}

Tensor emit(Emitter& e, const Linear& linear, const Tensor& x) {
  if (linear.relayout) return relaid(e, linear, x);
  const Tensor y = product(e, linear, x);
  return linear.cut == Cut::rows ? e.reduce(y, linear.group) : y;
}

}  // namespace roofbeam
