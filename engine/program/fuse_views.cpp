#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/program/fuse.h"
#include "engine/program/kinds.h"

namespace roofbeam {
namespace {

bool has_one_operand_one_result(const Operator& op) {
  return op.view && op.reads.size() == 1 && op.writes.size() == 1;
}

// Collects the parts that joins of joins are made of.
void add_parts(const Rewriter& graph, const Tensor& joined, std::vector<Tensor>& parts) {
  const NodeId node = graph.writer_named(joined, "cat");
  if (node == kNoNode) {
    parts.push_back(joined);
    return;
  }
  for (const Tensor& part : graph.at(node).reads) add_parts(graph, part, parts);
}

// The tensor whose rows a part is of, through splits of splits.
Tensor whole_of(const Rewriter& graph, Tensor part) {
  for (;;) {
    const NodeId node = graph.writer_named(part, "split_with_sizes");
    if (node == kNoNode) return part;
    part = graph.at(node).reads.front();
  }
}

// The tensor that a join puts together again, in whatever order of rows: its parts are all those of
// splits of one.
std::optional<Tensor> rejoined(const Rewriter& graph, const Operator& join) {
  std::vector<Tensor> parts;
  for (const Tensor& part : join.reads) add_parts(graph, part, parts);
  const Tensor whole = whole_of(graph, parts.front());
  if (whole.shape != join.writes.front().shape) return std::nullopt;
  std::vector<ValueId> seen;
  for (const Tensor& part : parts) {
    if (whole_of(graph, part).value != whole.value || part.value == whole.value)
      return std::nullopt;
    seen.push_back(part.value);
  }
  std::ranges::sort(seen);
  return std::ranges::adjacent_find(seen) == seen.end() ? std::optional(whole) : std::nullopt;
}

}  // namespace

void drop_aliases(Rewriter& graph) {
  for (const NodeId node : graph.nodes()) {
    const Operator& op = graph.at(node);
    const bool is_alias = has_one_operand_one_result(op) && op.name != "permute" &&
                          op.reads.front().shape == op.writes.front().shape;
    const bool is_whole = op.name == "split_with_sizes" && op.writes.size() == 1;
    if (is_alias || is_whole) graph.substitute(op.writes.front().value, Tensor(op.reads.front()));
  }
  for (const NodeId node : graph.named("cat")) {
    const Operator& op = graph.at(node);
    std::vector<Tensor> filled;
    for (const Tensor& part : op.reads)
      if (elements(part) > 0) filled.push_back(part);
    const ValueId result = op.writes.front().value;
    if (filled.size() == 1)
      graph.substitute(result, filled.front());
    else if (const std::optional<Tensor> whole = rejoined(graph, op))
      graph.substitute(result, *whole);
  }
  graph.tidy();
}

void reduce_below_views(Rewriter& graph) {
  for (const NodeId node : graph.named("all_reduce")) {
    const Tensor viewed = graph.at(node).reads.front();
    const NodeId view = graph.writer_named(viewed, "view");
    if (view == kNoNode || !graph.read_only_by(viewed.value, node)) continue;
    const Tensor result = graph.at(node).writes.front();
    const Tensor flat = graph.at(view).reads.front();
    Operator reduced = graph.at(node);
    reduced.reads = {flat};
    reduced.writes = {graph.fresh(flat)};
    reduced.collective->message = flat;
    const Tensor sum = reduced.writes.front();
    graph.replace(node, std::move(reduced));
    graph.insert_behind(node, view_operator("view", sum, result));
    for (const NodeId reader : std::vector<NodeId>(graph.readers(result.value))) {
      const Operator& op = graph.at(reader);
      if (op.name != "add" || op.reads.size() != 2) continue;
      for (std::size_t i = 0; i < 2; ++i)
        if (op.reads[i].value == result.value && op.reads[1 - i].shape == op.writes.front().shape)
          graph.reread(reader, i, sum);
    }
  }
  graph.tidy();
}

void merge_views(Rewriter& graph) {
  std::vector<std::tuple<ValueId, std::string_view, std::vector<Extent>, Tensor>> known;
  for (const NodeId node : graph.nodes()) {
    const Operator& op = graph.at(node);
    if (!has_one_operand_one_result(op)) continue;
    // Slices and selections of one shape may be of different places.
    if (op.name == "slice" || op.name == "select") continue;
    const Tensor result = op.writes.front();
    const auto equal = std::ranges::find_if(known, [&](const auto& other) {
      return std::get<0>(other) == op.reads.front().value && std::get<1>(other) == op.name &&
             std::get<2>(other) == result.shape;
    });
    if (equal == known.end())
      known.emplace_back(op.reads.front().value, op.name, result.shape, result);
    else
      graph.substitute(result.value, std::get<3>(*equal));
  }
  graph.tidy();
}

}  // namespace roofbeam
