#pragma once

#include "engine/program/kinds.h"

namespace roofbeam {

// Makers of the operators that a compiler fuses others to, beside those of kinds.h. What is said to
// count no work moves its operands and nothing more.

// x / sqrt(mean(x^2) + eps) w: 5 operations an element, in fp32.
[[nodiscard]] Operator rms_norm(const Tensor& x, const Tensor& w, std::string_view eps,
                                const Tensor& y);
// The norm of a + b, and the sum where that is read too: no work is counted.
[[nodiscard]] Operator add_rms_norm(const Tensor& a, const Tensor& b, const Tensor& w,
                                    std::string_view eps, const Tensor& y,
                                    const std::optional<Tensor>& sum);
// A norm, or the norm of a sum, whose result is quantized at once: no work is counted.
[[nodiscard]] Operator quantized_norm(const Operator& norm, const Operator& quantization);

// (x - mean) / sqrt(variance + eps) w + b: 6 operations an element and one for each of w and b.
[[nodiscard]] Operator layer_norm(const Tensor& x, const std::optional<Tensor>& w,
                                  const std::optional<Tensor>& b, std::string_view eps,
                                  const Tensor& y);

// silu(gate) up: no work is counted.
[[nodiscard]] Operator swiglu(const Tensor& gate, const Tensor& up, const Tensor& y);
// 6 operations an element, in fp32.
[[nodiscard]] Operator fused_silu(const Tensor& x, const Tensor& y);
// 13 operations an element by tanh, 16 by erf, in fp32.
[[nodiscard]] Operator fused_gelu(const Tensor& x, bool by_tanh, const Tensor& y);

// Queries and keys turned by the angles of their positions: 3 operations an element, in the widest
// format of the three.
[[nodiscard]] Operator apply_rope(const Tensor& k, const Tensor& q, const Tensor& cos,
                                  const Tensor& sin, const Tensor& k_turned,
                                  const Tensor& q_turned);

}  // namespace roofbeam
