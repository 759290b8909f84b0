#pragma once

#include <string>
#include <vector>

#include "engine/analysis/operating_point.h"
#include "engine/analysis/training_memory.h"
#include "engine/analysis/work.h"

namespace roofbeam {

// Memory to serve the model on one device: weights, caches of `concurrency` full sequences, and a
// fifth of both for the runtime, activations and fragmentation.
struct ServingMemory {
  Bytes weights;
  Bytes kv;
  Bytes overhead;
  [[nodiscard]] Bytes total() const { return weights + kv + overhead; }
};

// Roofline of serving: a step takes the longer of its memory traffic and its arithmetic.
struct Throughput {
  FlopsPerSecond peak;
  FlopsPerByte ridge_point;  // arithmetic intensity above which compute binds
  Bytes decode_weight_bytes; // weights a decode step reads: all dense ones, the experts it expects to hit
  Bytes decode_bytes;        // per step, with the caches
  Bytes resident_weight_bytes;
  Flops decode_flops;        // per step
  Seconds decode_step;
  double decode_tokens_per_second = 0;
  bool memory_bound = false;
  Seconds prefill;           // of `concurrency` prompts of T tokens
};

struct TrainingCost {
  Flops total;
  double gpu_hours = 0;
  double wall_clock_hours = 0;
  double dollars = 0;
};

// Where a token budget stands against compute-optimal training.
struct Chinchilla {
  double optimal_tokens = 0;
  double tokens_per_param = 0;
  double tokens_per_active_param = 0;
  double over_training_ratio = 0;  // tokens / optimal_tokens
  double loss_hoffmann = 0;        // nats per token, Hoffmann et al. 2022, arXiv:2203.15556
  double loss_epoch = 0;           // refit of Besiroglu et al. 2024, arXiv:2404.10102
  std::string verdict;
};

struct Analysis {
  OperatingPoint point;
  ParameterCount params;
  WorkCount work;
  CacheCount cache;
  SavedActivations activations;
  TrainingMemory training;
  ServingMemory serving;
  Throughput throughput;
  TrainingCost cost;
  Chinchilla chinchilla;
  std::vector<std::string> notes;  // what a figure leaves out or assumes
  // One sentence each: does training, does serving fit the device, and what takes the room.
  std::string training_verdict;
  std::string serving_verdict;
};

// Everything section by section, from the same operator records. A figure that cannot be had
// (because the design has errors) is NaN and becomes null where it is written.
[[nodiscard]] Analysis analyze(const Elaboration& design, const OperatingPointOptions& options,
                               const DeviceProfile& device);

// Does the design fit one device, trained or served, at this point.
[[nodiscard]] bool training_fits(const Analysis& analysis);
[[nodiscard]] bool serving_fits(const Analysis& analysis);

}  // namespace roofbeam
