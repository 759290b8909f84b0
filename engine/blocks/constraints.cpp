#include "engine/blocks/constraints.h"

#include <cmath>

#include "engine/base/text.h"

namespace roofbeam {

void check_heads_divide(const Arguments& a, std::string_view rule, std::vector<Issue>& issues) {
  const double heads = a.number("heads");
  const double kv_heads = a.number("kv_heads");
  if (!(kv_heads >= 1) || std::fmod(heads, kv_heads) == 0) return;
  issues.push_back({.rule = std::string(rule),
                    .param = "kv_heads",
                    .message = shortest(heads) + " query heads cannot share " + shortest(kv_heads) +
                               " key and value heads evenly",
                    .hint = "kv_heads must divide heads; equal counts mean multi-head attention"});
}

void check_top_k(const Arguments& a, std::string_view rule, std::vector<Issue>& issues) {
  const double experts = a.number("experts");
  const double top_k = a.number("top_k");
  if (!(top_k > experts)) return;
  issues.push_back({.rule = std::string(rule),
                    .param = "top_k",
                    .message = "a token cannot pass through " + shortest(top_k) + " of " +
                               shortest(experts) + " experts",
                    .hint = "top_k is at most the number of experts"});
}

void check_positions(const Arguments& a, std::vector<Issue>& issues) {
  if (!a.flag("positions") || !a.is_null("rope")) return;
  issues.push_back({.rule = "ROPE-02",
                    .param = "positions",
                    .message = "positions are given, but nothing rotates by them",
                    .hint = "set rope, or leave positions out"});
}

void check_written_out(const Arguments& a, std::vector<Issue>& issues) {
  if (!a.flag("written_out") && !a.flag("talking_heads")) return;
  for (const Argument& argument : a.all()) {
    const std::string& name = argument.spec->name;
    const bool used = name == "window" || name == "logit_softcap"
                          ? argument.value < 0 || argument.value > 0
                      : name == "mask" || name == "score" ? !a.text(name).empty()
                      : name == "sinks"                   ? a.flag(name)
                      : name == "scale"                   ? !a.is_null(name)
                                                          : false;
    if (!used) continue;
    issues.push_back({.rule = "ATTN-02",
                      .param = name,
                      .message = "attention written out step by step takes no " + name,
                      .hint = "leave " + name + " out, or use the fused attention"});
  }
}

}  // namespace roofbeam
