#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/rules/checks.h"

namespace roofbeam {
namespace {

// From these shares on a part of the memory is worth a word.
constexpr double kLogitsShare = 0.25;      // of the activations
constexpr double kActivationsShare = 0.5;  // of one device's training memory

std::string devices_for(Bytes total, Bytes memory) {
  return grouped_text(std::ceil(total / memory)) + " devices";
}

std::string batch_and_length(const OperatingPoint& point) {
  return "batch " + grouped_text(point.B) + ", " + grouped_text(point.T) + " tokens";
}

std::string shrink_cache_hint(const OperatingPoint& point) {
  std::string text = "the caches dominate: serve ";
  text += point.concurrency > 1 ? "fewer sequences at once, shorter ones" : "shorter sequences";
  if (bytes_per_element(point.kv_dtype) > bytes_per_element(Dtype::fp8)) text += ", or cache in fp8";
  return text;
}

std::string shrink_weights_hint(const OperatingPoint& point) {
  const bool can_quantise = bytes_per_element(point.inference_dtype) > bytes_per_element(Dtype::fp8);
  return can_quantise ? "the weights dominate: quantise them" : "the weights dominate";
}

enum class Part : std::uint8_t { weights, grads, optimizer, activations };

Part largest_part(const MemoryPerGpu& memory) {
  const std::array<Bytes, 4> parts{memory.weights, memory.grads, memory.optimizer, memory.activations};
  return static_cast<Part>(std::ranges::max_element(parts) - parts.begin());
}

std::string shrink_training_hint(const Analysis& analysis) {
  const OperatingPoint& point = analysis.point;
  switch (largest_part(analysis.training.per_gpu)) {
    case Part::activations:
      if (point.recompute != Recompute::full)
        return "activations dominate: recompute them, or train on smaller batches";
      if (point.parallel.tp > 1 && !point.parallel.sequence_parallel)
        return "activations dominate: shard them with sequence parallelism, or train on smaller batches";
      return "activations dominate: train on smaller batches or shorter sequences";
    case Part::optimizer:
      return point.parallel.zero < 1
                 ? "optimizer state dominates: shard it over more devices (ZeRO-1, tensor or pipeline parallelism)"
                 : "optimizer state dominates: shard it over more devices, or keep its moments in 8 bits";
    case Part::grads:
      return "gradients dominate: shard them over more devices (ZeRO-2, tensor or pipeline parallelism)";
    case Part::weights: break;
  }
  return "weights dominate: shard them over more devices (ZeRO-3, tensor or pipeline parallelism)";
}

}  // namespace

void check_inference_fits(const RuleContext& context, Findings& findings) {
  const ServingMemory& serving = context.analysis.serving;
  const OperatingPoint& point = context.point();
  const Bytes memory = point.device.memory;
  if (!(serving.total() > memory)) return;
  const std::string hint =
      serving.kv > serving.weights ? shrink_cache_hint(point) : shrink_weights_hint(point);
  findings.push_back(about_design(
      "inference-fits", Severity::warning,
      "serving needs " + bytes_text(serving.total()) + " (weights " + bytes_text(serving.weights) +
          ", cache " + bytes_text(serving.kv) + "); " + point.device.name + " has " + bytes_text(memory),
      hint + ", or split over " + devices_for(serving.total(), memory)));
}

void check_training_fits(const RuleContext& context, Findings& findings) {
  const Bytes total = context.analysis.training.per_gpu.total();
  const DeviceProfile& device = context.point().device;
  if (!(total > device.memory)) return;
  findings.push_back(about_design("training-fits", Severity::warning,
                                  "training needs " + bytes_text(total) + " on each device; " +
                                      device.name + " has " + bytes_text(device.memory),
                                  shrink_training_hint(context.analysis)));
}

void check_logits_memory(const RuleContext& context, Findings& findings) {
  const TrainingMemory& training = context.analysis.training;
  const double share = training.logits / training.activations;
  if (!(share >= kLogitsShare)) return;
  findings.push_back(about_design("logits-memory", Severity::info,
                                  "the logits and their fp32 copy take " + bytes_text(training.logits) +
                                      ", " + percent_text(share, 0) + " of the activations",
                                  "compute the loss in chunks"));
}

void check_recompute_hint(const RuleContext& context, Findings& findings) {
  const MemoryPerGpu& memory = context.analysis.training.per_gpu;
  const double share = memory.activations / memory.total();
  if (context.point().recompute != Recompute::none || !(share >= kActivationsShare)) return;
  findings.push_back(about_design("recompute-hint", Severity::info,
                                  "activations are " + percent_text(share, 0) +
                                      " of a device's training memory at " + batch_and_length(context.point()),
                                  "full recompute keeps only what enters each layer, for about a third more compute"));
}

}  // namespace roofbeam
