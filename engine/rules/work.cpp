#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/algebra/attention_expression.h"
#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/rules/checks.h"

namespace roofbeam {
namespace {

constexpr double kAttentionShare = 0.2;  // of the forward work

// Budgets this many times the compute-optimal one are left without a word.
constexpr double kUnderTrained = 0.5;
constexpr double kOverTrained = 20;

// Work of whole kernel blocks over the work of kept pairs, and what of it is more than a trifle.
constexpr double kBlockRatio = 1.25;
constexpr double kBlockExcess = 0.05;  // of the forward work

bool reads_documents(const Instance& instance) {
  const Result<std::vector<std::string>> tables = tables_in(instance.arguments.text("mask"));
  return tables && !tables->empty();
}

}  // namespace

void check_attention_share(const RuleContext& context, Findings& findings) {
  const double share = context.analysis.work.attention_share();
  if (!(share >= kAttentionShare)) return;
  findings.push_back(about_design("attention-share", Severity::info,
                                  "attention over " + grouped_text(context.point().T) + " tokens is " +
                                      percent_text(share) + " of the forward work"));
}

void check_chinchilla(const RuleContext& context, Findings& findings) {
  const Chinchilla& chinchilla = context.analysis.chinchilla;
  const double ratio = chinchilla.over_training_ratio;
  if (context.point().tokens_were_defaulted || !(ratio < kUnderTrained || ratio > kOverTrained)) return;
  findings.push_back(about_design(
      "chinchilla", Severity::info,
      count_text(context.point().tokens) + " tokens are " + fixed(ratio, 2) +
          " times the compute-optimal " + count_text(chinchilla.optimal_tokens) + ": " + chinchilla.verdict,
      ratio < kUnderTrained ? "train on more tokens, or train a smaller model"
                            : "more parameters would use the same compute better, at a higher price of serving"));
}

void check_packing_unused(const RuleContext& context, Findings& findings) {
  if (!context.point().packing) return;
  const BlockSpec* sdpa = context.type("sdpa");
  const bool used = std::ranges::any_of(context.design.instances, [&](const Instance& instance) {
    return instance.spec == sdpa && !instance.arguments.text("mask").empty() && reads_documents(instance);
  });
  if (used) return;
  findings.push_back(about_design("packing-unused", Severity::info,
                                  "documents are packed, but no mask reads them: every token attends across documents",
                                  "give attention a mask such as doc(b, q) == doc(b, kv)"));
}

void check_document_blocks(const RuleContext& context, Findings& findings) {
  const std::optional<PackedWork>& packed = context.analysis.work.packed;
  if (!packed) return;
  const double ratio = packed->attention_blocks / packed->attention;
  if (!(ratio > kBlockRatio)) return;
  const double excess = (packed->attention_blocks - packed->attention) / packed->forward;
  const Severity severity = excess > kBlockExcess ? Severity::warning : Severity::info;
  findings.push_back(about_design(
      "document-blocks", severity,
      "a kernel that skips whole blocks of 128 x 128 computes " + fixed(ratio, 2) +
          " times the pairs the documents keep, " + percent_text(excess) + " of the forward work more",
      "pack longer documents, or use a kernel with smaller blocks"));
}

}  // namespace roofbeam
