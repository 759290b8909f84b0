#include "engine/explain/contribution.h"

#include <algorithm>

#include "engine/base/embedded.h"
#include "tests/support/documents.h"

namespace roofbeam {
namespace {

struct Explained {
  Elaboration design;
  Analysis analysis;
  Contributions contributions;
};

Explained explained(const Document& document, const OperatingPointOptions& options = {}) {
  Elaboration design = elaborate(document);
  Analysis analysis = analyze(design, options, *device_named(kDefaultDevice));
  Contributions contributions(design, analysis);
  return {std::move(design), std::move(analysis), std::move(contributions)};
}

Document preset(std::string_view name) { return tests::document_of(embedded_file("designs", name)->text); }

InstanceId id_of(const Elaboration& design, std::string_view path) {
  return static_cast<InstanceId>(design.find(path) - design.instances.data());
}

// The top level's contributions are the design.
TEST(Contributions, AddUpToTheDesign) {
  for (const EmbeddedFile& file : embedded_files("designs")) {
    const Explained one = explained(tests::document_of(file.text));
    Contribution sum;
    for (const InstanceId id : one.design.roots) {
      const Contribution& part = one.contributions.of(id);
      sum.params += part.params;
      sum.active_params += part.active_params;
      sum.flops_per_token += part.flops_per_token;
      sum.activations += part.activations;
      sum.cache_per_token += part.cache_per_token;
      sum.cache_per_sequence += part.cache_per_sequence;
    }
    EXPECT_EQ(sum.params, one.analysis.params.total) << file.name;
    EXPECT_EQ(sum.active_params, one.analysis.params.active) << file.name;
    const double flops = one.analysis.work.forward().value;
    EXPECT_NEAR(sum.flops_per_token.value, flops, 1e-12 * flops) << file.name;
    EXPECT_EQ(sum.activations, one.analysis.activations.total) << file.name;
    EXPECT_EQ(sum.cache_per_token, one.analysis.cache.per_token) << file.name;
    EXPECT_EQ(sum.cache_per_sequence, one.analysis.cache.per_sequence_fixed) << file.name;
  }
}

TEST(Contributions, OfOneAttentionAreItsProjections) {
  const Explained llama = explained(preset("llama-3-8b"));
  const Contribution& attention = llama.contributions.of(id_of(llama.design, "layers/block/attn"));
  const double params = 32.0 * (4096 * 4096 + 2 * 4096 * 1024 + 4096 * 4096);  // q, k and v, o; 32 layers
  EXPECT_EQ(attention.params, params);
  EXPECT_EQ(attention.active_params, params);
  EXPECT_DOUBLE_EQ(attention.share_of_params, params / 8'030'261'248);
  // 2 a weight, and 2 x 32 heads x (128 + 128) x T/2 keys, in 32 layers
  EXPECT_EQ(attention.flops_per_token.value, 2 * params + 32.0 * 2 * 32 * 256 * 4096);
  EXPECT_EQ(attention.cache_per_token.value, 2 * 32 * 8 * 128 * 2);
}

TEST(Contributions, StateCachesAtTwoBytesWhateverTheCachesDtype) {
  OperatingPointOptions options;
  options.kv_dtype = Dtype::fp8;
  const Explained llama = explained(preset("llama-3-8b"), options);
  EXPECT_EQ(llama.contributions.of(id_of(llama.design, "layers")).cache_per_token.value, 131'072);
  EXPECT_EQ(llama.analysis.cache.per_token.value, 65'536);
}

TEST(Contributions, OfExpertsAreActiveByTopK) {
  const Explained mixtral = explained(preset("mixtral-8x7b"));
  for (const Instance& instance : mixtral.design.instances) {
    if (instance.spec->type != "moe_experts") continue;
    const Contribution& experts = mixtral.contributions.of(id_of(mixtral.design, instance.path));
    EXPECT_EQ(experts.params, 32.0 * 8 * 3 * 4096 * 14336);
    EXPECT_EQ(experts.active_params, experts.params * 2 / 8);
  }
}

TEST(WeightsOfOneCopy, AreAllLayersOfAStackAndOneOfWhatIsInIt) {
  const Elaboration llama = elaborate(preset("llama-3-8b"));
  const std::vector<double> weights = weights_of_one_copy(llama);
  const double layer = 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336 + 2 * 4096;
  EXPECT_EQ(weights[id_of(llama, "layers/block")], layer);
  EXPECT_EQ(weights[id_of(llama, "layers")], 32 * layer);
  EXPECT_EQ(weights[id_of(llama, "embed")], 128256.0 * 4096);
}

TEST(LargestParts, AreTwelvePrimitivesAtMostLargestFirst) {
  const Explained llama = explained(preset("llama-3-8b"));
  const InstanceId layers = id_of(llama.design, "layers");
  const std::vector<InstanceId> parts = largest_parts(llama.design, llama.contributions, layers);
  ASSERT_EQ(parts.size(), 9u);  // 4 projections, 3 matrices, 2 norms
  // Three matrices of one size: the first of equals in the order of the drawing.
  EXPECT_EQ(llama.design.instances[parts.front()].path, "layers/block/mlp/gate");
  EXPECT_TRUE(std::ranges::is_sorted(parts, std::greater{}, [&](InstanceId id) { return llama.contributions.of(id).params; }));

  const Explained nemotron = explained(preset("nemotron-h-8b"));
  for (const InstanceId root : nemotron.design.roots)
    EXPECT_LE(largest_parts(nemotron.design, nemotron.contributions, root).size(), 12u);

  const InstanceId norm = id_of(llama.design, "layers/block/norm1");
  EXPECT_EQ(largest_parts(llama.design, llama.contributions, norm), std::vector<InstanceId>{norm});
  EXPECT_TRUE(largest_parts(llama.design, llama.contributions, id_of(llama.design, "layers/block/attn/attn")).empty());
}

TEST(BlocksBySize, AreTheDocumentsOwnLargestFirst) {
  const Explained llama = explained(preset("llama-3-8b"));
  std::vector<std::string> paths;
  for (const InstanceId id : blocks_by_size(llama.design, llama.contributions))
    paths.push_back(llama.design.instances[id].path);
  EXPECT_EQ(std::vector(paths.begin(), paths.begin() + 4),
            (std::vector<std::string>{"layers", "layers/block", "embed", "head"}));
  EXPECT_EQ(std::ranges::count_if(paths, [](const std::string& path) { return path.starts_with("layers/block/"); }), 0);
}

// A size without a value sorts last and breaks nothing.
TEST(BlocksBySize, PutWhatHasNoSizeLast) {
  const Explained broken = explained(tests::design(
      R"("D":64,"Bad":"1/0")", R"({"id":"a","type":"rmsnorm","params":{"dim":"Bad"}},{"id":"b","type":"rmsnorm","params":{"dim":"D"}},
         {"id":"c","type":"rmsnorm","params":{"dim":"2*D"}})"));
  std::vector<std::string> paths;
  for (const InstanceId id : blocks_by_size(broken.design, broken.contributions))
    paths.push_back(broken.design.instances[id].path);
  EXPECT_EQ(paths, (std::vector<std::string>{"c", "b", "a"}));
}

}  // namespace
}  // namespace roofbeam
