#include <utility>

#include "engine/program/fuse.h"
#include "engine/program/kinds.h"

namespace roofbeam {
namespace {

bool is_equal(const Operator& a, const Operator& b) {
  if (a.name != b.name || a.arguments != b.arguments || a.reads.size() != b.reads.size() ||
      a.writes.front().dtype != b.writes.front().dtype)
    return false;
  for (std::size_t i = 0; i < a.reads.size(); ++i)
    if (a.reads[i].value != b.reads[i].value) return false;
  return true;
}

// Where that quantization of `x` stands already.
NodeId known_quantization(const Rewriter& graph, const Operator& wanted) {
  for (const NodeId reader : graph.readers(wanted.reads.front().value))
    if (is_equal(graph.at(reader), wanted)) return reader;
  return kNoNode;
}

}  // namespace

bool is_quantization(std::string_view name) {
  return name == "quantize" || name == "dynamic_quantize_symmetric" ||
         name == "dynamic_quantize_mxfp4";
}

Operator quantization_of(Rewriter& graph, const Operator& op, const Tensor& x) {
  Tensor values = graph.fresh(op.writes.front().dtype, x.shape);
  if (op.name == "quantize") {
    Operator result = quantize(x, op.reads[1], values);
    result.arguments = op.arguments;
    return result;
  }
  if (op.name == "dynamic_quantize_symmetric")
    return dynamic_quantize_symmetric(x, values, graph.fresh(op.writes[1]));
  const Extent groups = op.writes[1].shape.back();
  const Extent group = std::stoll(op.arguments.substr(op.arguments.rfind(',') + 1));
  std::vector<Extent> scales = x.shape;
  scales.back() = x.shape.back() == op.reads.front().shape.back()
                      ? groups
                      : (x.shape.back() + group - 1) / group;
  return dynamic_quantize_mxfp4(x, values, graph.fresh(op.writes[1].dtype, std::move(scales)),
                                group);
}

void lift_quantizations(Rewriter& graph) {
  for (const NodeId node : graph.nodes()) {
    if (!graph.is_left(node) || !is_quantization(graph.name(node))) continue;
    const Operator old = graph.at(node);
    std::vector<Tensor> shapes;  // of the views between, innermost last
    Tensor x = old.reads.front();
    NodeId above = node;
    for (;;) {
      const NodeId view = graph.writer_named(x, "view");
      if (view == kNoNode || !graph.read_only_by(x.value, above)) break;
      shapes.push_back(x);
      above = view;
      x = graph.at(view).reads.front();
    }
    Operator lifted = quantization_of(graph, old, x);
    NodeId place = known_quantization(graph, lifted);
    if (place == node) continue;
    if (place == kNoNode) {
      const NodeId source = graph.writer(x);
      place = source == kNoNode ? graph.insert_first(std::move(lifted))
                                : graph.insert_behind(source, std::move(lifted));
    }
    const std::vector<Tensor> results = graph.at(place).writes;
    // What comes back in the shape it is read in.
    Tensor values = results.front();
    for (auto shape = shapes.rbegin(); shape != shapes.rend(); ++shape) {
      const Tensor seen = graph.fresh(values.dtype, shape->shape);
      graph.insert_before(node, view_operator("view", values, seen));
      values = seen;
    }
    graph.substitute(old.writes.front().value, values);
    if (results.size() > 1) graph.substitute(old.writes[1].value, results[1]);
    graph.remove(node);
  }
  graph.tidy();
}

}  // namespace roofbeam
