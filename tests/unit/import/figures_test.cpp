// Imported models come to the published counts, to the parameter and to the byte.

#include "engine/analysis/parameters.h"
#include "engine/analysis/work.h"
#include "engine/graph/elaboration.h"
#include "tests/unit/import/configs.h"

namespace roofbeam {
namespace {

// What an import comes to.
struct Figures {
  double params = 0;
  double active_params = 0;
  double kv_bytes_per_token = 0;
  double kv_bytes_per_sequence = 0;
};

Figures figures_of(const Document& document) {
  const Elaboration design = elaborate(document);
  for (const Finding& finding : design.findings)
    EXPECT_NE(finding.severity, Severity::error) << document.meta.name << ": " << finding.message;
  const ParameterCount params = count_parameters(design);
  const CacheCount cache = count_cache(design, OperatingPoint{});
  return {params.total, params.active, cache.per_token.value, cache.per_sequence_fixed.value};
}

double number(const json::Value& row, const char* key) { return row.find(key)->number(); }

// The cache of a token where every layer keeps all of them: what a window of W tokens holds in a
// sequence, W of them hold.
double unwindowed(const Figures& figures, const Document& document) {
  for (const SymbolDefinition& symbol : document.symbols)
    if (symbol.name == "W")
      return figures.kv_bytes_per_token + figures.kv_bytes_per_sequence / symbol.value.number();
  return figures.kv_bytes_per_token;
}

TEST(Figures, OfRealModelsAreThePublishedOnes) {
  const json::Value expected = golden_json("expected.json");
  ASSERT_FALSE(expected.find("models")->array().empty());
  for (const json::Value& row : expected.find("models")->array()) {
    const std::string& name = row.find("config")->string();
    const Result<Import> import = import_config(golden_text("configs/" + name + ".json"));
    ASSERT_TRUE(import) << name << ": " << listed(import.errors());
    const Figures figures = figures_of(import->document);
    EXPECT_EQ(figures.params, number(row, "params")) << name;
    EXPECT_EQ(figures.active_params, number(row, "active_params")) << name;
    EXPECT_EQ(unwindowed(figures, import->document), number(row, "kv_bytes_per_token")) << name;
    EXPECT_EQ(import->mtp_params, number(row, "mtp_params")) << name;
    json::Array codes;
    for (const Diagnostic& warning : import->warnings) codes.emplace_back(warning.code);
    EXPECT_EQ(json::Value(codes), *row.find("warnings")) << name;
  }
}

TEST(Figures, OfPresetsConfigsAreThePresets) {
  const json::Value expected = golden_json("expected.json");
  ASSERT_FALSE(expected.find("presets")->array().empty());
  for (const json::Value& row : expected.find("presets")->array()) {
    const std::string& name = row.find("preset")->string();
    const Result<Import> import = import_config(golden_text("configs/preset-" + name + ".json"));
    ASSERT_TRUE(import) << name << ": " << listed(import.errors());
    EXPECT_EQ(listed(import->warnings), "") << name;
    const Figures figures = figures_of(import->document);
    EXPECT_EQ(figures.params, number(row, "params")) << name;
    EXPECT_EQ(figures.active_params, number(row, "active_params")) << name;
    EXPECT_EQ(figures.kv_bytes_per_token, number(row, "kv_bytes_per_token")) << name;
    EXPECT_EQ(figures.kv_bytes_per_sequence, number(row, "kv_bytes_per_sequence")) << name;
  }
}

struct FigureCase {
  const char* name;
  std::string_view base;
  const char* changes;
  Figures figures;
};

// Dense: q 256x512, k and v 256x128, o 512x256, three feed-forward matrices 256x512, two norms.
constexpr double kDenseLayer = 256 * 512 + 2 * 256 * 128 + 512 * 256 + 3 * 256 * 512 + 2 * 256;
constexpr double kDenseTotal = 4 * kDenseLayer + 2 * 1000 * 256 + 256;
// Experts: 256x256 four times, a router 256x8, nine experts of 256x128, two norms; the first layer
// has a feed-forward block of 1024 instead.
constexpr double kExpert = 3 * 256 * 128;
constexpr double kAttention = 4 * 256 * 256 + 2 * 256;
constexpr double kExpertsTotal =
    4 * kAttention + 3 * 256 * 1024 + 3 * (256 * 8 + 9 * kExpert) + 2 * 1000 * 256 + 256;
// Latent attention: q 256x64, norm, 64x(4x24); kv 256x40, norm, 32x(4x32); o (4x16)x256.
constexpr double kLatentAttention =
    256 * 64 + 64 + 64 * 4 * 24 + 256 * 40 + 32 + 32 * 4 * 32 + 4 * 16 * 256;

const FigureCase kFigures[] = {
    {"dense", kDense, "{}", {kDenseTotal, kDenseTotal, 4 * 2 * 2 * 64 * 2, 0}},
    {"tied",
     kDense,
     R"({"tie_word_embeddings": true})",
     {kDenseTotal - 1000 * 256, kDenseTotal - 1000 * 256, 4 * 2 * 2 * 64 * 2, 0}},
    {"biases on q, k, v and o",
     kDense,
     R"({"attention_bias": true})",
     {kDenseTotal + 4 * (512 + 2 * 128 + 256), kDenseTotal + 4 * (512 + 2 * 128 + 256),
      4 * 2 * 2 * 64 * 2, 0}},
    {"biases on q, k and v",
     kDense,
     R"({"model_type": "qwen2"})",
     {kDenseTotal + 4 * (512 + 2 * 128), kDenseTotal + 4 * (512 + 2 * 128), 4 * 2 * 2 * 64 * 2, 0}},
    {"biases in the feed-forward block",
     kDense,
     R"({"mlp_bias": true})",
     {kDenseTotal + 4 * (2 * 512 + 256), kDenseTotal + 4 * (2 * 512 + 256), 4 * 2 * 2 * 64 * 2, 0}},
    {"norms of queries and keys",
     kDense,
     R"({"model_type": "qwen3"})",
     {kDenseTotal + 4 * 2 * 64, kDenseTotal + 4 * 2 * 64, 4 * 2 * 2 * 64 * 2, 0}},
    {"windows",
     kDense,
     R"({"model_type": "mistral", "sliding_window": 128})",
     {kDenseTotal, kDenseTotal, 0, 4 * 2 * 2 * 64 * 2 * 128}},
    {"windows on half the layers",
     kDense,
     R"({"model_type": "qwen2", "sliding_window": 128, "use_sliding_window": true,
         "max_window_layers": 2})",
     {kDenseTotal + 4 * (512 + 2 * 128), kDenseTotal + 4 * (512 + 2 * 128), 2 * 2 * 2 * 64 * 2,
      2 * 2 * 2 * 64 * 2 * 128}},
    {"experts",
     kExperts,
     "{}",
     {kExpertsTotal, kExpertsTotal - 3 * 6 * kExpert, 4 * 2 * 8 * 32 * 2, 0}},
    {"every second layer of experts",
     kExperts,
     R"({"model_type": "qwen3_moe", "decoder_sparse_step": 2, "-first_k_dense_replace": 0})",
     {4 * (kAttention + 2 * 32) + 2 * 3 * 256 * 1024 + 2 * (256 * 8 + 9 * kExpert) +
          2 * 1000 * 256 + 256,
      4 * (kAttention + 2 * 32) + 2 * 3 * 256 * 1024 + 2 * (256 * 8 + 3 * kExpert) +
          2 * 1000 * 256 + 256,
      4 * 2 * 8 * 32 * 2, 0}},
    {"latent attention",
     kLatent,
     "{}",
     {3 * (kLatentAttention + 3 * 256 * 512 + 2 * 256) + 2 * 1000 * 256 + 256,
      3 * (kLatentAttention + 3 * 256 * 512 + 2 * 256) + 2 * 1000 * 256 + 256, 3 * (32 + 8) * 2,
      0}},
};

TEST(Figures, OfSmallModelsAreThoseOfTheArithmetic) {
  ASSERT_EQ(kDenseTotal, 3'397'888);
  ASSERT_EQ(kExpertsTotal, 5'009'664);
  ASSERT_EQ(kLatentAttention, 53'344);
  for (const FigureCase& row : kFigures) {
    const Result<Import> import = import_config(changed(row.base, row.changes));
    ASSERT_TRUE(import) << row.name << ": " << listed(import.errors());
    const Figures figures = figures_of(import->document);
    EXPECT_EQ(figures.params, row.figures.params) << row.name;
    EXPECT_EQ(figures.active_params, row.figures.active_params) << row.name;
    EXPECT_EQ(figures.kv_bytes_per_token, row.figures.kv_bytes_per_token) << row.name;
    EXPECT_EQ(figures.kv_bytes_per_sequence, row.figures.kv_bytes_per_sequence) << row.name;
  }
}

}  // namespace
}  // namespace roofbeam
