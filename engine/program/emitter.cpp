#include "engine/program/emitter.h"

#include <algorithm>
#include <utility>

namespace roofbeam {

namespace {

Extent ceil_div(Extent a, Extent b) { return (a + b - 1) / b; }

}  // namespace

Emitter::Emitter(const StepSettings& settings, const Family& family, Program& program)
    : settings_(settings), family_(family), program_(program) {
  const Extent b = settings.sequences;
  const Extent keys = settings.context_tokens + settings.query_tokens;
  step.ids = index({1, tokens()});
  step.positions = index({1, tokens()});
  step.slots = index({tokens()});
  step.page_table = index({b, ceil_div(keys, kPageTokens)});
  step.query_starts = index({b + 1});
  step.key_lengths = index({b});
  step.query_lengths = index({b});
}

SequenceLengths Emitter::lengths() const {
  return {.sequences = settings_.sequences,
          .query = settings_.query_tokens,
          .context = settings_.context_tokens};
}

Dtype Emitter::cache_dtype(AttentionMode mode) const {
  switch (mode) {
    case AttentionMode::int8:
      return Dtype::int8;
    case AttentionMode::fp8:
      return Dtype::fp8;
    case AttentionMode::disabled:
      break;
  }
  return settings_.dtype;
}

Extent Emitter::pages() const {
  const Extent keys = settings_.context_tokens + settings_.query_tokens;
  return ceil_div(settings_.sequences * (keys + settings_.mtp_tokens + 1), kPageTokens);
}

void Emitter::begin_segment(std::string name, std::int64_t copies) {
  program_.segments.push_back({.name = std::move(name), .copies = copies});
  weight_scale_.reset();
  activation_scale_.reset();
}

Tensor Emitter::fresh(Dtype dtype, std::vector<Extent> shape, TensorRole role) {
  return {.dtype = dtype, .shape = std::move(shape), .role = role, .value = program_.fresh_value()};
}

Tensor Emitter::index(std::vector<Extent> shape) {
  return fresh(Dtype::int64, std::move(shape), TensorRole::index);
}

Tensor Emitter::weight(Dtype dtype, std::vector<Extent> shape) {
  Tensor tensor = fresh(dtype, std::move(shape), TensorRole::weight);
  segment().stored.push_back({.kind = Stored::Kind::weight, .tensor = tensor});
  return tensor;
}

Tensor Emitter::cache(Dtype dtype, std::vector<Extent> shape, Stored::Kind kind) {
  Tensor tensor = fresh(dtype, std::move(shape), TensorRole::cache);
  segment().stored.push_back({.kind = kind, .tensor = tensor});
  return tensor;
}

Tensor Emitter::weight_scale() {
  if (!weight_scale_) weight_scale_ = weight(Dtype::fp32, {});
  return *weight_scale_;
}

Tensor Emitter::activation_scale() {
  if (!activation_scale_) activation_scale_ = weight(Dtype::fp32, {});
  return *activation_scale_;
}

Tensor Emitter::apply(std::string_view name, std::vector<Tensor> reads, std::string arguments) {
  const Dtype dtype = reads.front().dtype;
  std::vector<Extent> shape = reads.front().shape;
  return apply(name, std::move(reads), dtype, std::move(shape), std::move(arguments));
}

Tensor Emitter::apply(std::string_view name, std::vector<Tensor> reads, Dtype dtype,
                      std::vector<Extent> shape, std::string arguments) {
  Tensor result = fresh(dtype, std::move(shape));
  add(plain(name, std::move(reads), result, std::move(arguments)));
  return result;
}

Tensor Emitter::view(std::string_view name, const Tensor& of, std::vector<Extent> shape) {
  Tensor result = fresh(of.dtype, std::move(shape), of.role);
  add(view_operator(name, of, result));
  return result;
}

Tensor Emitter::cast(const Tensor& x, Dtype dtype, bool full_arguments) {
  std::string_view target = "torch.float16";
  if (dtype == Dtype::fp32) target = "torch.float32";
  if (dtype == Dtype::bf16) target = "torch.bfloat16";
  if (dtype == Dtype::int64) target = "torch.int64";
  if (dtype == Dtype::boolean) target = "torch.bool";
  std::string arguments = "%,{dtype=" + std::string(target);
  if (full_arguments) arguments += ";layout=torch.strided;device=meta";
  return apply("_to_copy", {x}, dtype, x.shape, arguments + "}");
}

Tensor Emitter::clone(const Tensor& x) {
  return apply("clone", {x}, "%,{memory_format=torch.contiguous_format}");
}

Tensor Emitter::transpose(const Tensor& x, std::size_t a, std::size_t b) {
  std::vector<Extent> shape = x.shape;
  std::swap(shape[a], shape[b]);
  return view("transpose", x, std::move(shape));
}

Tensor Emitter::slice(const Tensor& x, std::size_t axis, Extent size) {
  std::vector<Extent> shape = x.shape;
  shape[axis] = size;
  return view("slice", x, std::move(shape));
}

Tensor Emitter::concat(const std::vector<Tensor>& parts, std::size_t axis,
                       std::string_view arguments) {
  std::vector<Extent> shape = parts.front().shape;
  shape[axis] = 0;
  for (const Tensor& part : parts) shape[axis] += part.shape[axis];
  return apply("cat", parts, parts.front().dtype, std::move(shape),
               list_argument(parts.size()) + std::string(arguments));
}

Tensor Emitter::reduce(const Tensor& x, const Group& group) {
  if (group.size() <= 1) return x;
  Tensor result = fresh(x.dtype, x.shape);
  add(all_reduce(x, result, group.ranks, group.me));
  return result;
}

Tensor Emitter::gather(const Tensor& x, std::size_t axis, const Group& group, int axis_argument) {
  if (group.size() <= 1) return x;
  std::vector<Extent> shape = x.shape;
  shape[axis] *= group.size();
  Tensor result = fresh(x.dtype, std::move(shape));
  add(all_gather(x, result, axis_argument, group.ranks, group.me));
  return result;
}

}  // namespace roofbeam
