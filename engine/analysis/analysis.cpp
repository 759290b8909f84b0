#include "engine/analysis/analysis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/analysis/notes.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

// Runtime buffers, activations and fragmentation beside weights and cache.
constexpr double kServingOverhead = 0.2;

ServingMemory serving_memory(const ParameterCount& params, const CacheCount& cache,
                             const OperatingPoint& point) {
  ServingMemory memory;
  memory.weights = {params.total * bytes_per_element(point.inference_dtype)};
  memory.kv = static_cast<double>(point.concurrency) *
              (point.T * cache.per_token + cache.per_sequence_fixed);
  memory.overhead = kServingOverhead * (memory.weights + memory.kv);
  return memory;
}

// Weights one decode step reads. Of a block of which a token uses the share a = active / total, a
// step of n tokens is expected to touch 1 - (1 - a)^n.
Bytes weights_read(const Elaboration& design, const OperatingPoint& point) {
  const auto tokens = static_cast<double>(point.concurrency);
  double elements = 0;
  for (const Instance& instance : design.instances) {
    const double weights = weights_of(instance);
    if (weights == 0) continue;
    const double share = instance.active_copies / instance.copies;
    elements += weights * instance.copies * (1 - std::pow(1 - share, tokens));
  }
  return {elements * bytes_per_element(point.inference_dtype)};
}

Throughput throughput(const Elaboration& design, const ParameterCount& params,
                      const WorkCount& work, const ServingMemory& serving,
                      const OperatingPoint& point) {
  const auto tokens = static_cast<double>(point.concurrency);
  Throughput result;
  result.peak = matrix_peak(point.device, point.dtype);
  result.ridge_point = result.peak / point.device.bandwidth;
  result.decode_weight_bytes = weights_read(design, point);
  result.decode_bytes = result.decode_weight_bytes + serving.kv;
  result.resident_weight_bytes = {params.total * bytes_per_element(point.inference_dtype)};
  result.decode_flops = tokens * work.forward();
  const Seconds memory = result.decode_bytes / point.device.bandwidth;
  const Seconds compute = result.decode_flops / (point.decode_efficiency * result.peak);
  result.memory_bound = memory >= compute;
  result.decode_step = std::max(memory, compute);
  result.decode_tokens_per_second = tokens / result.decode_step.value;
  result.prefill = (tokens * point.T * work.forward()) / (point.mfu * result.peak);
  return result;
}

TrainingCost training_cost(const WorkCount& work, const OperatingPoint& point) {
  constexpr double kSecondsPerHour = 3600;
  TrainingCost cost;
  cost.total = point.tokens * (work.packed ? work.packed->train : work.train);
  const FlopsPerSecond reached = point.mfu * matrix_peak(point.device, point.dtype);
  cost.gpu_hours = (cost.total / reached).value / kSecondsPerHour;
  cost.wall_clock_hours = cost.gpu_hours / std::max(1.0, static_cast<double>(point.gpus));
  cost.dollars = cost.gpu_hours * point.device.price_per_gpu_hour_dollars.value_or(std::numeric_limits<double>::quiet_NaN());
  return cost;
}

// L(N, D) = E + A / N^a + B / D^b
struct LossLaw {
  double E, A, B, a, b;
};

constexpr LossLaw kHoffmann{1.69, 406.4, 410.7, 0.34, 0.28};
constexpr LossLaw kEpoch{1.8172, 482.01, 2085.43, 0.3478, 0.3658};

// Powers may differ in their last bit between C libraries, so the loss is kept to 12 decimals.
double predicted_loss(const LossLaw& law, double params, double tokens) {
  const double loss = law.E + law.A / std::pow(params, law.a) + law.B / std::pow(tokens, law.b);
  constexpr double kDecimals = 1e12;
  return round_half_up(loss * kDecimals) / kDecimals;
}

std::string verdict_of(double ratio) {
  if (!std::isfinite(ratio)) return "unknown";
  if (ratio < 0.5) return "under-trained";
  if (ratio <= 2) return "close to compute-optimal";
  if (ratio <= 20) return "over-trained";
  return "heavily over-trained";
}

Chinchilla chinchilla(const ParameterCount& params, const OperatingPoint& point) {
  Chinchilla result;
  const double active = params.non_embedding_active();
  result.optimal_tokens = kOptimalTokensPerParam * active;
  result.tokens_per_param = point.tokens / params.total;
  result.tokens_per_active_param = point.tokens / params.active;
  result.over_training_ratio = point.tokens / result.optimal_tokens;
  result.loss_hoffmann = predicted_loss(kHoffmann, active, point.tokens);
  result.loss_epoch = predicted_loss(kEpoch, active, point.tokens);
  result.verdict = verdict_of(result.over_training_ratio);
  return result;
}

}  // namespace

Analysis analyze(const Elaboration& design, const OperatingPointOptions& options,
                 const DeviceProfile& device) {
  Analysis analysis;
  analysis.params = count_parameters(design);
  analysis.point = resolve(options, design, device, analysis.params.non_embedding_active());
  const OperatingPoint& point = analysis.point;
  analysis.work = count_work(design, point);
  analysis.cache = count_cache(design, point);
  analysis.activations = saved_activations(design, point);
  analysis.training = training_memory(analysis.params, analysis.activations,
                                      cast_weights(design, point), point);
  analysis.serving = serving_memory(analysis.params, analysis.cache, point);
  analysis.throughput =
      throughput(design, analysis.params, analysis.work, analysis.serving, point);
  analysis.cost = training_cost(analysis.work, point);
  analysis.chinchilla = chinchilla(analysis.params, point);
  analysis.notes = notes_on(analysis);
  analysis.training_verdict = training_sentence(analysis);
  analysis.serving_verdict = serving_sentence(analysis);
  return analysis;
}

bool training_fits(const Analysis& analysis) {
  return analysis.training.per_gpu.total() <= analysis.point.device.memory;
}

bool serving_fits(const Analysis& analysis) {
  return analysis.serving.total() <= analysis.point.device.memory;
}

}  // namespace roofbeam
