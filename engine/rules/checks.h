#pragma once

#include "engine/rules/rule.h"

namespace roofbeam {

// The checks of design_rules(), one a rule. Thresholds are named constants in the files.

// element_classes.cpp, input_roles.cpp
void check_element_classes(const RuleContext& context, Findings& findings);
void check_input_roles(const RuleContext& context, Findings& findings);

// kernels.cpp
void check_flash_head_dim(const RuleContext& context, Findings& findings);
void check_tensor_core_multiples(const RuleContext& context, Findings& findings);
void check_vocab_padding(const RuleContext& context, Findings& findings);
void check_window_vs_context(const RuleContext& context, Findings& findings);
void check_eager_attention(const RuleContext& context, Findings& findings);

// memory.cpp
void check_inference_fits(const RuleContext& context, Findings& findings);
void check_training_fits(const RuleContext& context, Findings& findings);
void check_logits_memory(const RuleContext& context, Findings& findings);
void check_recompute_hint(const RuleContext& context, Findings& findings);

// work.cpp
void check_attention_share(const RuleContext& context, Findings& findings);
void check_chinchilla(const RuleContext& context, Findings& findings);
void check_packing_unused(const RuleContext& context, Findings& findings);
void check_document_blocks(const RuleContext& context, Findings& findings);

// as_written.cpp
void check_unused_symbols(const RuleContext& context, Findings& findings);
void check_dangling_outputs(const RuleContext& context, Findings& findings);
void check_published_drift(const RuleContext& context, Findings& findings);
void check_active_params_drift(const RuleContext& context, Findings& findings);

}  // namespace roofbeam
