#include <array>
#include <string>

#include "engine/program/program.h"

namespace roofbeam {
namespace {

struct FullName {
  std::string_view name;
  std::string_view full;
};

// Operators of the framework whose overload is not ".default", and those of the reference.
constexpr FullName kNames[] = {
    {"add", "aten.add.Tensor"},
    {"add_", "aten.add_.Scalar"},
    {"sub", "aten.sub.Tensor"},
    {"mul", "aten.mul.Tensor"},
    {"div", "aten.div.Tensor"},
    {"div_", "aten.div_.Tensor"},
    {"pow", "aten.pow.Tensor_Scalar"},
    {"mean", "aten.mean.dim"},
    {"sum", "aten.sum.dim_IntList"},
    {"ge", "aten.ge.Scalar"},
    {"lt", "aten.lt.Scalar"},
    {"bitwise_and", "aten.bitwise_and.Tensor"},
    {"where", "aten.where.self"},
    {"masked_fill", "aten.masked_fill.Scalar"},
    {"masked_fill_", "aten.masked_fill_.Scalar"},
    {"scatter_", "aten.scatter_.value"},
    {"slice", "aten.slice.Tensor"},
    {"select", "aten.select.int"},
    {"transpose", "aten.transpose.int"},
    {"split", "aten.split.Tensor"},
    {"unbind", "aten.unbind.int"},
    {"index", "aten.index.Tensor"},
    {"empty", "aten.empty.memory_format"},
    {"all_reduce", "tensor_cast.all_reduce.default"},
    {"all_gather", "tensor_cast.all_gather.default"},
    {"reduce_scatter", "tensor_cast.reduce_scatter.default"},
    {"all_to_all", "tensor_cast.all_to_all.default"},
    {"pipeline_send_recv", "tensor_cast.pipeline_send_recv.default"},
    {"attention", "tensor_cast.attention.default"},
    {"attention_quant", "tensor_cast.attention_quant.default"},
    {"reshape_and_cache", "tensor_cast.reshape_and_cache.default"},
    {"concat_and_cache_mla", "tensor_cast.concat_and_cache_mla.default"},
    {"mlapo", "tensor_cast.mlapo.default"},
    {"mlapo_quant", "tensor_cast.mlapo_quant.default"},
    {"multihead_latent_attention", "tensor_cast.multihead_latent_attention.default"},
    {"multihead_latent_attention_quant", "tensor_cast.multihead_latent_attention_quant.default"},
    {"quantize", "tensor_cast.quantize.default"},
    {"dynamic_quantize_symmetric", "tensor_cast.dynamic_quantize_symmetric.default"},
    {"dynamic_quantize_mxfp4", "tensor_cast.dynamic_quantize_mxfp4.default"},
    {"static_quant_linear", "tensor_cast.static_quant_linear.default"},
    {"static_quant_linear_int4", "tensor_cast.static_quant_linear_int4.default"},
    {"fp8_linear", "tensor_cast.fp8_linear.default"},
    {"mxfp4_linear", "tensor_cast.mxfp4_linear.default"},
    {"init_routing_v2", "tensor_cast.init_routing_v2.default"},
    {"unpermute_tokens", "tensor_cast.unpermute_tokens.default"},
    {"moe_gating_top_k_softmax", "tensor_cast.moe_gating_top_k_softmax.default"},
    {"shift_and_update_input_ids", "tensor_cast.shift_and_update_input_ids.default"},
    {"embedding", "aten.embedding.default"},
    {"mm", "aten.mm.default"},
    {"addmm", "aten.addmm.default"},
    {"bmm", "aten.bmm.default"},
    {"_to_copy", "aten._to_copy.default"},
    {"_softmax", "aten._softmax.default"},
    {"_unsafe_view", "aten._unsafe_view.default"},
    {"alias", "aten.alias.default"},
    {"argmax", "aten.argmax.default"},
    {"bitwise_not", "aten.bitwise_not.default"},
    {"cat", "aten.cat.default"},
    {"clamp", "aten.clamp.default"},
    {"clone", "aten.clone.default"},
    {"constant_pad_nd", "aten.constant_pad_nd.default"},
    {"convolution", "aten.convolution.default"},
    {"copy_", "aten.copy_.default"},
    {"cos", "aten.cos.default"},
    {"sin", "aten.sin.default"},
    {"exp", "aten.exp.default"},
    {"expand", "aten.expand.default"},
    {"gather", "aten.gather.default"},
    {"gelu", "aten.gelu.default"},
    {"index_select", "aten.index_select.default"},
    {"native_layer_norm", "aten.native_layer_norm.default"},
    {"neg", "aten.neg.default"},
    {"ones", "aten.ones.default"},
    {"permute", "aten.permute.default"},
    {"relu", "aten.relu.default"},
    {"rsqrt", "aten.rsqrt.default"},
    {"sigmoid", "aten.sigmoid.default"},
    {"silu", "aten.silu.default"},
    {"split_with_sizes", "aten.split_with_sizes.default"},
    {"squeeze", "aten.squeeze.dim"},
    {"stack", "aten.stack.default"},
    {"t", "aten.t.default"},
    {"tanh", "aten.tanh.default"},
    {"topk", "aten.topk.default"},
    {"unsqueeze", "aten.unsqueeze.default"},
    {"view", "aten.view.default"},
    {"zeros", "aten.zeros.default"},
    {"zeros_like", "aten.zeros_like.default"},
    {"convert_element_type", "prims.convert_element_type.default"},
    {"amax", "aten.amax.default"},
    {"clamp_min", "aten.clamp_min.default"},
    {"copy", "aten.copy.default"},
    {"scatter", "aten.scatter.value"},
    {"rms_norm", "tensor_cast.rms_norm.default"},
    {"rms_norm_quant", "tensor_cast.rms_norm_quant.default"},
    {"rms_norm_dynamic_quant_symmetric", "tensor_cast.rms_norm_dynamic_quant_symmetric.default"},
    {"rms_norm_dynamic_quant_mxfp4", "tensor_cast.rms_norm_dynamic_quant_mxfp4.default"},
    {"add_rms_norm", "tensor_cast.add_rms_norm.default"},
    {"add_rms_norm2", "tensor_cast.add_rms_norm2.default"},
    {"add_rms_norm_quant2", "tensor_cast.add_rms_norm_quant2.default"},
    {"add_rms_norm_dynamic_quant2_symmetric",
     "tensor_cast.add_rms_norm_dynamic_quant2_symmetric.default"},
    {"add_rms_norm_dynamic_quant2_mxfp4", "tensor_cast.add_rms_norm_dynamic_quant2_mxfp4.default"},
    {"layer_norm", "tensor_cast.layer_norm.default"},
    {"swiglu", "tensor_cast.swiglu.default"},
    {"fused_silu", "tensor_cast.silu.default"},
    {"fused_gelu", "tensor_cast.gelu.default"},
    {"apply_rope", "tensor_cast.apply_rope.default"},
    {"grouped_matmul", "tensor_cast.grouped_matmul.default"},
    {"grouped_matmul_swiglu", "tensor_cast.grouped_matmul_swiglu.default"},
    {"grouped_matmul_quant", "tensor_cast.grouped_matmul_quant.default"},
    {"grouped_matmul_quant_swiglu", "tensor_cast.grouped_matmul_quant_swiglu.default"},
    {"grouped_matmul_quant_int4", "tensor_cast.grouped_matmul_quant_int4.default"},
    {"grouped_matmul_quant_int4_swiglu", "tensor_cast.grouped_matmul_quant_int4_swiglu.default"},
    {"grouped_matmul_fp8", "tensor_cast.grouped_matmul_fp8.default"},
    {"grouped_matmul_fp8_swiglu", "tensor_cast.grouped_matmul_fp8_swiglu.default"},
    {"grouped_matmul_mxfp4", "tensor_cast.grouped_matmul_mxfp4.default"},
    {"grouped_matmul_mxfp4_swiglu", "tensor_cast.grouped_matmul_mxfp4_swiglu.default"},
    {"grouped_matmul_mxfp4_swiglu_quant", "tensor_cast.grouped_matmul_mxfp4_swiglu_quant.default"},
};

// The reference's spelling of formats; weights in fp8 are of another variant than what is quantized
// in attention.
std::string_view format(const Tensor& tensor) {
  switch (tensor.dtype) {
    case Dtype::fp32:
      return "f32";
    case Dtype::bf16:
      return "bf16";
    case Dtype::fp16:
      return "f16";
    case Dtype::fp8:
      return tensor.role == TensorRole::weight ? "torch.float8_e5m2" : "f8e4m3";
    case Dtype::int8:
      return "i8";
    case Dtype::int4:
      return "torch.int4";
    case Dtype::fp4:
      return "fp4";
    case Dtype::int32:
      return "i32";
    case Dtype::int64:
      return "i64";
    case Dtype::boolean:
      return "b";
    case Dtype::uint8:
      return "u8";
    case Dtype::e8m0:
      return "e8m0";
  }
  return "";
}

std::string text(const Tensor& tensor) {
  std::string result(format(tensor));
  result += '[';
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (i > 0) result += ',';
    result += std::to_string(tensor.shape[i]);
  }
  return result + ']';
}

// A longer list is written as its first item and their number.
constexpr std::size_t kListedTensors = 16;

std::string list_text(const std::vector<std::string>& items) {
  if (items.size() > kListedTensors)
    return "(" + items.front() + ";..x" + std::to_string(items.size()) + ")";
  std::string result = "(";
  for (std::size_t i = 0; i < items.size(); ++i) result += (i > 0 ? ";" : "") + items[i];
  return result + ")";
}

}  // namespace

