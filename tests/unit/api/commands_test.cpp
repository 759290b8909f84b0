// validate, show, explain and diff through the boundary.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/api/run.h"
#include "engine/base/embedded.h"
#include "engine/json/value.h"

namespace roofbeam {
namespace {

json::Value response_to(std::string_view request) {
  const Result<json::Value> response = json::parse(api::run(request));
  EXPECT_TRUE(static_cast<bool>(response));
  return response ? *response : json::Value();
}

// The result of a request without its version: command("validate", R"("preset":"gpt2-xl")").
json::Value command(std::string_view name, std::string_view members) {
  const json::Value response = response_to(R"({"schema_version":1,"command":")" + std::string(name) + R"(",)" +
                                           std::string(members) + "}");
  EXPECT_EQ(*response.find("ok"), json::Value(true));
  return *response.find("result");
}

std::vector<std::string> codes(std::string_view request) {
  std::vector<std::string> codes;
  const json::Value response = response_to(request);
  EXPECT_EQ(*response.find("ok"), json::Value(false));
  for (const json::Value& diagnostic : response.find("diagnostics")->array())
    codes.push_back(diagnostic.find("code")->string() + " " + diagnostic.find("path")->string());
  return codes;
}

// A lone norm without wires.
constexpr std::string_view kBroken = R"("design":{"version":1,"meta":{"name":"b"},"rules":{"dangling-output":"off","shap":"off"},
  "graph":{"nodes":[{"id":"n","type":"rmsnorm","params":{"dim":64}}],"edges":[]}})";

TEST(Validate, ReportsFindingsCountsAndOverrides) {
  const json::Value result = command("validate", kBroken);
  EXPECT_EQ(*result.find("ok"), json::Value(false));
  EXPECT_EQ(*result.find("counts")->find("error"), json::Value(1));
  const json::Array& findings = result.find("findings")->array();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(*findings[0].find("rule"), json::Value("shape"));
  EXPECT_EQ(*findings[0].find("path"), json::Value("n"));
  EXPECT_EQ(*findings[0].find("port"), json::Value("x"));
  EXPECT_TRUE(findings[0].find("param")->is_null());
  const json::Array& overridden = result.find("overridden")->array();
  ASSERT_EQ(overridden.size(), 1u);
  EXPECT_EQ(overridden[0], json::Value(json::Object{{"rule", "dangling-output"}, {"path", "n"}, {"from", "warning"}, {"to", "off"}}));
}

TEST(Validate, RemarksOnGradesOfRulesThatDoNotExist) {
  const json::Value response = response_to(R"({"schema_version":1,"command":"validate",)" + std::string(kBroken) + "}");
  const json::Array& notes = response.find("notes")->array();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].string().find("did you mean \"shape\"?"), std::string::npos) << notes[0].string();
}

TEST(Validate, GivesTheFindingsThatAnalyzeGives) {
  for (const EmbeddedFile& file : embedded_files("designs")) {
    const std::string preset = R"("preset":")" + std::string(file.name) + "\"";
    const json::Value validated = command("validate", preset);
    EXPECT_EQ(*validated.find("ok"), json::Value(true)) << file.name;
    EXPECT_EQ(*validated.find("findings"), *command("analyze", preset).find("findings")) << file.name;
  }
}

TEST(Validate, JudgesAtTheOperatingPoint) {
  const auto rules = [](std::string_view options) {
    std::vector<std::string> fired;
    const json::Value result = command("validate", R"("preset":"llama-3-8b","options":)" + std::string(options));
    for (const json::Value& finding : result.find("findings")->array()) fired.push_back(finding.find("rule")->string());
    return fired;
  };
  EXPECT_EQ(rules(R"({"hardware":"b200"})"), std::vector<std::string>{});
  EXPECT_EQ(rules(R"({"hardware":"rtx4090"})"), (std::vector<std::string>{"training-fits"}));
  EXPECT_EQ(rules(R"({"hardware":"rtx5080"})"), (std::vector<std::string>{"inference-fits", "training-fits"}));
}

// Paths of a tree, depth first.
void walk(const json::Value& blocks, std::vector<std::string>& paths) {
  for (const json::Value& block : blocks.array()) {
    paths.push_back(block.find("path")->string());
    walk(*block.find("children"), paths);
  }
}

const json::Value* block_at(const json::Value& blocks, std::string_view path) {
  for (const json::Value& block : blocks.array()) {
    if (block.find("path")->string() == path) return &block;
    if (const json::Value* inside = block_at(*block.find("children"), path)) return inside;
  }
  return nullptr;
}

TEST(Show, ListsTheDocumentsBlocksWithShapesAndTargets) {
  const json::Value result = command("show", R"("preset":"llama-3-8b")");
  EXPECT_EQ(*result.find("name"), json::Value("llama-3-8b"));
  const json::Value& tree = *result.find("tree");
  std::vector<std::string> paths;
  walk(tree, paths);
  EXPECT_EQ(paths, (std::vector<std::string>{"tokens", "embed", "layers", "layers/_in", "layers/block", "layers/_out",
                                             "final_norm", "head", "logits"}));
  const json::Value& layers = *block_at(tree, "layers");
  EXPECT_EQ(*layers.find("kind"), json::Value("container"));
  EXPECT_EQ(*layers.find("repeat"), json::Value(32));
  const json::Value& output = layers.find("outputs")->array().at(0);
  EXPECT_EQ(*output.find("shape"), json::Value("B T D"));
  EXPECT_EQ(*output.find("numeric_shape"), json::Value("B T 4096"));
  EXPECT_EQ(output.find("to")->array(), json::Array{json::Value("final_norm:x")});
  const json::Value& block = *block_at(tree, "layers/block");
  EXPECT_EQ(*block.find("kind"), json::Value("composite"));
  EXPECT_TRUE(block.find("repeat")->is_null());
  EXPECT_EQ(block.find("params")->number() * 32, layers.find("params")->number());
  EXPECT_EQ(*block.find("arguments")->find("heads"), json::Value("H"));
}

