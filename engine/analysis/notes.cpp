#include "engine/analysis/notes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/quantity_text.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

std::string number(double value) { return grouped_text(value); }

void note_training(const Analysis& analysis, std::vector<std::string>& notes) {
  const OperatingPoint& point = analysis.point;
  if (point.recompute == Recompute::full)
    notes.push_back(
        "Full recompute keeps only what enters each layer and runs one more forward pass: 4x the "
        "forward's work instead of 3x (8N instead of 6N a token).");
  if (point.recompute == Recompute::selective)
    notes.push_back(
        "Selective recompute counts every attention as fused: a fused kernel recomputes the scores "
        "anyway, so it keeps what flash attention keeps.");
  if (point.parallel.pp > 1)
    notes.push_back(
        "Pipeline parallelism does not divide the activations: under 1F1B the first stage holds one "
        "micro-batch for every stage.");
  if (point.parallel.tp > 1 && !point.parallel.sequence_parallel)
    notes.push_back(
        "Tensor parallelism without sequence parallelism leaves the activations of norms and "
        "residuals on every device, so activations are not divided.");
  if (point.parallel.ep > 1) {
    if (analysis.params.expert > 0)
      notes.push_back("Expert parallelism spreads the experts over " + number(static_cast<double>(point.parallel.ep)) +
                      " devices and exchanges tokens with an all-to-all before and after each sparse layer.");
    else
      notes.push_back("Expert parallelism does nothing here: the design has no experts.");
  }
  if (point.optimizer == Optimizer::bf16_adam)
    notes.push_back(
        "Pure bf16 Adam keeps no fp32 master weights: small updates round away, and training may diverge.");
  if (analysis.training.cast_weights.value > 0)
    notes.push_back("Autocast keeps " + bytes_text(analysis.training.cast_weights) +
                    " of bf16 copies of the fp32 weights, counted with the activations.");
}

void note_serving(const Analysis& analysis, std::vector<std::string>& notes) {
  const OperatingPoint& point = analysis.point;
  const Throughput& throughput = analysis.throughput;
  const std::string ridge = fixed(throughput.ridge_point.value, 0);
  if (std::isfinite(throughput.decode_step.value))
    notes.push_back(throughput.memory_bound
                      ? "Decoding is bound by memory traffic: the device computes " + ridge +
                            " FLOP in the time it reads one byte, and a step needs fewer."
                      : "Decoding is bound by compute: a step needs more than the " + ridge +
                            " FLOP that the device computes for each byte it reads.");
  if (analysis.cache.per_token_decompressed.value > analysis.cache.per_token.value) {
    const double ratio = analysis.cache.per_token_decompressed / analysis.cache.per_token;
    notes.push_back("The cache holds compressed latents; an implementation that expands them keeps " +
                    fixed(ratio, 1) + " times as much.");
  }
  if (analysis.params.expert > 0)
    notes.push_back("A decode step of " + number(static_cast<double>(point.concurrency)) +
                    (point.concurrency == 1 ? " sequence" : " sequences") + " reads " +
                    bytes_text(throughput.decode_weight_bytes) + " of the " +
                    bytes_text(throughput.resident_weight_bytes) +
                    " of weights: the experts it is expected to hit.");
  notes.push_back("Throughput is a roofline of one device: no interconnect, kernel launch or scheduling.");
}

void note_device(const OperatingPoint& point, std::vector<std::string>& notes) {
  const DeviceProfile& device = point.device;
  if (!device.mfu_known && point.mfu == kAssumedMfu)
    notes.push_back("The profile of " + device.name + " tells no utilisation that training reaches; " +
                    percent_text(kAssumedMfu, 0) + " is assumed.");
  if (!device.price_per_gpu_hour_dollars)
    notes.push_back("The profile of " + device.name + " has no price, so the cost in dollars is unknown.");
}

std::string device_words(const OperatingPoint& point) { return point.device.name; }

}  // namespace

std::vector<std::string> notes_on(const Analysis& analysis) {
  std::vector<std::string> notes;
  note_training(analysis, notes);
  note_serving(analysis, notes);
  note_device(analysis.point, notes);
  return notes;
}

std::string training_sentence(const Analysis& analysis) {
  const MemoryPerGpu& memory = analysis.training.per_gpu;
  const OperatingPoint& point = analysis.point;
  if (!std::isfinite(memory.total().value)) return "Training memory is unknown: the design has errors.";
  struct Part {
    const char* name;
    Bytes bytes;
  };
  const std::array<Part, 4> parts{{{"weights", memory.weights},
                                   {"gradients", memory.grads},
                                   {"optimizer state", memory.optimizer},
                                   {"activations", memory.activations}}};
  const Part& largest = *std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return a.bytes < b.bytes;
  });
  const std::string lengths = number(point.B) + (point.B == 1 ? " sequence" : " sequences") + " of " + number(point.T) + " tokens";
  const std::string share = percent_text(largest.bytes / memory.total(), 0);
  return std::string("Training on ") + lengths + (training_fits(analysis) ? " fits" : " does not fit") + " one " +
         device_words(point) + (point.gpus > 1 ? " of " + number(static_cast<double>(point.gpus)) : "") + ": " +
         bytes_text(memory.total()) + (training_fits(analysis) ? " of " : " against ") +
         bytes_text(point.device.memory) + ", " + share + " of it " + largest.name + ".";
}

std::string serving_sentence(const Analysis& analysis) {
  const OperatingPoint& point = analysis.point;
  const Bytes total = analysis.serving.total();
  if (!std::isfinite(total.value)) return "Serving memory is unknown: the design has errors.";
  const bool fits = serving_fits(analysis);
  const auto sequences = static_cast<double>(point.concurrency);
  std::string text = "Serving " + number(sequences) + (sequences == 1 ? " sequence" : " sequences") + " of " +
                     number(point.T) + " tokens " + (fits ? "fits" : "does not fit") + " one " + device_words(point) +
                     ": " + bytes_text(total) + (fits ? " of " : " against ") + bytes_text(point.device.memory);
  if (fits)
    text += "; decode " + fixed(analysis.throughput.decode_tokens_per_second, 1) + " tokens/s at most, bound by " +
            (analysis.throughput.memory_bound ? "memory traffic" : "compute");
  return text + ".";
}

}  // namespace roofbeam
