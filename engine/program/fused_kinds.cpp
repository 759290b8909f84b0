#include "engine/program/fused_kinds.h"

#include <string>
#include <utility>

namespace roofbeam {
namespace {

std::vector<Work> single_work(double operations) { return {{Dtype::fp32, {}, {operations}}}; }

}  // namespace

Operator rms_norm(const Tensor& x, const Tensor& w, std::string_view eps, const Tensor& y) {
  Operator result = plain("rms_norm", {x, w}, y, "%,%," + std::string(eps));
  result.work = single_work(5 * elements(x));
  return result;
}

Operator add_rms_norm(const Tensor& a, const Tensor& b, const Tensor& w, std::string_view eps,
                      const Tensor& y, const std::optional<Tensor>& sum) {
  Operator result =
      plain(sum ? "add_rms_norm2" : "add_rms_norm", {a, b, w}, y, "%,%,%," + std::string(eps));
  if (sum) result.writes.push_back(*sum);
  return result;
}

namespace {

// Names by the kind of quantization, of a norm alone and of the norm of a sum.
struct QuantizedNorm {
  std::string_view quantization, of_norm, of_sum;
};
constexpr QuantizedNorm kQuantizedNorms[] = {
    {"quantize", "rms_norm_quant", "add_rms_norm_quant2"},
    {"dynamic_quantize_symmetric", "rms_norm_dynamic_quant_symmetric",
     "add_rms_norm_dynamic_quant2_symmetric"},
    {"dynamic_quantize_mxfp4", "rms_norm_dynamic_quant_mxfp4", "add_rms_norm_dynamic_quant2_mxfp4"},
};

}  // namespace

Operator quantized_norm(const Operator& norm, const Operator& quantization) {
  const bool of_sum = norm.reads.size() == 3;
  Operator result{.reads = norm.reads, .writes = quantization.writes, .arguments = norm.arguments};
  for (const QuantizedNorm& row : kQuantizedNorms)
    if (row.quantization == quantization.name) result.name = of_sum ? row.of_sum : row.of_norm;
  if (of_sum) result.writes.push_back(norm.writes[1]);
  const std::string& options = quantization.arguments;  // behind the tensor
  if (quantization.name == "quantize") {
    result.reads.push_back(quantization.reads[1]);
    const std::size_t eps = norm.arguments.rfind(',');
    result.arguments = norm.arguments.substr(0, eps) + ",%,None" + norm.arguments.substr(eps);
  } else {
    result.arguments += options.substr(options.find(','));
  }
  return result;
}

Operator layer_norm(const Tensor& x, const std::optional<Tensor>& w, const std::optional<Tensor>& b,
                    std::string_view eps, const Tensor& y) {
  Operator result = plain("layer_norm", {x}, y, "%");
  double operations = 6;
  for (const std::optional<Tensor>* parameter : {&w, &b}) {
    result.arguments += *parameter ? ",%" : ",None";
    if (!*parameter) continue;
    result.reads.push_back(**parameter);
    ++operations;
  }
  result.arguments += "," + std::string(eps);
  result.work = single_work(operations * elements(x));
  return result;
}

Operator swiglu(const Tensor& gate, const Tensor& up, const Tensor& y) {
  return plain("swiglu", {gate, up}, y);
}

Operator fused_silu(const Tensor& x, const Tensor& y) {
  Operator result = plain("fused_silu", {x}, y);
  result.work = single_work(6 * elements(x));
  return result;
}

Operator fused_gelu(const Tensor& x, bool by_tanh, const Tensor& y) {
  Operator result = plain("fused_gelu", {x}, y, by_tanh ? "%,tanh" : "%,none");
  result.work = single_work((by_tanh ? 13 : 16) * elements(x));
  return result;
}

Operator apply_rope(const Tensor& k, const Tensor& q, const Tensor& cos, const Tensor& sin,
                    const Tensor& k_turned, const Tensor& q_turned) {
  Operator result{.name = "apply_rope", .reads = {k, q, cos, sin}, .writes = {k_turned, q_turned}};
  const Dtype format = cos.dtype == Dtype::fp32 ? Dtype::fp32 : q.dtype;
  result.work = {{format, {}, {3 * (elements(k) + elements(q))}}};
  return result;
}

}  // namespace roofbeam