std::string full_name(std::string_view name) {
  for (const FullName& row : kNames)
    if (row.name == name) return std::string(row.full);
  return "roofbeam." + std::string(name);
}

std::string signature_of_inputs(const Operator& op) {
  std::string result;
  if (op.arguments.empty()) {
    for (std::size_t i = 0; i < op.reads.size(); ++i)
      result += (i > 0 ? "," : "") + text(op.reads[i]);
    return result;
  }
  std::size_t next = 0;
  const auto operand = [&] { return next < op.reads.size() ? text(op.reads[next++]) : "None"; };
  for (std::size_t at = 0; at < op.arguments.size(); ++at) {
    const char letter = op.arguments[at];
    if (letter == '(' && op.arguments.compare(at, 2, "(%") == 0) {  // a list of tensors
      std::vector<std::string> items;
      for (; op.arguments[at] != ')'; ++at)
        if (op.arguments[at] == '%') items.push_back(operand());
      result += list_text(items);
    } else if (letter == '%') {
      result += operand();
    } else {
      result += letter;
    }
  }
  return result;
}

std::string signature_of_outputs(const Operator& op) {
  if (op.writes.empty()) return "None";
  if (op.writes.size() == 1) return text(op.writes.front());
  std::vector<std::string> items;
  for (const Tensor& tensor : op.writes) items.push_back(text(tensor));
  return list_text(items);
}

}  // namespace roofbeam
