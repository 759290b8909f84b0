#include "engine/report/json_report.h"

#include <string>

#include "engine/report/fields.h"

namespace roofbeam {
namespace {

using json::Writer;

void pair(Writer& out, std::string_view key, double value) { out.key(key).number(value); }
void pair(Writer& out, std::string_view key, Bytes bytes) { pair(out, key, bytes.value); }
void pair(Writer& out, std::string_view key, Flops flops) { pair(out, key, flops.value); }
void pair(Writer& out, std::string_view key, Seconds seconds) { pair(out, key, seconds.value); }
void pair(Writer& out, std::string_view key, std::string_view text) { out.key(key).string(text); }

void maybe(Writer& out, std::string_view key, const std::optional<std::string>& text) {
  out.key(key);
  if (text)
    out.string(*text);
  else
    out.null();
}

void write_amounts(Writer& out, const Amounts& amounts) {
  out.begin_object();
  for (const auto& [name, amount] : amounts) pair(out, name, amount);
  out.end_object();
}

void write_paths(Writer& out, const Elaboration& design, const std::vector<PathAmount>& rows) {
  out.begin_object();
  for (const PathAmount& row : rows) pair(out, design.instances[row.instance].path, row.amount);
  out.end_object();
}

void write_work(Writer& out, const WorkCount& work, const ParameterCount& params) {
  out.begin_object();
  pair(out, "fwd_dense", work.dense);
  pair(out, "fwd_attention", work.attention);
  pair(out, "fwd_attention_unmasked", work.attention_unmasked);
  pair(out, "elementwise", work.elementwise);
  pair(out, "fwd_total", work.forward());
  pair(out, "fwd_total_unmasked", work.forward_unmasked());
  pair(out, "train_per_token", work.train);
  pair(out, "attention_share", work.attention_share());
  pair(out, "rule_of_thumb2_n", 2 * params.non_embedding_active());
  pair(out, "rule_of_thumb6_n", 6 * params.non_embedding_active());
  out.key("by_category");
  write_amounts(out, work.by_category);
  if (!work.streams.empty()) {
    out.key("per_stream").begin_array();
    for (const StreamWork& stream : work.streams) {
      out.begin_object();
      pair(out, "symbol", stream.symbol);
      pair(out, "length", stream.length);
      pair(out, "fwd", stream.forward);
      out.end_object();
    }
    out.end_array();
    pair(out, "fwd_per_example", work.per_example);
  }
  if (work.packed) {
    out.key("packed").begin_object();
    pair(out, "fwd_attention", work.packed->attention);
    pair(out, "fwd_total", work.packed->forward);
    pair(out, "train_per_token", work.packed->train);
    pair(out, "attention_share", work.packed->attention / work.packed->forward);
    pair(out, "fwd_attention_blocks", work.packed->attention_blocks);
    out.end_object();
  }
  out.end_object();
}

void write_memory(Writer& out, const Analysis& analysis) {
  const TrainingMemory& train = analysis.training;
  const MemoryPerGpu& gpu = train.per_gpu;
  const ServingMemory& infer = analysis.serving;
  out.begin_object().key("train").begin_object();
  pair(out, "weights", train.weights);
  pair(out, "grads", train.grads);
  pair(out, "optimizer", train.optimizer);
  pair(out, "activations", train.activations);
  pair(out, "logits", train.logits);
  pair(out, "cast_weights", train.cast_weights);
  pair(out, "total", train.total());
  out.key("per_gpu").begin_object();
  pair(out, "weights", gpu.weights);
  pair(out, "grads", gpu.grads);
  pair(out, "optimizer", gpu.optimizer);
  pair(out, "activations", gpu.activations);
  pair(out, "total", gpu.total());
  out.end_object();
  pair(out, "optimizer_label", train.optimizer_label);
  out.key("fits").boolean(training_fits(analysis));
  out.end_object();
  out.key("infer").begin_object();
  pair(out, "weights", infer.weights);
  pair(out, "kv", infer.kv);
  pair(out, "overhead", infer.overhead);
  pair(out, "total", infer.total());
  out.key("fits").boolean(serving_fits(analysis));
  out.end_object().end_object();
}

void write_throughput(Writer& out, const Throughput& throughput) {
  out.begin_object();
  pair(out, "ridge_point", throughput.ridge_point.value);
  pair(out, "decode_bytes_per_step", throughput.decode_bytes);
  pair(out, "decode_weight_bytes", throughput.decode_weight_bytes);
  pair(out, "resident_weight_bytes", throughput.resident_weight_bytes);
  pair(out, "decode_flops_per_step", throughput.decode_flops);
  pair(out, "decode_seconds_per_step", throughput.decode_step);
  pair(out, "decode_tokens_per_second", throughput.decode_tokens_per_second);
  out.key("memory_bound").boolean(throughput.memory_bound);
  pair(out, "prefill_seconds", throughput.prefill);
  out.end_object();
}

void write_cost(Writer& out, const TrainingCost& cost, const OperatingPoint& point) {
  out.begin_object();
  pair(out, "total_flops", cost.total);
  pair(out, "gpu_hours", cost.gpu_hours);
  pair(out, "wall_clock_hours", cost.wall_clock_hours);
  pair(out, "dollars", cost.dollars);
  pair(out, "tokens", point.tokens);
  pair(out, "mfu", point.mfu);
  out.end_object();
}

void write_chinchilla(Writer& out, const Chinchilla& chinchilla) {
  out.begin_object();
  pair(out, "optimal_tokens", chinchilla.optimal_tokens);
  pair(out, "tokens_per_param", chinchilla.tokens_per_param);
  pair(out, "tokens_per_active_param", chinchilla.tokens_per_active_param);
  pair(out, "over_training_ratio", chinchilla.over_training_ratio);
  out.key("predicted_loss").begin_object();
  pair(out, "hoffmann", chinchilla.loss_hoffmann);
  pair(out, "epoch", chinchilla.loss_epoch);
  out.end_object();
  pair(out, "verdict", chinchilla.verdict);
  out.end_object();
}

}  // namespace

void write_json(Writer& out, const Diagnostic& diagnostic) {
  out.begin_object();
  pair(out, "code", diagnostic.code);
  pair(out, "path", diagnostic.path);
  pair(out, "message", diagnostic.message);
  pair(out, "hint", diagnostic.hint);
  out.end_object();
}

void write_json(Writer& out, const Diagnostics& diagnostics) {
  out.begin_array();
  for (const Diagnostic& diagnostic : diagnostics) write_json(out, diagnostic);
  out.end_array();
}

void write_json(Writer& out, const Finding& finding) {
  out.begin_object();
  pair(out, "rule", finding.rule);
  pair(out, "severity", name(finding.severity));
  maybe(out, "path", finding.path);
  maybe(out, "port", finding.port);
  maybe(out, "param", finding.param);
  pair(out, "message", finding.message);
  pair(out, "hint", finding.hint);
  out.end_object();
}

void write_json(Writer& out, const Findings& findings) {
  out.begin_array();
  for (const Finding& finding : findings) write_json(out, finding);
  out.end_array();
}

void write_json(Writer& out, const DeviceProfile& device) {
  out.begin_object();
  pair(out, "id", device.id);
  pair(out, "name", device.name);
  pair(out, "memory_bytes", device.memory);
  pair(out, "bandwidth_bytes_per_s", device.bandwidth.value);
  const auto peak = [&](std::string_view key, Dtype dtype) {
    const std::optional<FlopsPerSecond> rate = device.matrix_peaks.of(dtype);
    out.key(key);
    write_number_or_null(out, rate ? std::optional(rate->value) : std::nullopt);
  };
  peak("bf16_flops_per_s", Dtype::bf16);
  peak("fp8_flops_per_s", Dtype::fp8);
  out.key("price_per_gpu_hour_dollars");
  if (device.price_per_gpu_hour_dollars)
    out.number(*device.price_per_gpu_hour_dollars);
  else
    out.null();
  out.key("mfu_range");
  if (device.mfu_known)
    out.begin_array().number(device.mfu_low).number(device.mfu_high).end_array();
  else
    out.null();
  out.end_object();
}

void write_json(Writer& out, const OperatingPoint& point) {
  const ParallelLayout& layout = point.parallel;
  out.begin_object();
  pair(out, "T", point.T);
  pair(out, "B", point.B);
  out.key("S");
  if (point.S > 0)
    out.number(point.S);
  else
    out.null();
  pair(out, "dtype", name(point.dtype));
  pair(out, "inference_dtype", name(point.inference_dtype));
  pair(out, "kv_dtype", name(point.kv_dtype));
  pair(out, "precision", name(point.precision));
  pair(out, "hardware", point.device.id);
  out.key("gpus").integer(point.gpus);
  out.key("parallel").begin_object();
  out.key("dp").integer(layout.dp).key("tp").integer(layout.tp).key("pp").integer(layout.pp);
  out.key("ep").integer(layout.ep).key("zero").integer(layout.zero);
  out.key("sequence_parallel").boolean(layout.sequence_parallel).end_object();
  pair(out, "optimizer", name(point.optimizer));
  pair(out, "recompute", name(point.recompute));
  out.key("flash").boolean(point.flash);
  pair(out, "tokens", point.tokens);
  out.key("tokens_were_defaulted").boolean(point.tokens_were_defaulted);
  pair(out, "mfu", point.mfu);
  pair(out, "decode_efficiency", point.decode_efficiency);
  out.key("concurrency").integer(point.concurrency);
  out.key("packing");
  if (point.packing) {
    out.begin_object();
    pair(out, "mean", point.packing->mean);
    pair(out, "spread", point.packing->spread);
    out.end_object();
  } else {
    out.null();
  }
  out.end_object();
}

void write_params(Writer& out, const ParameterCount& params) {
  out.begin_object();
  pair(out, "total", params.total);
  pair(out, "active", params.active);
  pair(out, "embedding", params.embedding);
  pair(out, "head", params.head);
  pair(out, "non_embedding", params.non_embedding());
  pair(out, "non_embedding_active", params.non_embedding_active());
  pair(out, "expert", params.expert);
  out.key("by_category");
  write_amounts(out, params.by_category);
  out.end_object();
}

void write_cache(Writer& out, const CacheCount& cache, const OperatingPoint& point) {
  out.begin_object();
  pair(out, "bytes_per_token", cache.per_token);
  pair(out, "bytes_per_sequence_fixed", cache.per_sequence_fixed);
  pair(out, "bytes_per_sequence", point.T * cache.per_token + cache.per_sequence_fixed);
  pair(out, "bytes_per_token_decompressed", cache.per_token_decompressed);
  out.end_object();
}

void write_analysis(Writer& out, std::string_view name, const Elaboration& design,
                    const Analysis& analysis, const Findings& findings) {
  out.begin_object();
  pair(out, "name", name);
  out.key("verdict").begin_object();
  pair(out, "training", analysis.training_verdict);
  pair(out, "serving", analysis.serving_verdict);
  out.end_object();
  out.key("options");
  write_json(out, analysis.point);
  out.key("hardware");
  write_json(out, analysis.point.device);
  out.key("params");
  write_params(out, analysis.params);
  out.key("flops");
  write_work(out, analysis.work, analysis.params);
  out.key("kv");
  write_cache(out, analysis.cache, analysis.point);
  out.key("memory");
  write_memory(out, analysis);
  out.key("throughput");
  write_throughput(out, analysis.throughput);
  out.key("cost");
  write_cost(out, analysis.cost, analysis.point);
  out.key("chinchilla");
  write_chinchilla(out, analysis.chinchilla);
  out.key("params_by_path");
  write_paths(out, design, analysis.params.by_path);
  out.key("flops_by_path");
  write_paths(out, design, analysis.work.by_path);
  out.key("activations_by_path");
  write_paths(out, design, analysis.activations.by_path);
  out.key("findings");
  write_json(out, findings);
  out.key("notes").begin_array();
  for (const std::string& note : analysis.notes) out.string(note);
  out.end_array().end_object();
}

}  // namespace roofbeam
