#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/blocks/block.h"

namespace roofbeam {

// What split and concat share: a tensor and the pieces one of its axes is made of. Reads the
// parameter `sizes`.

// Ports y0, y1, ..., one a piece: the pattern with its axis replaced by each size in turn. `axis`
// counts from the end where negative. None where the pattern has no such axis or cannot be read.
[[nodiscard]] std::vector<PortSpec> piece_ports(const Arguments& arguments, const Scope& scope,
                                                std::string_view pattern, int axis);

// `rule` where the sizes do not add up to the axis, or there is no such axis.
void check_pieces(const Arguments& arguments, const Scope& scope, std::string_view pattern,
                  int axis, std::string_view rule, std::vector<Issue>& issues);

}  // namespace roofbeam
