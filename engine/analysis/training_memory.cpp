#include "engine/analysis/training_memory.h"

#include <array>

#include "engine/analysis/widths.h"

namespace roofbeam {
namespace {

struct OptimizerRow {
  Optimizer optimizer;
  OptimizerBytes bytes;
  std::string_view label;
};

// Mixed precision: bf16 weights and gradients; the state holds fp32 master weights (4) and what the
// optimizer itself keeps: two fp32 moments (Adam), two 8-bit ones, one fp32 momentum (Muon, SGD),
// none (SGD), or two bf16 moments without a master copy.
constexpr std::array<OptimizerRow, 6> kOptimizers{{
    {Optimizer::adamw, {2, 2, 12}, "AdamW, fp32 master weights and moments"},
    {Optimizer::adamw8bit, {2, 2, 6}, "AdamW with 8-bit moments, fp32 master weights"},
    {Optimizer::muon, {2, 2, 8}, "Muon, fp32 master weights and momentum"},
    {Optimizer::sgd_momentum, {2, 2, 8}, "SGD with momentum, fp32 master weights"},
    {Optimizer::sgd, {2, 2, 4}, "SGD, fp32 master weights"},
    {Optimizer::bf16_adam, {2, 2, 4}, "Adam in bf16 throughout, no master weights"},
}};

const OptimizerRow& row(Optimizer optimizer) {
  return kOptimizers[static_cast<std::size_t>(optimizer)];
}

constexpr double kSingleBytes = 4;

}  // namespace

OptimizerBytes optimizer_bytes(Optimizer optimizer, bool autocast) {
  const OptimizerBytes mixed = row(optimizer).bytes;
  if (!autocast || optimizer == Optimizer::bf16_adam) return mixed;
  const double widened = 2 * kSingleBytes - mixed.weights - mixed.grads;
  return {kSingleBytes, kSingleBytes, mixed.state - widened};
}

std::string optimizer_label(Optimizer optimizer, bool autocast) {
  std::string label(row(optimizer).label);
  if (autocast) label += ", under autocast";
  return label;
}

Bytes cast_weights(const Elaboration& design, const OperatingPoint& point) {
  if (!uses_autocast(point)) return {};
  double elements = 0;
  for (const Instance& instance : design.instances) {
    const BlockSpec& block = *instance.spec;
    if (block.autocast != Autocast::half) continue;
    double weights = weights_of(instance);
    // A tied head owns no weights, but reads a cast copy of the embedding's all the same.
    if (block.type == "lm_head" && instance.arguments.flag("tied"))
      weights += instance.arguments.number("vocab") * instance.arguments.number("dim");
    elements += weights * instance.copies;
  }
  return {2 * elements};
}

MemoryPerGpu memory_per_gpu(const ParameterCount& parameters, const OptimizerBytes& bytes,
                            Bytes activations, const ParallelLayout& layout) {
  const auto dp = static_cast<double>(layout.dp);
  const auto tp = static_cast<double>(layout.tp);
  const auto pp = static_cast<double>(layout.pp);
  const auto ep = static_cast<double>(layout.ep);
  const double held =
      (parameters.total - parameters.expert) / (tp * pp) + parameters.expert / (tp * pp * ep);
  const auto sharded_from = [&](int stage) { return layout.zero >= stage ? dp : 1.0; };
  return {.weights = {held * bytes.weights / sharded_from(3)},
          .grads = {held * bytes.grads / sharded_from(2)},
          .optimizer = {held * bytes.state / sharded_from(1)},
          .activations = activations / (layout.sequence_parallel ? tp : 1.0)};
}

TrainingMemory training_memory(const ParameterCount& parameters, const SavedActivations& saved,
                               Bytes cast, const OperatingPoint& point) {
  const bool autocast = uses_autocast(point);
  const OptimizerBytes bytes = optimizer_bytes(point.optimizer, autocast);
  TrainingMemory memory;
  memory.weights = {parameters.total * bytes.weights};
  memory.grads = {parameters.total * bytes.grads};
  memory.optimizer = {parameters.total * bytes.state};
  memory.activations = saved.total + cast;
  memory.logits = saved.logits;
  memory.cast_weights = cast;
  memory.optimizer_label = optimizer_label(point.optimizer, autocast);
  memory.per_gpu = memory_per_gpu(parameters, bytes, memory.activations, point.parallel);
  return memory;
}

}  // namespace roofbeam
