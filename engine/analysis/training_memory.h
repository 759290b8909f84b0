#pragma once

#include <string>
#include <vector>

#include "engine/analysis/operating_point.h"
#include "engine/analysis/parameters.h"

namespace roofbeam {

// Bytes an optimizer keeps per parameter. Master weights are part of `state`.
struct OptimizerBytes {
  double weights = 0;
  double grads = 0;
  double state = 0;
};

// Under autocast weights and gradients are fp32 and the state holds no master copy of them, except
// for pure bf16 Adam, which has none either way.
[[nodiscard]] OptimizerBytes optimizer_bytes(Optimizer optimizer, bool autocast);
[[nodiscard]] std::string optimizer_label(Optimizer optimizer, bool autocast);

// One tensor kept for the backward pass.
struct SavedTensor {
  InstanceId producer = kNoInstance;  // whose output it is, or the block that made it inside
  std::string port;                   // the producer's output; "" for what was made inside
  Bytes bytes;
};

// What the backward pass finds in memory.
struct SavedActivations {
  Bytes total;   // without cast weights
  Bytes logits;  // of which the head's logits and their fp32 copy
  std::vector<PathAmount> by_path;     // by producer
  std::vector<SavedTensor> by_tensor;  // in graph order of their first reader
};

[[nodiscard]] SavedActivations saved_activations(const Elaboration& design, const OperatingPoint& point);

// bf16 copies of the fp32 weights that half-precision blocks read under autocast; 0 otherwise.
[[nodiscard]] Bytes cast_weights(const Elaboration& design, const OperatingPoint& point);

struct MemoryPerGpu {
  Bytes weights;
  Bytes grads;
  Bytes optimizer;
  Bytes activations;
  [[nodiscard]] Bytes total() const { return weights + grads + optimizer + activations; }
};

struct TrainingMemory {
  Bytes weights;
  Bytes grads;
  Bytes optimizer;
  Bytes activations;  // logits and cast weights included
  Bytes logits;
  Bytes cast_weights;
  std::string optimizer_label;
  MemoryPerGpu per_gpu;
  [[nodiscard]] Bytes total() const { return weights + grads + optimizer + activations; }
};

[[nodiscard]] TrainingMemory training_memory(const ParameterCount& parameters,
                                             const SavedActivations& activations, Bytes cast_weights,
                                             const OperatingPoint& point);

// One device's share under a layout: weights over tensor, pipeline and (experts) expert
// parallelism, ZeRO's stages over data parallelism, activations over tensor parallelism where
// sequence parallelism shards them. The pipeline does not divide activations: its first stage
// holds one micro-batch for every stage under 1F1B.
[[nodiscard]] MemoryPerGpu memory_per_gpu(const ParameterCount& parameters,
                                          const OptimizerBytes& bytes, Bytes activations,
                                          const ParallelLayout& layout);

}  // namespace roofbeam
