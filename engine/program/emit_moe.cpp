#include <utility>

#include "engine/program/emit_routing.h"
#include "engine/program/experts.h"

namespace roofbeam {
namespace {

Extent padded(Extent extent, std::int64_t multiple) {
  return (extent + multiple - 1) / multiple * multiple;
}

Tensor pad_rows(Emitter& e, const Tensor& x, Extent rows) {
  if (x.shape[0] == rows) return x;
  return e.apply("constant_pad_nd", {x}, x.dtype, {rows, x.shape[1]},
                 "%,(0;0;0;" + std::to_string(rows - x.shape[0]) + "),0");
}

// Parts of consecutive rows, as views.
std::vector<Tensor> split_rows(Emitter& e, const Tensor& x, const std::vector<std::int64_t>& rows) {
  Operator op{.name = "split_with_sizes", .reads = {x}, .view = true};
  for (const std::int64_t count : rows) op.writes.push_back(e.fresh(x.dtype, {count, x.shape[1]}));
  std::vector<Tensor> parts = op.writes;
  e.add(std::move(op));
  return parts;
}

// Every expert works on rows of its own: those of all peers put together, in a buffer of all. Rows
// are filled up to a multiple of the TP size while an expert works on them.
Tensor emit_experts(Emitter& e, const Moe& moe, const Mlp& mlp, const Tensor& x,
                    const RoutedRows& routed) {
  const std::size_t peers = routed.received.size();
  const auto ranks = static_cast<std::int64_t>(peers);
  const std::vector<std::int64_t>& shares = routed.experts;
  if (shares.empty()) return x;

  std::vector<std::vector<Tensor>> pieces;  // by peer, then by expert
  for (const Tensor& part : split_rows(e, x, routed.received))
    pieces.push_back(split_rows(e, part, shares));
  std::vector<Tensor> rows_of_experts;
  std::vector<std::int64_t> rows;
  for (std::size_t expert = 0; expert < shares.size(); ++expert) {
    std::vector<Tensor> of_peers;
    for (const std::vector<Tensor>& peer : pieces) of_peers.push_back(peer[expert]);
    rows_of_experts.push_back(e.concat(of_peers, 0, ""));
    rows.push_back(shares[expert] * ranks);
  }
  const Tensor buffer = e.concat(rows_of_experts, 0, "");
  const std::vector<Tensor> inputs = split_rows(e, buffer, rows);
  std::vector<std::vector<Tensor>> results(peers);
  for (std::size_t expert = 0; expert < shares.size(); ++expert) {
    const Tensor& given = inputs[expert];
    Tensor y = given;
    if (given.shape[0] > 0)
      y = emit_expert(e, mlp, pad_rows(e, given, padded(given.shape[0], moe.parallel.tp.size())));
    else
      store(e, mlp);
    const Tensor kept = e.slice(y, 0, given.shape[0]);
    const std::vector<Tensor> parts =
        split_rows(e, kept, std::vector<std::int64_t>(peers, shares[expert]));
    for (std::size_t peer = 0; peer < peers; ++peer) results[peer].push_back(parts[peer]);
  }
  std::vector<Tensor> in_order;
  for (std::vector<Tensor>& peer : results)
    for (Tensor& part : peer) in_order.push_back(std::move(part));
  return e.concat(in_order, 0, "");
}

Tensor exchanged(Emitter& e, const Tensor& x, const Group& group,
                 const std::vector<std::int64_t>& received, const std::vector<std::int64_t>& sent) {
  if (group.size() <= 1) return x;
  Extent rows = 0;
  for (const std::int64_t count : received) rows += count;
  Tensor result = e.fresh(x.dtype, {rows, x.shape[1]});
  e.add(all_to_all(x, result, received, sent, group.ranks, group.me));
  return result;
}

// One column more: the external shared expert, whose weight is one.
Routes with_shared_expert(Emitter& e, const Routes& routes) {
  std::vector<Extent> column = routes.weights.shape;
  column.back() = 1;
  const auto constant = [&](std::string_view name, std::string_view options) {
    std::string sizes = "(";
    for (std::size_t i = 0; i < column.size(); ++i)
      sizes += (i > 0 ? ";" : "") + std::to_string(column[i]);
    return e.apply(name, {}, Dtype::fp32, column, sizes + ")," + std::string(options));
  };
  const auto joined = [&](const Tensor& x, const Tensor& more) {
    std::vector<Extent> shape = x.shape;
    ++shape.back();
    return e.apply("cat", {x, more}, Dtype::fp32, shape, "(%;%),-1");
  };
  const Tensor index = constant("empty", "{device=meta;pin_memory=False}");
  const Tensor experts = joined(routes.experts, index);
  const Tensor one = constant("ones", "{device=meta;pin_memory=False}");
  return {joined(routes.weights, one), experts};
}

// Sum over a token's experts of weight times result.
Tensor combined(Emitter& e, const Tensor& rows, const Routes& routes, bool in_single) {
  const std::vector<Extent>& choice = routes.experts.shape;
  std::vector<Extent> copies = choice;
  copies.push_back(rows.shape.back());
  const Tensor unpermuted = e.apply("unpermute_tokens", {rows, routes.experts}, rows.dtype, copies);
  std::vector<Extent> factor = choice;
  factor.push_back(1);
  const Tensor weights = e.view("unsqueeze", routes.weights, factor);
  const bool single = weights.dtype == Dtype::fp32;
  const Tensor weighted =
      e.apply("mul", {unpermuted, weights}, single ? Dtype::fp32 : rows.dtype, copies);
  copies.erase(copies.end() - 2);
  const Tensor sum = e.apply("sum", {weighted}, weighted.dtype, copies, "%,(-2)");
  return single && !in_single ? e.cast(sum, rows.dtype) : sum;
}

}  // namespace

Tensor emit(Emitter& e, const Moe& moe, const Tensor& x) {
  const ExpertParallel& parallel = moe.parallel;
  const Extent hidden = moe.routing.hidden;
  const Extent tokens = static_cast<Extent>(elements(x)) / hidden;
  const bool shares_tokens = parallel.ep.size() == 1 && parallel.dp.size() > 1;
  const std::int64_t slices = parallel.slices ? parallel.tp.size() : 1;

  Tensor flat = e.view("view", x, {tokens, hidden});
  if (shares_tokens) flat = e.gather(flat, 0, parallel.dp, 0);
  const Tensor all = flat;
  const Extent own = padded(flat.shape[0], slices) / slices;
  const auto own_part = [&](const Tensor& rows) {
    if (slices == 1) return rows;
    const Tensor whole_rows = e.view("view", rows, rows.shape);
    return e.slice(pad_rows(e, whole_rows, own * slices), 0, own);
  };
  Tensor scores;
  if (e.family().routes_before_slicing) {
    scores = own_part(emit_scores(e, moe.routing, flat));
    flat = own_part(flat);
  } else {
    flat = own_part(flat);
    scores = emit_scores(e, moe.routing, flat);
  }
  Routes routes = emit_choice(e, moe.routing, scores);
  const bool whole = slices == 1 && !shares_tokens;
  if (whole && e.family().keeps_batch_axis && routes.experts.shape.size() == 2) {
    const std::vector<Extent> batched{1, own, moe.routing.top_k};
    routes = {e.view("view", routes.weights, batched), e.view("view", routes.experts, batched)};
  }
  if (parallel.external > 0) routes = with_shared_expert(e, routes);

  const Tensor& given = whole ? x : flat;
  const RoutedRows routed = routed_rows(own, moe.routing, parallel);
  const Tensor rows =
      e.apply("init_routing_v2", {given, routes.experts}, x.dtype, {routed.rows, hidden});
  const Tensor received = exchanged(e, rows, parallel.ep, routed.received, routed.sent);
  const bool hosts_shared =
      parallel.external > 0 && parallel.hosts_external && moe.shared.has_value();
  const Tensor worked =
      emit_experts(e, moe, hosts_shared ? *moe.shared : moe.expert, received, routed);
  const Tensor returned = exchanged(e, worked, parallel.ep, routed.sent, routed.received);
  const bool in_single = e.family().sum_in_single && moe.shared && whole;
  Tensor y = combined(e, returned, routes, in_single);
  if (whole && y.shape != x.shape) y = e.view("view", y, x.shape);

  const auto with_shared = [&](const Tensor& routed_sum, const Tensor& of) {
    Tensor shared = emit(e, *moe.shared, of);
    if (moe.shared_gate) {
      const Tensor gate = emit_activation(e, "sigmoid", emit(e, *moe.shared_gate, of));
      shared = e.apply("mul", {gate, shared}, shared.dtype, shared.shape);
    }
    return e.apply("add", {routed_sum, shared});
  };
  const bool local_shared = moe.shared && parallel.external == 0;
  if (local_shared && !moe.shared_after_gather) y = with_shared(y, given);
  if (in_single) y = e.cast(y, x.dtype);
  if (slices > 1) {
    y = e.gather(y, 0, parallel.tp, 0);
    y = e.slice(y, 0, all.shape[0]);
  }
  if (local_shared && moe.shared_after_gather) y = with_shared(y, all);
  if (shares_tokens) y = e.slice(y, 0, tokens);
  return whole ? y : e.view("view", y, x.shape);
}

}  // namespace roofbeam
