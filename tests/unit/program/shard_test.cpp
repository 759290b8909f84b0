#include "engine/program/shard.h"

#include <gtest/gtest.h>

#include "tests/unit/program/modules.h"

namespace roofbeam {
namespace {

using Ranks = std::vector<std::int64_t>;
using tests::module;

// tp ranks hold a layer together, every matrix cut among them.
ParallelSizes tensor_parallel(std::int64_t tp, std::int64_t devices) {
  return {.devices = devices,
          .tp = tp,
          .dp = devices / tp,
          .o_proj_tp = tp,
          .mlp_tp = tp,
          .lm_head_tp = tp,
          .moe_tp = devices};
}

TEST(Groups, AreContiguousOrStrided) {
  EXPECT_EQ(contiguous_group(0, 4).ranks, (Ranks{0, 1, 2, 3}));
  EXPECT_EQ(contiguous_group(6, 4).ranks, (Ranks{4, 5, 6, 7}));
  EXPECT_EQ(contiguous_group(6, 4).me, 2u);
  EXPECT_EQ(strided_group(0, 4, 4).ranks, (Ranks{0, 4, 8, 12}));
  EXPECT_EQ(strided_group(5, 4, 4).ranks, (Ranks{1, 5, 9, 13}));
  EXPECT_EQ(strided_group(5, 4, 4).me, 1u);
}

TEST(Shard, DividesHeadsAndWidthsAndAddsUpWhatIsCutByRows) {
  const Model model = sharded(tests::model_of({tests::attention(), tests::mlp(64), tests::head()}),
                              tensor_parallel(4, 8));
  const Attention& attention = module<Attention>(model, 0);
  EXPECT_EQ(attention.heads, 2);
  EXPECT_EQ(attention.kv_heads, 1);
  EXPECT_EQ(attention.q.out, 32);
  EXPECT_EQ(attention.k.out, 16);
  EXPECT_EQ(attention.o.in, 32);
  EXPECT_EQ(attention.o.group.ranks, (Ranks{0, 1, 2, 3}));
  const Mlp& mlp = module<Mlp>(model, 1);
  EXPECT_EQ(mlp.gate->out, 16);
  EXPECT_EQ(mlp.down.in, 16);
  EXPECT_EQ(mlp.down.cut, Cut::rows);
  EXPECT_FALSE(mlp.down.relayout.has_value());
  EXPECT_EQ(module<Head>(model, 2).linear.out, 250);
}

TEST(Shard, RepeatsKeyHeadsWhereThereAreMoreRanks) {
  const Model model = sharded(tests::model_of({tests::attention()}), tensor_parallel(8, 8));
  EXPECT_EQ(module<Attention>(model, 0).heads, 1);
  EXPECT_EQ(module<Attention>(model, 0).kv_heads, 1);
  EXPECT_EQ(module<Attention>(model, 0).k.out, 16);
}

TEST(Shard, RelaysTokensForAMatrixOfAnotherGroup) {
  ParallelSizes sizes = tensor_parallel(2, 8);
  sizes.o_proj_tp = 4;
  sizes.mlp_tp = 8;
  const Model model = sharded(tests::model_of({tests::attention(), tests::mlp(64)}), sizes);
  const Linear& o = module<Attention>(model, 0).o;
  EXPECT_EQ(o.in, 32);
  ASSERT_TRUE(o.relayout.has_value());
  EXPECT_EQ(o.relayout->in, 128);
  EXPECT_EQ(o.relayout->whole.ranks, (Ranks{0, 1}));
  EXPECT_EQ(o.relayout->matrix.ranks, (Ranks{0, 1, 2, 3}));
  const Linear& up = module<Mlp>(model, 1).up;
  EXPECT_EQ(up.out, 8);
  EXPECT_EQ(up.whole_out, 64);
  EXPECT_EQ(up.relayout->matrix.size(), 8);
}

TEST(Shard, CutsTheTableOfWordsByColumnsOrRows) {
  ParallelSizes sizes = tensor_parallel(4, 4);
  const Model table = tests::model_of({Embedding{.vocab = 1002, .dim = 128}});
  EXPECT_EQ(module<Embedding>(sharded(table, sizes), 0).dim, 128);
  sizes.word_embedding = WordEmbedding::columns;
  EXPECT_EQ(module<Embedding>(sharded(table, sizes), 0).dim, 32);
  sizes.word_embedding = WordEmbedding::rows;
  EXPECT_EQ(module<Embedding>(sharded(table, sizes), 0).vocab, 251);
}

TEST(Shard, DividesExpertsAmongRanksAndTokensAmongThoseThatShareThem) {
  ParallelSizes sizes = tensor_parallel(4, 8);
  sizes.ep = 8;
  sizes.moe_tp = 1;
  const Moe moe = module<Moe>(sharded(tests::model_of({tests::moe()}), sizes), 0);
  EXPECT_TRUE(moe.parallel.slices);
  EXPECT_EQ(moe.parallel.ep.size(), 8);
  EXPECT_EQ(moe.expert.up.out, 64);  // whole experts
  EXPECT_EQ(moe.shared->up.out, 256);
  EXPECT_FALSE(moe.shared_after_gather);
  sizes.shared_expert_tp = true;
  const Moe shared = module<Moe>(sharded(tests::model_of({tests::moe()}), sizes), 0);
  EXPECT_EQ(shared.shared->up.out, 64);
  EXPECT_TRUE(shared.shared_after_gather);
}

TEST(Shard, CutsEveryExpertWhereExpertsAreNotDivided) {
  const Moe moe = module<Moe>(sharded(tests::model_of({tests::moe()}), tensor_parallel(4, 4)), 0);
  EXPECT_FALSE(moe.parallel.slices);
  EXPECT_EQ(moe.expert.up.out, 16);
  EXPECT_EQ(moe.expert.down.group.size(), 4);
}

// 16 ranks, a token goes to 8 experts and the shared one: ceil(16 / 9) = 2 ranks host the shared
// ones, 14 the 256 routed ones, to which 14 - 256 mod 14 = 10 copies are added.
TEST(Shard, SetsRanksApartForExternalSharedExperts) {
  ParallelSizes sizes = tensor_parallel(4, 16);
  sizes.ep = 16;
  sizes.moe_tp = 1;
  sizes.external_shared_experts = true;
  Moe moe = tests::moe();
  moe.routing.experts = 256;
  moe.routing.top_k = 8;
  const Moe routed = module<Moe>(sharded(tests::model_of({moe}), sizes), 0);
  EXPECT_EQ(routed.parallel.external, 2);
  EXPECT_EQ(routed.parallel.redundant, 10);
  EXPECT_EQ(routed.parallel.ep.me, 2u);
  sizes.hosts_external_shared_experts = true;
  EXPECT_EQ(module<Moe>(sharded(tests::model_of({moe}), sizes), 0).parallel.ep.me, 0u);
}

}  // namespace
}  // namespace roofbeam
