#include "engine/blocks/lowering.h"

#include "engine/base/check.h"

namespace roofbeam {

Flops matmul_flops(double m, double k, double n) { return {2 * m * k * n}; }

Extent whole(double value) {
  constexpr double kEveryWholeNumberExists = 9007199254740992;  // 2^53
  return value > 0 && value <= kEveryWholeNumberExists ? static_cast<Extent>(value) : 0;
}

Extent rows(const std::vector<Extent>& shape) {
  Extent product = 1;
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) product *= shape[i];
  return product;
}

std::vector<Extent> with_last(std::vector<Extent> shape, Extent last) {
  ROOFBEAM_CHECK(!shape.empty());
  shape.back() = last;
  return shape;
}

Tensor activation_tensor(const LoweringContext& context, std::vector<Extent> shape) {
  return {.dtype = context.workload.activations,
          .shape = std::move(shape),
          .role = TensorRole::activation};
}

Tensor weight_tensor(const LoweringContext& context, std::vector<Extent> shape) {
  return {.dtype = context.workload.weights, .shape = std::move(shape), .role = TensorRole::weight};
}

Tensor cache_tensor(const LoweringContext& context, std::vector<Extent> shape) {
  return {.dtype = context.workload.cache, .shape = std::move(shape), .role = TensorRole::cache};
}

Tensor single_tensor(std::vector<Extent> shape) {
  return {.dtype = Dtype::fp32, .shape = std::move(shape), .role = TensorRole::activation};
}

Tensor index_tensor(std::vector<Extent> shape) {
  return {.dtype = Dtype::int64, .shape = std::move(shape), .role = TensorRole::index};
}

Operator pointwise(std::string_view name, const LoweringContext& context,
                   const std::vector<Extent>& shape, int operands, double flops_per_element) {
  const Tensor tensor = activation_tensor(context, shape);
  return broadcast(name, std::vector<Tensor>(static_cast<std::size_t>(operands), tensor), tensor,
                   flops_per_element);
}

Operator broadcast(std::string_view name, std::vector<Tensor> reads, Tensor write,
                   double flops_per_element) {
  std::vector<Work> work = elementwise_work(write, flops_per_element * elements(write));
  return {.name = name,
          .reads = std::move(reads),
          .writes = {std::move(write)},
          .work = std::move(work)};
}

Operator view_of(std::string_view name, const LoweringContext& context, std::vector<Extent> from,
                 std::vector<Extent> to) {
  return {.name = name,
          .reads = {activation_tensor(context, std::move(from))},
          .writes = {activation_tensor(context, std::move(to))},
          .view = true};
}

Operator matmul(const LoweringContext& context, const Projection& projection) {
  const auto [m, k, n, bias, tied] = projection;
  Operator matmul{.name = bias ? "addmm" : "mm"};
  if (bias) matmul.reads.push_back(weight_tensor(context, {n}));
  matmul.reads.push_back(activation_tensor(context, {m, k}));
  matmul.reads.push_back(weight_tensor(context, {k, n}));
  matmul.reads.back().tied = tied;
  matmul.writes = {activation_tensor(context, {m, n})};
  matmul.work = matrix_work(
      matmul.writes[0],
      matmul_flops(static_cast<double>(m), static_cast<double>(k), static_cast<double>(n)));
  return matmul;
}

namespace {

// One framework operator an entry; relu2 needs two.
struct ActivationKind {
  std::string_view kind;
  double flops;
  std::string_view operator_name;
};

constexpr ActivationKind kActivations[] = {
    {"relu", 1, "relu"},      {"relu2", 2, "relu"},      {"gelu", 8, "gelu"},
    {"gelu_tanh", 8, "gelu"}, {"silu", 5, "silu"},       {"swish", 5, "silu"},
    {"tanh", 6, "tanh"},      {"sigmoid", 4, "sigmoid"}, {"identity", 0, ""},
};

}  // namespace

double activation_cost(std::string_view kind) {
  for (const ActivationKind& activation : kActivations)
    if (activation.kind == kind) return activation.flops;
  return 0;  // a kind outside the choices is reported when the parameter is resolved
}

const std::vector<std::string>& activation_kinds() {
  static const std::vector<std::string> kinds = [] {
    std::vector<std::string> names;
    for (const ActivationKind& activation : kActivations) names.emplace_back(activation.kind);
    return names;
  }();
  return kinds;
}

std::vector<Operator> activation_operators(std::string_view kind, const LoweringContext& context,
                                           const std::vector<Extent>& shape) {
  if (kind == "relu2")
    return {pointwise("relu", context, shape, 1, 1), pointwise("pow", context, shape, 1, 1)};
  for (const ActivationKind& activation : kActivations)
    if (activation.kind == kind && !activation.operator_name.empty())
      return {pointwise(activation.operator_name, context, shape, 1, activation.flops)};
  return {};
}

}  // namespace roofbeam
