#include "engine/report/text_report.h"

#include <algorithm>
#include <cmath>

#include "engine/base/quantity_text.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// Columns a text takes on a terminal: UTF-8 continuation bytes take none.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string section(std::string_view title, const Rows& rows) {
  constexpr std::size_t kLeft[] = {2};
  return "\n" + std::string(title) + "\n" + table(rows, kLeft);
}

std::string lengths(const OperatingPoint& point) {
  std::string text = "T " + grouped_text(point.T) + ", B " + grouped_text(point.B);
  if (point.S > 0) text += ", S " + grouped_text(point.S);
  return text;
}

std::string layout_text(const OperatingPoint& point) {
  const ParallelLayout& layout = point.parallel;
  std::string text = grouped_text(static_cast<double>(point.gpus)) + " x " + point.device.name;
  const auto add = [&](const char* label, std::int64_t degree) {
    if (degree > 1) text += std::string(", ") + label + " " + std::to_string(degree);
  };
  add("DP", layout.dp);
  add("TP", layout.tp);
  add("PP", layout.pp);
  add("EP", layout.ep);
  if (layout.zero > 0) text += ", ZeRO-" + std::to_string(layout.zero);
  if (layout.sequence_parallel) text += ", sequence parallel";
  return text;
}

Rows configuration(const OperatingPoint& point) {
  std::string dtypes = std::string(name(point.dtype)) + " (" + std::string(name(point.precision)) + ")";
  if (point.inference_dtype != point.dtype) dtypes += ", inference " + std::string(name(point.inference_dtype));
  if (point.kv_dtype != point.inference_dtype) dtypes += ", cache " + std::string(name(point.kv_dtype));
  return {{"lengths", "", lengths(point)},
          {"dtype", "", dtypes},
          {"devices", "", layout_text(point)},
          {"training", "", std::string(name(point.optimizer)) + ", recompute " + std::string(name(point.recompute))}};
}

