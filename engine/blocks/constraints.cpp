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

}  // namespace roofbeam
