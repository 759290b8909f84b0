#pragma once

#include "engine/program/modules.h"

namespace roofbeam {

// Which matrices are stored how: routed experts' by `linear`, all others of the layers by
// `non_expert` where that is set. The head, the router and what is no layer keep their format, as
// does the up-projection of latent keys and values, which attention absorbs, unless attention is
// quantized too.
[[nodiscard]] Model quantized(Model model, const Quantization& quantization);

}  // namespace roofbeam
