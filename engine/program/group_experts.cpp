#include <algorithm>
#include <utility>

#include "engine/program/fuse.h"
#include "engine/program/products.h"

namespace roofbeam {
namespace {

// Rows of one tensor, part by part.
struct Parts {
  Tensor whole = {};
  std::vector<Tensor> parts = {};
};

class Grouping {
 public:
  explicit Grouping(Rewriter& graph) : graph_(graph) {}

  // As far as the same happens to each of the parts.
  void run(NodeId split) {
    const Operator& op = graph_.at(split);
    Parts at{op.reads.front(), op.writes};
    const Extent width = at.whole.shape.back();
    if (at.parts.size() < 2 || std::ranges::any_of(at.parts, [&](const Tensor& part) {
          return part.shape.back() != width || part.shape.front() == 0;
        }))
      return;
    for (;;) {
      if (group_quantization(at)) continue;
      if (!group_products(at)) return;
    }
  }

 private:
  // The one reader of each part, all of one name; none where they differ.
  [[nodiscard]] std::vector<NodeId> readers(const std::vector<Tensor>& parts) const {
    std::vector<NodeId> result;
    for (const Tensor& part : parts) {
      const NodeId reader = graph_.sole_reader(part.value);
      if (reader == kNoNode ||
          graph_.name(reader) != graph_.name(result.empty() ? reader : result.front()))
        return {};
      result.push_back(reader);
    }
    return result;
  }

  // Parts of `whole`, of as many rows each as `like`, behind `place`.
  Parts split(NodeId place, const Tensor& whole, const std::vector<Tensor>& like) {
    Parts result{whole, {}};
    Operator op{.name = "split_with_sizes", .reads = {whole}, .view = true};
    for (const Tensor& part : like) {
      std::vector<Extent> shape = whole.shape;
      shape.front() = part.shape.front();
      result.parts.push_back(graph_.fresh(whole.dtype, std::move(shape)));
    }
    op.writes = result.parts;
    graph_.insert_behind(place, std::move(op));
    return result;
  }

  // What quantizes each part quantizes the whole; its scale is that of every part.
  bool group_quantization(Parts& at) {
    const std::vector<NodeId> nodes = readers(at.parts);
    if (nodes.empty() || !is_quantization(graph_.name(nodes.front()))) return false;
    const NodeId first = nodes.front();
    Operator whole = quantization_of(graph_, graph_.at(first), at.whole);
    const std::vector<Tensor> results = whole.writes;
    const NodeId place = graph_.insert_before(first, std::move(whole));
    Parts parts = split(place, results.front(), at.parts);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::vector<Tensor> old = graph_.at(nodes[i]).writes;
      graph_.remove(nodes[i]);
      graph_.substitute(old.front().value, parts.parts[i]);
      if (old.size() > 1) graph_.substitute(old[1].value, results[1]);
    }
    at = std::move(parts);
    return true;
  }

  // gate, up = the two halves of a product, and swiglu(gate, up) alone reads them.
  struct Gated {
    NodeId split = kNoNode, swiglu = kNoNode;
  };
  [[nodiscard]] std::optional<Gated> gated(const Tensor& y) const {
    Gated result{.split = graph_.sole_reader(y.value)};
    if (result.split == kNoNode || graph_.name(result.split) != "split_with_sizes")
      return std::nullopt;
    const std::vector<Tensor>& halves = graph_.at(result.split).writes;
    if (halves.size() != 2) return std::nullopt;
    result.swiglu = graph_.sole_reader(halves[0].value);
    if (result.swiglu == kNoNode || graph_.name(result.swiglu) != "swiglu" ||
        !graph_.read_only_by(halves[1].value, result.swiglu))
      return std::nullopt;
    return result;
  }

  bool group_products(Parts& at) {
    const std::vector<NodeId> nodes = readers(at.parts);
    if (nodes.empty()) return false;
    std::vector<Product> products;
    std::vector<Gated> gates;
    for (const NodeId node : nodes) {
      const std::optional<Product> product = product_of(graph_.at(node));
      if (!product) return false;
      products.push_back(*product);
      if (const std::optional<Gated> gate = gated(product->y)) gates.push_back(*gate);
    }
    for (const Product& product : products)
      if (product.w.shape != products.front().w.shape ||
          product.bias.has_value() != products.front().bias.has_value())
        return false;
    const bool is_gated = gates.size() == products.size();
    std::vector<Tensor> results;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      results.push_back(is_gated ? graph_.at(gates[i].swiglu).writes.front() : products[i].y);
    const Tensor y =
        graph_.fresh(results.front().dtype, {at.whole.shape.front(), results.front().shape.back()});
    const NodeId place = graph_.insert_before(
        nodes.front(), is_gated ? grouped_swiglu(products, y) : grouped_product(products, y));
    Parts parts = split(place, y, at.parts);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      graph_.remove(nodes[i]);
      if (is_gated) {
        graph_.remove(gates[i].swiglu);
        graph_.remove(gates[i].split);
      }
      graph_.substitute(results[i].value, parts.parts[i]);
    }
    at = std::move(parts);
    return true;
  }

  Rewriter& graph_;
};

}  // namespace

void group_experts(Rewriter& graph) {
  for (const NodeId node : graph.named("split_with_sizes"))
    if (graph.is_left(node)) Grouping(graph).run(node);
  graph.tidy();
}

}  // namespace roofbeam
