#include "engine/program/shard.h"

#include <algorithm>

namespace roofbeam {
namespace {

Extent ceil_div(Extent a, Extent b) { return (a + b - 1) / b; }

class Sharder {
 public:
  Sharder(const ParallelSizes& sizes, std::int64_t rank)
      : sizes_(sizes),
        rank_(rank),
        tp_(contiguous_group(rank, sizes.tp)),
        dp_(strided_group(rank, sizes.dp, sizes.tp)),
        moe_tp_(contiguous_group(rank, sizes.moe_tp)),
        ep_(strided_group(rank, sizes.ep, sizes.moe_tp)) {}

  void operator()(Embedding& embedding) const {
    if (sizes_.tp == 1 || sizes_.word_embedding == WordEmbedding::replicated) return;
    embedding.cut = sizes_.word_embedding;
    embedding.group = tp_;
    if (embedding.cut == WordEmbedding::columns) embedding.dim = ceil_div(embedding.dim, sizes_.tp);
    if (embedding.cut == WordEmbedding::rows)
      embedding.vocab = ceil_div(embedding.vocab, sizes_.tp);
  }

  void operator()(Attention& a) const {
    a.heads = ceil_div(a.heads, sizes_.tp);
    // Fewer key heads than ranks are held by several.
    a.kv_heads = std::max<Extent>(1, a.kv_heads / sizes_.tp);
    a.q.out = a.heads * a.head_dim;
    a.k.out = a.kv_heads * a.head_dim;
    a.v.out = a.kv_heads * a.v_head_dim;
    if (a.norm_over_heads && a.q_norm) a.q_norm->dim = a.q.out;
    if (a.norm_over_heads && a.k_norm) a.k_norm->dim = a.k.out;
    cut_rows(a.o, sizes_.o_proj_tp);
    a.context_group = contiguous_group(rank_, sizes_.dcp);
  }

  void operator()(LatentAttention& a) const {
    a.heads = ceil_div(a.heads, sizes_.tp);
    a.q_up.out = a.heads * (a.nope_dim + a.rope_dim);
    a.kv_up.out = a.heads * (a.nope_dim + a.v_dim);
    cut_rows(a.o, sizes_.o_proj_tp);
    a.context_group = contiguous_group(rank_, sizes_.dcp);
  }

  void operator()(Mlp& mlp) const { cut(mlp, sizes_.mlp_tp); }

  void operator()(Moe& moe) const {
    ExpertParallel& parallel = moe.parallel;
    parallel.ep = ep_;
    parallel.tp = tp_;
    parallel.dp = dp_;
    parallel.slices = sizes_.ep > 1 && sizes_.tp > 1;
    parallel.external = external_ranks(sizes_, moe.routing.top_k);
    parallel.hosts_external = sizes_.hosts_external_shared_experts;
    const std::int64_t routing_ranks = sizes_.ep - parallel.external;
    if (parallel.external > 0) {
      parallel.redundant = routing_ranks - moe.routing.experts % routing_ranks;
      if (!sizes_.redundant_experts && parallel.redundant == routing_ranks) parallel.redundant = 0;
    } else if (sizes_.redundant_experts) {
      parallel.redundant = sizes_.ep;
    }
    cut_within(moe.expert, moe_tp_);
    if (moe.shared && sizes_.shared_expert_tp) {
      cut(*moe.shared, sizes_.mlp_tp);
      moe.shared_after_gather = true;
    }
  }

  void operator()(Head& head) const {
    Linear& linear = head.linear;
    const std::int64_t ways = sizes_.lm_head_tp;
    linear.cut = Cut::columns;
    linear.whole_out = linear.out;
    linear.out = ceil_div(linear.out, ways);
    if (ways == sizes_.tp)
      linear.group = tp_;
    else
      relay(linear, ways);
  }

  template <class Other>
  void operator()(Other&) const {}

 private:
  void cut_columns(Linear& linear, std::int64_t ways) const {
    linear.whole_out = linear.out;
    linear.out = ceil_div(linear.out, ways);
    linear.cut = Cut::columns;
    if (ways != sizes_.tp) relay(linear, ways);
  }

  void cut_rows(Linear& linear, std::int64_t ways) const {
    const Extent whole = linear.in;
    linear.in = ceil_div(linear.in, ways);
    linear.cut = Cut::rows;
    linear.group = contiguous_group(rank_, ways);
    if (ways == sizes_.tp) return;
    relay(linear, ways);
    linear.relayout->in = whole;
  }

  void relay(Linear& linear, std::int64_t ways) const {
    linear.relayout = Relayout{.whole = tp_, .matrix = contiguous_group(rank_, ways)};
  }

  void cut(Mlp& mlp, std::int64_t ways) const {
    if (mlp.gate) cut_columns(*mlp.gate, ways);
    cut_columns(mlp.up, ways);
    cut_rows(mlp.down, ways);
  }

  // Cut among ranks that all have the same tokens already.
  void cut_within(Mlp& mlp, const Group& group) const {
    for (Linear* linear : {mlp.gate ? &*mlp.gate : nullptr, &mlp.up})
      if (linear != nullptr) {
        linear->cut = Cut::columns;
        linear->whole_out = linear->out;
        linear->out = ceil_div(linear->out, group.size());
      }
    mlp.down.cut = Cut::rows;
    mlp.down.in = ceil_div(mlp.down.in, group.size());
    mlp.down.group = group;
  }

  const ParallelSizes& sizes_;
  std::int64_t rank_;
  Group tp_, dp_, moe_tp_, ep_;
};

// Experts a token of the design passes through; 0 without any.
Extent top_k_of(const Model& model) {
  for (const Run& run : model.runs)
    for (const Module& module : run.modules)
      if (const Moe* moe = std::get_if<Moe>(&module.kind)) return moe->routing.top_k;
  return 0;
}

}  // namespace

Group contiguous_group(std::int64_t rank, std::int64_t size) {
  return strided_group(rank, size, 1);
}

Group strided_group(std::int64_t rank, std::int64_t size, std::int64_t stride) {
  const std::int64_t span = size * stride;
  const std::int64_t first = rank / span * span + rank % stride;
  Group group{.ranks = {}};
  for (std::int64_t i = 0; i < size; ++i) {
    if (first + i * stride == rank) group.me = static_cast<std::size_t>(i);
    group.ranks.push_back(first + i * stride);
  }
  return group;
}

std::int64_t external_ranks(const ParallelSizes& sizes, Extent top_k) {
  if (!sizes.external_shared_experts || sizes.ep < 2 || top_k == 0) return 0;
  return top_k + 1 > sizes.ep ? 1 : ceil_div(sizes.ep, top_k + 1);
}

Model sharded(Model model, const ParallelSizes& sizes) {
  const std::int64_t external = external_ranks(sizes, top_k_of(model));
  const Sharder sharder(sizes, sizes.hosts_external_shared_experts ? 0 : external);
  for (Run& run : model.runs)
    for (Module& module : run.modules) std::visit(sharder, module.kind);
  return model;
}

}  // namespace roofbeam
