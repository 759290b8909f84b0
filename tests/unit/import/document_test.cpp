// Whole documents of a few configs, as files under tests/goldens/import/documents. With
// ROOFBEAM_UPDATE_GOLDENS set the files are written anew: read the difference before committing it.

#include <cstdlib>

#include "engine/base/embedded.h"
#include "tests/unit/import/configs.h"

namespace roofbeam {
namespace {

struct DocumentCase {
  const char* name;
  std::string text;
};

std::string config(const char* name) {
  return golden_text("configs/" + std::string(name) + ".json");
}

std::vector<DocumentCase> documents() {
  return {
      {"gpt2", config("openai-community__gpt2")},
      {"llama-3.1-8b", config("meta-llama__Llama-3.1-8B")},
      {"gemma-2-27b", config("google__gemma-2-27b")},
      {"deepseek-v3", config("deepseek-ai__DeepSeek-V3")},
      {"windowed-tail", changed(kDense, R"({"model_type": "gemma2", "num_hidden_layers": 8,
                                            "sliding_window_pattern": 3})")},
      {"sparse-steps", changed(kExperts, R"({"model_type": "qwen3_moe", "decoder_sparse_step": 2,
                                             "num_hidden_layers": 5, "-first_k_dense_replace": 0})")},
  };
}

TEST(Documents, AreAsRecorded) {
  const std::vector<DocumentCase> cases = documents();
  for (const DocumentCase& row : cases) {
    const Result<Import> import = import_config(row.text, {.name = row.name});
    ASSERT_TRUE(import) << row.name << ": " << listed(import.errors());
    const std::string written = json::write(to_json(import->document), json::Layout::readable);
    const std::string file = "documents/" + std::string(row.name) + ".tensorcad.json";
    if (std::getenv("ROOFBEAM_UPDATE_GOLDENS") != nullptr)
      std::ofstream(ROOFBEAM_SOURCE_DIR "/tests/goldens/import/" + file) << written;
    EXPECT_EQ(written, golden_text(file)) << row.name;
  }
}

// An import is an ordinary document: what it writes, the strict reader takes, unchanged.
TEST(Documents, SurviveReading) {
  const json::Value expected = golden_json("expected.json");
  ASSERT_FALSE(expected.find("models")->array().empty());
  for (const json::Value& row : expected.find("models")->array()) {
    const std::string& name = row.find("config")->string();
    const Result<Import> import = import_config(golden_text("configs/" + name + ".json"));
    ASSERT_TRUE(import) << name;
    const json::Value written = to_json(import->document);
    const Result<Document> read = read_document(written);
    ASSERT_TRUE(read) << name << ": " << listed(read.errors());
    EXPECT_EQ(to_json(*read), written) << name;
  }
}

// The importer and the hand-written preset of the same model draw the same graph.
TEST(Documents, EqualThePresets) {
  for (const char* name : {"qwen2.5-7b", "qwen3-8b", "gemma-2-9b", "gpt2-small", "deepseek-v3"}) {
    const Result<Import> import = import_config(config(("preset-" + std::string(name)).c_str()));
    ASSERT_TRUE(import) << name;
    const EmbeddedFile* file = embedded_file("designs", name);
    ASSERT_NE(file, nullptr) << name;
    const json::Value preset = json_of(file->text);
    EXPECT_EQ(json::write(*to_json(import->document).find("graph"), json::Layout::readable),
              json::write(*preset.find("graph"), json::Layout::readable))
        << name;
  }
}

}  // namespace
}  // namespace roofbeam