Rows parameters(const ParameterCount& params) {
  constexpr std::size_t kCategories = 6;
  Rows rows{{"total", count_text(params.total), grouped_text(params.total)}};
  if (params.active != params.total)
    rows.push_back({"active", count_text(params.active), grouped_text(params.active)});
  rows.push_back({"non-embedding", count_text(params.non_embedding()), grouped_text(params.non_embedding())});
  Amounts largest = params.by_category;
  std::stable_sort(largest.begin(), largest.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (largest.size() > kCategories) largest.resize(kCategories);
  for (const auto& [category, amount] : largest)
    rows.push_back({"  " + category, count_text(amount), percent_text(amount / params.total)});
  return rows;
}

Rows work_rows(const WorkCount& work, const ParameterCount& params) {
  Rows rows{{"forward", flops_text(work.forward()), "attention " + percent_text(work.attention_share())},
            {"forward, unmasked", flops_text(work.forward_unmasked()), "what a profiler counts"},
            {"training", flops_text(work.train), "6N says " + flops_text({6 * params.non_embedding_active()})}};
  for (const StreamWork& stream : work.streams)
    rows.push_back({"forward of an " + stream.symbol + " token", flops_text(stream.forward),
                    grouped_text(stream.length) + " tokens"});
  if (work.packed) {
    rows.push_back({"forward, packed", flops_text(work.packed->forward),
                    "attention " + percent_text(work.packed->attention / work.packed->forward)});
    rows.push_back({"training, packed", flops_text(work.packed->train), ""});
  }
  return rows;
}

Rows cache_rows(const CacheCount& cache, const OperatingPoint& point) {
  Rows rows{{"per token", bytes_text(cache.per_token), std::string(name(point.kv_dtype))},
            {"per sequence", bytes_text(point.T * cache.per_token + cache.per_sequence_fixed),
             "at T " + grouped_text(point.T)}};
  if (cache.per_sequence_fixed.value > 0)
    rows.push_back({"  of which fixed", bytes_text(cache.per_sequence_fixed), "windows and recurrent state"});
  if (cache.per_token_decompressed.value != cache.per_token.value)
    rows.push_back({"per token, expanded", bytes_text(cache.per_token_decompressed), "if latents are not kept compressed"});
  return rows;
}

std::string fit_text(bool fits, Bytes capacity) {
  return (fits ? "fits " : "does not fit ") + bytes_text(capacity);
}

Rows training_rows(const Analysis& analysis) {
  const MemoryPerGpu& gpu = analysis.training.per_gpu;
  const Bytes capacity = analysis.point.device.memory;
  Rows rows{{"weights", bytes_text(gpu.weights), ""},
            {"gradients", bytes_text(gpu.grads), ""},
            {"optimizer", bytes_text(gpu.optimizer), analysis.training.optimizer_label},
            {"activations", bytes_text(gpu.activations),
             analysis.training.logits.value > 0 ? bytes_text(analysis.training.logits) + " of them logits, before sharding" : ""},
            {"total", bytes_text(gpu.total()), fit_text(training_fits(analysis), capacity)}};
  return rows;
}

Rows serving_rows(const Analysis& analysis) {
  const ServingMemory& serving = analysis.serving;
  return {{"weights", bytes_text(serving.weights), std::string(name(analysis.point.inference_dtype))},
          {"cache", bytes_text(serving.kv),
           grouped_text(static_cast<double>(analysis.point.concurrency)) + " x " + grouped_text(analysis.point.T) + " tokens"},
          {"overhead", bytes_text(serving.overhead), "a fifth of both"},
          {"total", bytes_text(serving.total()), fit_text(serving_fits(analysis), analysis.point.device.memory)}};
}

Rows throughput_rows(const Throughput& throughput) {
  return {{"decode", number_text(throughput.decode_tokens_per_second, 2) + " tokens/s",
           std::string("at most; ") + (throughput.memory_bound ? "memory" : "compute") + " bound"},
          {"decode step", seconds_text(throughput.decode_step),
           bytes_text(throughput.decode_bytes) + ", " + flops_text(throughput.decode_flops)},
          {"prefill", seconds_text(throughput.prefill), ""}};
}

Rows cost_rows(const Analysis& analysis) {
  const OperatingPoint& point = analysis.point;
  return {{"tokens", count_text(point.tokens), point.tokens_were_defaulted ? "20 per active non-embedding parameter" : ""},
          {"work", flops_text(analysis.cost.total), ""},
          {"GPU time", hours_text(analysis.cost.gpu_hours), "at " + percent_text(point.mfu, 0) + " of peak"},
          {"wall clock", hours_text(analysis.cost.wall_clock_hours), "on " + grouped_text(static_cast<double>(point.gpus)) + (point.gpus == 1 ? " GPU" : " GPUs")},
          {"price", dollars_text(analysis.cost.dollars), ""}};
}

Rows chinchilla_rows(const Chinchilla& chinchilla) {
  return {{"optimal tokens", count_text(chinchilla.optimal_tokens), ""},
          {"tokens per parameter", number_text(chinchilla.tokens_per_param, 1), chinchilla.verdict},
          {"predicted loss", number_text(chinchilla.loss_epoch, 3), "nats a token; " + number_text(chinchilla.loss_hoffmann, 3) + " by the first fit"}};
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  return line;
}

std::string table(const std::vector<std::vector<std::string>>& rows, std::span<const std::size_t> left,
                  std::string_view indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width_of(row[i]), ' ');
      const bool to_left = i == 0 || std::find(left.begin(), left.end(), i) != left.end();
      if (i > 0 && widths[i] > 0) line += "  ";
      line += to_left ? row[i] + padding : padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string text_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    text += "error " + diagnostic.code;
    if (!diagnostic.path.empty()) text += " at " + one_line(diagnostic.path);
    text += ": " + one_line(diagnostic.message) + "\n";
    if (!diagnostic.hint.empty()) text += "  " + one_line(diagnostic.hint) + "\n";
  }
  return text;
}

std::string text_of(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += std::string(name(finding.severity)) + " " + finding.rule;
    if (finding.path) text += " at " + one_line(*finding.path) + (finding.port ? ":" + one_line(*finding.port) : "");
    text += ": " + one_line(finding.message) + "\n";
    if (!finding.hint.empty()) text += "  " + one_line(finding.hint) + "\n";
  }
  return text;
}

std::string analysis_text(std::string_view name, const Analysis& analysis,
                          const Findings& findings) {
  std::string text = one_line(name) + "\n" + analysis.training_verdict + "\n" + analysis.serving_verdict + "\n";
  text += section("Configuration", configuration(analysis.point));
  text += section("Parameters", parameters(analysis.params));
  text += section("FLOPs per token", work_rows(analysis.work, analysis.params));
  text += section("KV cache", cache_rows(analysis.cache, analysis.point));
  text += section("Training memory per GPU", training_rows(analysis));
  text += section("Serving memory", serving_rows(analysis));
  text += section("Throughput", throughput_rows(analysis.throughput));
  text += section("Training cost", cost_rows(analysis));
  text += section("Compute-optimal training", chinchilla_rows(analysis.chinchilla));
  text += "\nNotes\n";
  for (const std::string& note : analysis.notes) text += "  " + note + "\n";
  Findings errors;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(errors),
               [](const Finding& finding) { return finding.severity == Severity::error; });
  if (!errors.empty()) text += "\nErrors\n" + text_of(errors);
  return text;
}

}  // namespace roofbeam
