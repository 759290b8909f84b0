#include "engine/blocks/constraints.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

std::vector<Issue> check_experts(const Arguments& a, const Scope&) {
  std::vector<Issue> issues;
  check_top_k(a, "MOE-01", issues);
  return issues;
}

}  // namespace

const Forms moe_experts_forms = {.check = check_experts};

}  // namespace roofbeam
