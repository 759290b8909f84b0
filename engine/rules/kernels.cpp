#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/analysis/work.h"
#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/rules/checks.h"

namespace roofbeam {
namespace {

// Head widths FlashAttention-2 is compiled for (Dao 2023, arXiv:2307.08691); between them a kernel
// pads to the next.
constexpr std::array<double, 7> kFlashHeadDims{32, 64, 96, 128, 160, 192, 256};

// Tensor cores multiply tiles whose sides are multiples of 64 elements without padding.
constexpr double kTile = 64;

// The head's matrix is wide enough for tiles of 128.
constexpr double kVocabTile = 128;

double next_multiple(double value, double multiple) { return std::ceil(value / multiple) * multiple; }

// "32", or "64 or 96" halfway between.
std::string nearest_head_dim(double width) {
  double smallest = std::abs(kFlashHeadDims.front() - width);
  for (const double supported : kFlashHeadDims)
    smallest = std::min(smallest, std::abs(supported - width));
  std::string text;
  for (const double supported : kFlashHeadDims)
    if (std::abs(supported - width) == smallest)
      text += (text.empty() ? "" : " or ") + shortest(supported);
  return text;
}

}  // namespace

void check_flash_head_dim(const RuleContext& context, Findings& findings) {
  const BlockSpec* sdpa = context.type("sdpa");
  for (const Instance& instance : context.design.instances) {
    if (instance.spec != sdpa) continue;
    const double query = instance.arguments.number("head_dim");
    const double value = instance.arguments.number("v_head_dim");
    const auto check = [&](const char* param, double width) {
      if (!(width >= 1) || std::ranges::find(kFlashHeadDims, width) != kFlashHeadDims.end()) return;
      Finding finding = about_block("flash-head-dim", Severity::warning, instance,
                                    "no fused attention kernel is made for heads of width " + shortest(width),
                                    "the nearest is " + nearest_head_dim(width));
      finding.param = param;
      findings.push_back(std::move(finding));
    };
    check("head_dim", query);
    if (value != query) check("v_head_dim", value);  // 0 means head_dim
  }
}

void check_tensor_core_multiples(const RuleContext& context, Findings& findings) {
  const BlockSpec* linear = context.type("linear");
  for (const Instance& instance : context.design.instances) {
    if (instance.spec != linear) continue;
    const double in = instance.arguments.number("in_features");
    const double out = instance.arguments.number("out_features");
    const auto check = [&](const char* param, double width) {
      if (!(std::fmod(width, kTile) > 0)) return;
      Finding finding = about_block("tensor-core-multiples", Severity::info, instance,
                                    "a width of " + shortest(width) + " is no multiple of 64, so the last tile is partly empty",
                                    shortest(width) + " -> " + shortest(next_multiple(width, kTile)));
      finding.param = param;
      findings.push_back(std::move(finding));
    };
    check("in_features", in);
    if (out != in) check("out_features", out);
  }
}

void check_vocab_padding(const RuleContext& context, Findings& findings) {
  const BlockSpec* head = context.type("lm_head");
  for (const Instance& instance : context.design.instances) {
    if (instance.spec != head) continue;
    const double vocab = instance.arguments.number("vocab");
    if (!(std::fmod(vocab, kVocabTile) > 0)) continue;
    const double padded = next_multiple(vocab, kVocabTile);
    // A tied head's rows are the embedding's, which grows with it.
    const double row = instance.arguments.number("dim") + (instance.arguments.flag("bias") ? 1 : 0);
    Finding finding =
        about_block("vocab-padding", Severity::info, instance,
                    "a vocabulary of " + shortest(vocab) + " is no multiple of 128",
                    "padding it to " + shortest(padded) + " adds " +
                        count_text((padded - vocab) * row * instance.copies) + " parameters");
    finding.param = "vocab";
    findings.push_back(std::move(finding));
  }
}

void check_window_vs_context(const RuleContext& context, Findings& findings) {
  const BlockSpec* sdpa = context.type("sdpa");
  for (const Instance& instance : context.design.instances) {
    if (instance.spec != sdpa) continue;
    const double window = instance.arguments.number("window");
    const double length = lengths_of(instance, context.point()).own;
    if (!(window > 0) || !(window >= length)) continue;
    Finding finding = about_block("window-vs-context", Severity::info, instance,
                                  "a window of " + shortest(window) + " cuts nothing off a context of " +
                                      shortest(length) + " tokens",
                                  "analyse at a longer context to see what the window saves");
    finding.param = "window";
    findings.push_back(std::move(finding));
  }
}

namespace {

// Attention written out step by step: scores, softmax and the blocks that mix heads between them
// pass one square matrix a head on to attn_values.
class ScoreMatrices {
 public:
  explicit ScoreMatrices(const RuleContext& context)
      : context_(context),
        steps_{context.type("attn_scores"), context.type("attn_softmax"), context.type("head_mix")} {
    for (const SavedTensor& tensor : context.analysis.activations.by_tensor)
      if (!tensor.port.empty() && is_step(context.design.instances[tensor.producer]))
        kept_[tensor.producer] += tensor.bytes.value;
  }

  // Bytes of all matrices kept on the way to an attn_values block.
  Bytes kept_before(const Instance& values) const {
    Bytes bytes;
    const InputState* input = &values.inputs.front();
    while (input->producer) {
      const InstanceId id = input->producer->instance;
      const Instance& producer = context_.design.instances[id];
      if (!is_step(producer)) break;
      if (const auto at = kept_.find(id); at != kept_.end()) bytes += {at->second};
      input = &producer.inputs.front();
    }
    return bytes;
  }

 private:
  bool is_step(const Instance& instance) const {
    return std::ranges::find(steps_, instance.spec) != steps_.end();
  }

  const RuleContext& context_;
  std::array<const BlockSpec*, 3> steps_;
  std::unordered_map<InstanceId, double> kept_;
};

}  // namespace

void check_eager_attention(const RuleContext& context, Findings& findings) {
  const std::vector<Instance>& instances = context.design.instances;
  const BlockSpec* values = context.type("attn_values");
  const BlockSpec* written_out = context.type("eager_attention");
  std::optional<ScoreMatrices> matrices;  // few designs write attention out
  for (const Instance& instance : instances) {
    if (instance.spec != values) continue;
    if (!matrices) matrices.emplace(context);
    const Bytes bytes = matrices->kept_before(instance);
    if (!(bytes.value > 0)) continue;
    const bool composed = instance.parent != kNoInstance && instances[instance.parent].spec == written_out;
    const Instance& attention = composed ? instances[instance.parent] : instance;
    findings.push_back(about_block(
        "eager-attention", Severity::warning, attention,
        "written-out attention keeps its score matrix for the backward pass: " + bytes_text(bytes) +
            " at batch " + grouped_text(context.point().B) + ", " +
            grouped_text(lengths_of(instance, context.point()).own) + " tokens",
        "the fused attention block keeps none"));
  }
}

}  // namespace roofbeam
