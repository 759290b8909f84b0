#include <algorithm>
#include <utility>

#include "engine/program/fuse.h"
#include "engine/program/fused_kinds.h"
#include "engine/program/pattern.h"

namespace roofbeam {
namespace {

bool is_half(const Tensor& tensor) {
  return tensor.dtype == Dtype::fp16 || tensor.dtype == Dtype::bf16;
}

// The last argument: "1e-06" of "%,1e-06".
std::string last_argument(const Operator& op) {
  return op.arguments.substr(op.arguments.rfind(',') + 1);
}

bool to_rms_norm(Rewriter& graph, const Match& match) {
  const Tensor y = graph.at(match.root).writes.front();
  const Tensor& x = match.tensor('x');
  if (!is_half(x) || !is_half(y) || x.shape != y.shape) return false;
  graph.replace(match.root,
                rms_norm(x, match.tensor('w'), last_argument(graph.at(match.node('e'))), y));
  return true;
}

bool to_swiglu(Rewriter& graph, const Match& match) {
  const Tensor y = graph.at(match.root).writes.front();
  const Tensor &gate = match.tensor('g'), &up = match.tensor('u');
  if (!is_half(y) || gate.shape != up.shape) return false;
  graph.replace(match.root, swiglu(gate, up, y));
  return true;
}

bool to_silu(Rewriter& graph, const Match& match) {
  graph.replace(match.root,
                fused_silu(match.tensor('x'), Tensor(graph.at(match.root).writes.front())));
  return true;
}

bool to_gelu(Rewriter& graph, const Match& match) {
  const Operator& op = graph.at(match.root);
  const bool by_tanh = op.arguments.find("tanh") != std::string::npos;
  graph.replace(match.root, fused_gelu(match.tensor('x'), by_tanh, Tensor(op.writes.front())));
  return true;
}

// Means and deviations are for the backward pass.
bool to_layer_norm(Rewriter& graph, NodeId node) {
  const Operator& op = graph.at(node);
  for (std::size_t i = 1; i < op.writes.size(); ++i)
    if (!graph.readers(op.writes[i].value).empty()) return false;
  const bool has_bias = op.reads.size() == 3;
  graph.replace(node, layer_norm(op.reads[0], op.reads[1],
                                 has_bias ? std::optional(op.reads[2]) : std::nullopt,
                                 last_argument(op), Tensor(op.writes.front())));
  return true;
}

bool to_add_rms_norm(Rewriter& graph, const Match& match) {
  const Operator& norm = graph.at(match.root);
  const NodeId sum = match.node('s');
  const Tensor y = norm.writes.front();
  const Tensor added = match.tensor('s');
  if (match.tensor('a').shape != y.shape) return false;
  const bool reads_sum = !graph.read_only_by(added.value, match.root);
  Operator fused =
      add_rms_norm(match.tensor('a'), match.tensor('b'), match.tensor('w'), last_argument(norm), y,
                   reads_sum ? std::optional(added) : std::nullopt);
  graph.remove(match.root);
  graph.replace(sum, std::move(fused));
  return true;
}

// The framework knows norms and quantizations together with this eps alone.
constexpr std::string_view kQuantizedEps = "1e-06";

bool to_quantized_norm(Rewriter& graph, const Match& match) {
  const NodeId node = match.node('n');
  const Operator norm = graph.at(node);
  if (last_argument(norm) != kQuantizedEps) return false;
  if (!graph.read_only_by(norm.writes.front().value, match.root)) return false;
  Operator fused = quantized_norm(norm, graph.at(match.root));
  graph.remove(match.root);
  graph.replace(node, std::move(fused));
  return true;
}

constexpr Fusion kNormsAndGates[] = {
    {"mul(w,convert_element_type(mul(f:convert_element_type(x),rsqrt(e:add(mean(pow(f)))))))",
     to_rms_norm},
    {"mul(silu(g),u)", to_swiglu},
    {"mul(u,silu(g))", to_swiglu},
};

constexpr Fusion kActivations[] = {
    {"silu(x)", to_silu},
    {"gelu(x)", to_gelu},
};

constexpr Fusion kNormsOfSums[] = {
    {"rms_norm(*s:add(a,b),w)", to_add_rms_norm},
};

constexpr Fusion kQuantizedNorms[] = {
    {"quantize(n:rms_norm(x,w),s)", to_quantized_norm},
    {"dynamic_quantize_symmetric(n:rms_norm(x,w))", to_quantized_norm},
    {"dynamic_quantize_mxfp4(n:rms_norm(x,w))", to_quantized_norm},
    {"quantize(*n:add_rms_norm2(a,b,w),s)", to_quantized_norm},
    {"dynamic_quantize_symmetric(*n:add_rms_norm2(a,b,w))", to_quantized_norm},
    {"dynamic_quantize_mxfp4(*n:add_rms_norm2(a,b,w))", to_quantized_norm},
};

// x cos + [-second half, first half] sin
constexpr std::string_view kRotation =
    "add(mul(x,*unsqueeze(c)),mul(cat(neg(slice(x)),slice(x)),*unsqueeze(s)))";

struct Rotation {
  NodeId node = kNoNode;
  Tensor x = {}, cos = {}, sin = {};
};

// [1, heads, tokens, width] as [1, tokens, heads, width].
std::vector<Extent> tokens_first(const Tensor& heads) {
  return {heads.shape[0], heads.shape[2], heads.shape[1], heads.shape[3]};
}

// Whoever turns axes back reads what has them so already.
void hand_on(Rewriter& graph, const Tensor& heads, const Tensor& tokens) {
  for (const NodeId reader : std::vector<NodeId>(graph.readers(heads.value)))
    if (graph.name(reader) == "permute" && graph.at(reader).writes.front().shape == tokens.shape)
      graph.substitute(graph.at(reader).writes.front().value, tokens);
}

}  // namespace

void fuse_rotations(Rewriter& graph) {
  std::vector<Rotation> found;
  for (const NodeId node : graph.named("add"))
    if (const std::optional<Match> match = matched(graph, node, kRotation)) {
      const Tensor &x = match->tensor('x'), &cos = match->tensor('c');
      if (x.shape.size() == 4 && is_half(graph.at(node).writes.front()) &&
          graph.writer_named(x, "permute") != kNoNode && cos.shape.back() == x.shape.back())
        found.push_back({node, x, cos, match->tensor('s')});
    }
  for (std::size_t i = 0; i + 1 < found.size(); i += 2) {
    const Rotation &q = found[i], &k = found[i + 1];
    if (q.cos.value != k.cos.value || q.sin.value != k.sin.value) continue;
    const Tensor q_heads = graph.at(q.node).writes.front();
    const Tensor k_heads = graph.at(k.node).writes.front();
    const Tensor q_turned = graph.fresh(q_heads.dtype, tokens_first(q_heads));
    const Tensor k_turned = graph.fresh(k_heads.dtype, tokens_first(k_heads));
    graph.insert_before(q.node, apply_rope(k.x, q.x, q.cos, q.sin, k_turned, q_turned));
    hand_on(graph, q_heads, q_turned);
    hand_on(graph, k_heads, k_turned);
    for (const auto& [node, heads, turned] :
         {std::tuple{q.node, q_heads, q_turned}, {k.node, k_heads, k_turned}})
      graph.replace(node, view_operator("permute", turned, heads));
  }
  graph.tidy();
}

void fuse_chains(Rewriter& graph) {
  for (const NodeId node : graph.named("native_layer_norm")) to_layer_norm(graph, node);
  fuse(graph, kNormsAndGates);
  fuse(graph, kActivations);
  fuse(graph, kNormsOfSums);
  fuse(graph, kQuantizedNorms);
}

}  // namespace roofbeam
