#include "engine/rules/rule.h"

#include "engine/rules/checks.h"

namespace roofbeam {
namespace {

constexpr Rule kRules[] = {
    {"user-blocks", "a block the design defines can be used"},
    {"shape", "every input is wired once and takes the shape that reaches it"},
    {"symbols", "every symbol has a value"},
    {"graph", "ids are unique, wires have two ends and form no cycle"},
    {"dtype", "indices go where indices are read, numbers where numbers are", check_element_classes},
    {"input-roles", "documents and positions come from inputs that hold them", check_input_roles},
    {"block-constraints", "a block's parameters agree with each other"},
    {"flash-head-dim", "fused kernels exist for the width of a head", check_flash_head_dim},
    {"tensor-core-multiples", "matrices fill the tiles of the tensor cores", check_tensor_core_multiples},
    {"vocab-padding", "the vocabulary fills the tiles of the head's matrix", check_vocab_padding},
    {"window-vs-context", "a window is shorter than the context", check_window_vs_context},
    {"inference-fits", "serving fits one device", check_inference_fits},
    {"training-fits", "training fits each device", check_training_fits},
    {"logits-memory", "logits are no great part of the activations", check_logits_memory},
    {"recompute-hint", "activations are no great part of training memory", check_recompute_hint},
    {"attention-share", "attention is no great part of the work", check_attention_share},
    {"chinchilla", "the token budget suits the model's size", check_chinchilla},
    {"unused-symbol", "every symbol is used", check_unused_symbols},
    {"dangling-output", "every output of the design's own blocks is read", check_dangling_outputs},
    {"published-drift", "parameters agree with the published count", check_published_drift},
    {"active-params-drift", "active parameters agree with the published count", check_active_params_drift},
    {"eager-attention", "attention keeps no score matrix", check_eager_attention},
    {"packing-unused", "packing finds a mask that reads documents", check_packing_unused},
    {"document-blocks", "documents are long beside the blocks of a kernel", check_document_blocks},
};

constexpr Rule kConstraints[] = {
    {"ROPE-01", "a rotated head has an even width"},
    {"ROPE-02", "positions are given to something that rotates"},
    {"SDPA-01", "query heads share key and value heads evenly"},
    {"SDPA-02", "a window is not negative"},
    {"SDPA-03", "a score cap finds a kernel that has one"},
    {"SDPA-04", "a mask keeps something"},
    {"SDPA-05", "a mask leaves every query a key"},
    {"SDPA-06", "expressions and sinks take a kernel made for them"},
    {"SDPA-07", "cross-attention is neither causal nor masked"},
    {"ATTN-01", "query heads share key and value heads evenly"},
    {"ATTN-02", "written-out attention is asked for nothing only a kernel has"},
    {"ROUTER-01", "a token is sent to no more experts than there are"},
    {"MOE-01", "a token is sent to no more experts than there are"},
    {"SHIFT-01", "a shift is not negative"},
    {"SSD-01", "heads fill the inner width"},
    {"SSD-02", "heads share groups evenly"},
    {"GDN-01", "value heads have a width"},
    {"CONV-01", "groups divide the channels of a convolution"},
    {"WINDOW-01", "a window over an image fits it"},
    {"SPLIT-01", "pieces add up to what is split"},
    {"CONCAT-01", "pieces add up to what they are joined to"},
    {"expression", "mask and score expressions can be read"},
};

Finding made(std::string_view rule, Severity severity, std::string message, std::string hint) {
  return {.rule = std::string(rule),
          .severity = severity,
          .path = {},
          .port = {},
          .param = {},
          .message = std::move(message),
          .hint = std::move(hint)};
}

}  // namespace

std::span<const Rule> design_rules() { return kRules; }

std::span<const Rule> block_constraints() { return kConstraints; }

Finding about_design(std::string_view rule, Severity severity, std::string message, std::string hint) {
  return made(rule, severity, std::move(message), std::move(hint));
}

Finding about_block(std::string_view rule, Severity severity, const Instance& instance,
                    std::string message, std::string hint) {
  Finding finding = made(rule, severity, std::move(message), std::move(hint));
  finding.path = instance.path;
  return finding;
}

}  // namespace roofbeam
