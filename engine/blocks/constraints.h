#pragma once

#include <string_view>
#include <vector>

#include "engine/blocks/block.h"

namespace roofbeam {

// Constraints between arguments that several primitives share; composites state theirs in their
// templates. Each appends what it finds.

// `rule` where kv_heads does not divide heads.
void check_heads_divide(const Arguments& arguments, std::string_view rule,
                        std::vector<Issue>& issues);

// `rule` where top_k is more than experts: ROUTER-01 on the router, MOE-01 on the experts.
void check_top_k(const Arguments& arguments, std::string_view rule, std::vector<Issue>& issues);

}  // namespace roofbeam
