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

BlockSpec repeat_block() {
  return {
      .type = "repeat",
      .category = Category::container,
      .kind = BlockKind::container,
      .docs = {.title = "stack",
               .summary =
                   "Runs its graph several times in a row, each copy with weights of its own.",
               .formula = "x_(i+1) = f_i(x_i), i = 0 .. count-1"},
      .params = {size_param("count", "copies")},
  };
}

BlockSpec moe_experts_block() {
  return {
      .type = "moe_experts",
      .category = Category::moe,
      .kind = BlockKind::container,
      .docs = {.title = "experts",
               .summary = "Holds one graph an expert, of which every token passes through top_k.",
               .formula = "y_j = f_(e_j)(x), j = 1 .. top_k",
               .references = {"Shazeer et al. 2017, arXiv:1701.06538"}},
      .params = {size_param("experts", "copies, each with weights of its own"),
                 size_param("top_k", "experts a token passes through")},
      .forms = {.check = check_experts},
  };
}

}  // namespace roofbeam
