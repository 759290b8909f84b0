#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/algebra/packed_documents.h"
#include "engine/base/dtype.h"
#include "engine/device/profile.h"
#include "engine/graph/elaboration.h"

namespace roofbeam {

enum class Precision : std::uint8_t { mixed, autocast };
enum class Recompute : std::uint8_t { none, selective, full };
enum class Optimizer : std::uint8_t { adamw, adamw8bit, muon, sgd_momentum, sgd, bf16_adam };

[[nodiscard]] std::string_view name(Precision precision);
[[nodiscard]] std::string_view name(Recompute recompute);
[[nodiscard]] std::string_view name(Optimizer optimizer);

// How a training run is split over devices.
struct ParallelLayout {
  std::int64_t dp = 1;
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::int64_t ep = 1;
  int zero = 0;  // ZeRO stage, 0 to 3
  bool sequence_parallel = false;

  friend bool operator==(const ParallelLayout&, const ParallelLayout&) = default;
};

// What a question leaves open, to be filled from the design and the device.
struct OperatingPointOptions {
  std::optional<double> T = {};
  std::optional<double> B = {};
  std::optional<double> S = {};
  std::optional<Dtype> dtype = {};
  std::optional<Dtype> inference_dtype = {};
  std::optional<Dtype> kv_dtype = {};
  Precision precision = Precision::mixed;
  std::optional<std::int64_t> gpus = {};
  ParallelLayout parallel = {};
  Optimizer optimizer = Optimizer::adamw;
  Recompute recompute = Recompute::none;
  bool flash = true;
  std::optional<double> tokens = {};
  std::optional<double> mfu = {};
  double decode_efficiency = 0.3;
  std::int64_t concurrency = 1;
  std::optional<Packing> packing = {};
};

// The conditions a design is measured under; never stored in the design.
struct OperatingPoint {
  double T = 1;  // target length, tokens of one sequence
  double B = 1;  // sequences of a training batch
  double S = 0;  // source length; 0 without a source stream
  Dtype dtype = Dtype::bf16;
  Dtype inference_dtype = Dtype::bf16;
  Dtype kv_dtype = Dtype::bf16;
  Precision precision = Precision::mixed;
  DeviceProfile device;
  std::int64_t gpus = 1;
  ParallelLayout parallel;
  Optimizer optimizer = Optimizer::adamw;
  Recompute recompute = Recompute::none;
  bool flash = true;
  double tokens = 0;  // of the training run
  bool tokens_were_defaulted = false;
  double mfu = 0.4;
  double decode_efficiency = 0.3;
  std::int64_t concurrency = 1;
  std::optional<Packing> packing;
};

// Tokens per parameter that compute-optimal training takes (Hoffmann et al. 2022, arXiv:2203.15556).
inline constexpr double kOptimalTokensPerParam = 20;

// Fills what was left open: lengths and batch from the design's runtime defaults, dtypes each from
// the one before it, GPUs from the layout (dp * tp * pp), mfu from the middle of the device's range,
// tokens as 20 per active non-embedding parameter (given apart, since counting comes later).
[[nodiscard]] OperatingPoint resolve(const OperatingPointOptions& options,
                                     const Elaboration& design, const DeviceProfile& device,
                                     double non_embedding_active);

}  // namespace roofbeam
