#include "engine/analysis/operating_point.h"

namespace roofbeam {

std::string_view name(Precision precision) {
  return precision == Precision::mixed ? "mixed" : "autocast";
}

std::string_view name(Recompute recompute) {
  switch (recompute) {
    case Recompute::none: return "none";
    case Recompute::selective: return "selective";
    case Recompute::full: return "full";
  }
  return "none";
}

std::string_view name(Optimizer optimizer) {
  switch (optimizer) {
    case Optimizer::adamw: return "adamw";
    case Optimizer::adamw8bit: return "adamw8bit";
    case Optimizer::muon: return "muon";
    case Optimizer::sgd_momentum: return "sgd_momentum";
    case Optimizer::sgd: return "sgd";
    case Optimizer::bf16_adam: return "bf16_adam";
  }
  return "adamw";
}

OperatingPoint resolve(const OperatingPointOptions& options, const Elaboration& design,
                       const DeviceProfile& device, double non_embedding_active) {
  const auto runtime_default = [&](std::string_view symbol) {
    const auto id = design.scope.find(symbol);
    return id ? design.scope.value(*id) : 0;
  };
  OperatingPoint point;
  point.T = options.T.value_or(runtime_default("T"));
  point.B = options.B.value_or(runtime_default("B"));
  point.S = design.has_source ? options.S.value_or(runtime_default("S")) : 0;
  point.dtype = options.dtype.value_or(Dtype::bf16);
  point.inference_dtype = options.inference_dtype.value_or(point.dtype);
  point.kv_dtype = options.kv_dtype.value_or(point.inference_dtype);
  point.precision = options.precision;
  point.device = device;
  point.parallel = options.parallel;
  point.gpus = options.gpus.value_or(options.parallel.dp * options.parallel.tp * options.parallel.pp);
  point.optimizer = options.optimizer;
  point.recompute = options.recompute;
  point.flash = options.flash;
  point.tokens_were_defaulted = !options.tokens.has_value();
  point.tokens = options.tokens.value_or(kOptimalTokensPerParam * non_embedding_active);
  point.mfu = options.mfu.value_or((device.mfu_low + device.mfu_high) / 2);
  point.decode_efficiency = options.decode_efficiency;
  point.concurrency = options.concurrency;
  point.packing = options.packing;
  return point;
}

}  // namespace roofbeam