TEST(Show, OpensCompositesWhereAsked) {
  const json::Value result = command("show", R"("preset":"llama-3-8b","expand":true)");
  const json::Value* q_proj = block_at(*result.find("tree"), "layers/block/attn/q_proj");
  ASSERT_NE(q_proj, nullptr);
  EXPECT_EQ(*q_proj->find("arguments")->find("out_features"), json::Value("H*dh"));
  EXPECT_EQ(*q_proj->find("params"), json::Value(4096 * 4096));
}

TEST(Show, ShowsWhatItDoesNotUnderstand) {
  const json::Value result = command("show", R"("design":{"version":1,"meta":{"name":"b"},"graph":{"nodes":[
    {"id":"a","type":"liner","params":{"w":1}},{"id":"t","type":"input"},{"id":"t","type":"output"}],"edges":[]}})");
  const json::Array& tree = result.find("tree")->array();
  ASSERT_EQ(tree.size(), 3u);
  EXPECT_EQ(*tree[0].find("kind"), json::Value("unknown"));
  EXPECT_TRUE(tree[0].find("params")->is_null());
  EXPECT_EQ(*tree[0].find("arguments")->find("w"), json::Value(1));
  EXPECT_EQ(*tree[1].find("kind"), json::Value("primitive"));
  EXPECT_EQ(*tree[2].find("kind"), json::Value("unknown"));
}

TEST(Explain, TellsAboutOneBlock) {
  const json::Value result = command("explain", R"("preset":"llama-3-8b","path":"layers/block/attn")");
  EXPECT_EQ(*result.find("type"), json::Value("gqa_attention"));
  EXPECT_EQ(*result.find("docs")->find("name"), json::Value("grouped-query attention"));
  EXPECT_EQ(*result.find("copies")->find("total"), json::Value(32));
  const json::Value& heads = *result.find("params")->find("heads");
  EXPECT_EQ(*heads.find("value"), json::Value(32));
  EXPECT_EQ(*result.find("params")->find("d_model")->find("expression"), json::Value("D"));
  EXPECT_TRUE(result.find("params")->find("causal")->find("expression")->is_null());
  EXPECT_EQ(*result.find("ports")->find("in")->find("x"), json::Value("... d_model"));
  EXPECT_EQ(*result.find("shapes")->find("in")->find("x"), json::Value("B T D"));
  EXPECT_EQ(result.find("contribution")->find("params")->number(), 32.0 * (2 * 4096 * 4096 + 2 * 4096 * 1024));
  EXPECT_EQ(result.find("breakdown")->array().size(), 4u);
  EXPECT_EQ(result.find("mask")->find("kept")->array().size(), 1024u);
}

TEST(Explain, TellsAboutEveryBlockLargestFirst) {
  const json::Value result = command("explain", R"("preset":"gpt2-small")");
  const json::Array& blocks = result.find("blocks")->array();
  EXPECT_EQ(*blocks.front().find("path"), json::Value("layers"));
  EXPECT_TRUE(std::ranges::is_sorted(blocks, std::greater{}, [](const json::Value& block) {
    return block.find("contribution")->find("params")->number();
  }));
}

TEST(Explain, RefusesWhatIsNotThere) {
  EXPECT_EQ(codes(R"({"schema_version":1,"command":"explain","preset":"llama-3-8b","path":"layers/blok"})"),
            std::vector<std::string>{"explain.unknown_path /path"});
  EXPECT_EQ(codes(R"({"schema_version":1,"command":"explain","preset":"llama-3-8b","path":"layers","head":32})"),
            std::vector<std::string>{"json.range /head"});
}

TEST(Diff, ComparesTwoModels) {
  const json::Value result = command("diff", R"("a":{"preset":"llama-2-7b"},"b":{"preset":"llama-3-8b"})");
  EXPECT_EQ(*result.find("a"), json::Value("llama-2-7b"));
  EXPECT_EQ(*result.find("identical"), json::Value(false));
  EXPECT_EQ(*result.find("at")->find("T"), json::Value(8192));
  EXPECT_EQ(*result.find("at")->find("hardware"), json::Value("h100-sxm"));
  const json::Value& params = result.find("metrics")->array().at(0);
  EXPECT_EQ(*params.find("id"), json::Value("params"));
  EXPECT_EQ(params.find("delta")->number(), 1'291'845'632);
  EXPECT_FALSE(result.find("symbols")->find("changed")->array().empty());
}

TEST(Diff, IsIdenticalBetweenEquals) {
  const json::Value result = command("diff", R"("a":{"preset":"t5-small"},"b":{"preset":"t5-small"},"options":{"T":64})");
  EXPECT_EQ(*result.find("identical"), json::Value(true));
  EXPECT_EQ(*result.find("at"), json::Value(json::Object{{"T", 64}, {"B", 1}, {"S", 512}, {"hardware", "h100-sxm"}}));
}

TEST(Diff, RefusesEverySideAtItsPlace) {
  EXPECT_EQ(codes(R"({"schema_version":1,"command":"diff","a":{"preset":"llama"},"b":{},"options":{"T":0}})"),
            (std::vector<std::string>{"model.unknown_preset /a/preset", "request.model /b", "json.range /options/T"}));
  EXPECT_EQ(codes(R"({"schema_version":1,"command":"diff","a":"llama-3-8b"})"),
            (std::vector<std::string>{"json.type /a", "json.missing /b"}));
}

}  // namespace
}  // namespace roofbeam
