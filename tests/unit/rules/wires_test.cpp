// Rules about what is wired to what, and what is used.
#include "tests/unit/rules/judged.h"

namespace roofbeam {
namespace {

using tests::wired;
using tests::judged;
using tests::of_rule;

std::vector<std::string> places(const Findings& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings) all.push_back(finding.path.value_or("-") + ":" + finding.port.value_or("-"));
  return all;
}

using Places = std::vector<std::string>;

TEST(ElementClasses, RefuseIndicesAtAPortThatMultiplies) {
  const Document document = wired(R"([{ "id": "tokens", "type": "input", "params": { "shape": "B T 64" } },
    { "id": "fc", "type": "linear", "params": { "in_features": 64, "out_features": 64 } }, { "id": "out", "type": "output" }])",
                                   R"([["tokens:x", "fc:x"], ["fc:y", "out:x"]])");
  const Findings findings = of_rule(judged(document), "dtype");
  ASSERT_EQ(places(findings), Places{"fc:x"});
  EXPECT_NE(findings[0].message.find("integers from \"tokens\""), std::string::npos) << findings[0].message;
  EXPECT_NE(findings[0].hint.find("embedding"), std::string::npos);
}

TEST(ElementClasses, RefuseRealNumbersAtAnEmbedding) {
  const Document document = wired(R"([{ "id": "x", "type": "input", "params": { "dtype": "bf16" } },
    { "id": "embed", "type": "embedding", "params": { "vocab": 128, "dim": 64 } }, { "id": "out", "type": "output" }])",
                                   R"([["x:x", "embed:ids"], ["embed:y", "out:x"]])");
  EXPECT_EQ(places(of_rule(judged(document), "dtype")), Places{"embed:ids"});
}

constexpr std::string_view kThroughRearrange = R"([
  { "id": "tokens", "type": "input", "params": { "shape": "B T 64" } },
  { "id": "turned", "type": "rearrange", "params": { "from": "B T 64", "to": "B 64 T" } },
  { "id": "back", "type": "rearrange", "params": { "from": "B 64 T", "to": "B T 64" } },
  { "id": "norm", "type": "rmsnorm", "params": { "dim": 64 } }, { "id": "out", "type": "output" }])";

TEST(ElementClasses, WalkBackThroughBlocksThatInherit) {
  const Document document =
      wired(kThroughRearrange, R"([["tokens:x", "turned:x"], ["turned:y", "back:x"], ["back:y", "norm:x"], ["norm:y", "out:x"]])");
  EXPECT_EQ(places(of_rule(judged(document), "dtype")), Places{"norm:x"});
}

TEST(ElementClasses, KeepSilentWhereAnInputIsOpen) {
  const Document document = wired(kThroughRearrange, R"([["turned:y", "back:x"], ["back:y", "norm:x"], ["norm:y", "out:x"], ["tokens:x", "out:x"]])");
  EXPECT_TRUE(of_rule(judged(document), "dtype").empty());
}

TEST(ElementClasses, ReportAComposedBlockOnceWhereTheTensorEnters) {
  const Document document = wired(R"([{ "id": "tokens", "type": "input", "params": { "shape": "B T 64" } },
    { "id": "mlp", "type": "gated_mlp", "params": { "d_model": 64, "hidden": 128 } }, { "id": "out", "type": "output" }])",
                                   R"([["tokens:x", "mlp:x"], ["mlp:y", "out:x"]])");
  EXPECT_EQ(places(of_rule(judged(document), "dtype")), Places{"mlp:x"});
}

// A stack whose port `pos` every layer reads.
Document with_positions(std::string_view source) {
  return wired(R"([
    { "id": "tokens", "type": "input" },
    { "id": "where", "type": "input", "params": { "role": "positions" } },
    { "id": "odd", "type": "input", "params": { "role": "positions", "dtype": "fp32" } },
    { "id": "embed", "type": "embedding", "params": { "vocab": 128, "dim": 64 } },
    { "id": "layers", "type": "repeat", "params": { "count": 2 }, "graph": {
      "nodes": [
        { "id": "_in", "type": "boundary_in", "params": { "ports": { "x": "B T 64", "pos": "B T" } } },
        { "id": "attn", "type": "gqa_attention",
          "params": { "d_model": 64, "heads": 2, "kv_heads": 2, "head_dim": 32, "rope": {}, "positions": true } },
        { "id": "_out", "type": "boundary_out", "params": { "ports": { "x": "B T 64" } } }],
      "edges": [["_in:x", "attn:x"], ["_in:pos", "attn:pos"], ["attn:y", "_out:x"]] } },
    { "id": "out", "type": "output" }, { "id": "a", "type": "output" }, { "id": "b", "type": "output" }])",
                R"([["tokens:x", "embed:ids"], ["embed:y", "layers:x"], [")" + std::string(source) +
                    R"(", "layers:pos"], ["layers:x", "out:x"], ["where:x", "a:x"], ["odd:x", "b:x"]])");
}

TEST(InputRoles, PositionsComeFromAnInputOfPositions) {
  EXPECT_TRUE(of_rule(judged(with_positions("where:x")), "input-roles").empty());
  const Findings wrong = of_rule(judged(with_positions("tokens:x")), "input-roles");
  EXPECT_EQ(places(wrong), (Places{"layers/attn/rope_k:pos", "layers/attn/rope_q:pos"}));
  EXPECT_NE(wrong[0].message.find("the input \"tokens\" with role \"tokens\""), std::string::npos) << wrong[0].message;
  EXPECT_EQ(of_rule(judged(with_positions("odd:x")), "input-roles").size(), 2u);
}

Document with_documents(std::string_view role) {
  return wired(R"json([
    { "id": "tokens", "type": "input" },
    { "id": "doc", "type": "input", "params": { "role": ")json" + std::string(role) + R"json(" } },
    { "id": "embed", "type": "embedding", "params": { "vocab": 128, "dim": 64 } },
    { "id": "attn", "type": "gqa_attention",
      "params": { "d_model": 64, "heads": 2, "kv_heads": 2, "head_dim": 32, "mask": "doc(b, q) == doc(b, kv)" } },
    { "id": "out", "type": "output" }])json",
                R"([["tokens:x", "embed:ids"], ["embed:y", "attn:x"], ["doc:x", "attn:doc"], ["attn:y", "out:x"]])");
}

TEST(InputRoles, DocumentsComeFromAnInputOfDocuments) {
  EXPECT_TRUE(of_rule(judged(with_documents("documents")), "input-roles").empty());
  EXPECT_EQ(places(of_rule(judged(with_documents("tokens")), "input-roles")), Places{"attn/attn:doc"});
}

TEST(Packing, IsUsedByAMaskThatReadsDocuments) {
  const OperatingPointOptions packed = tests::point([](auto& p) { p.packing = Packing{.mean = 128, .spread = 0}; });
  EXPECT_TRUE(of_rule(judged(with_documents("documents"), packed), "packing-unused").empty());
}

TEST(DanglingOutput, IsAboutTheDesignsOwnTopLevel) {
  const Document document = wired(R"([{ "id": "tokens", "type": "input" },
    { "id": "layers", "type": "repeat", "params": { "count": 2 }, "graph": { "nodes": [
      { "id": "_in", "type": "boundary_in", "params": { "ports": { "x": "B T" } } },
      { "id": "lost", "type": "embedding", "params": { "vocab": 64, "dim": 64 } },
      { "id": "_out", "type": "boundary_out", "params": { "ports": { "x": "B T" } } }],
      "edges": [["_in:x", "_out:x"], ["_in:x", "lost:ids"]] } }])",
                                   R"([["tokens:x", "layers:x"]])");
  EXPECT_EQ(places(of_rule(judged(document), "dangling-output")), Places{"layers:x"});
}

struct SymbolUse {
  std::string what;
  std::string symbols;
  std::string params;  // of a gqa_attention
  std::string more;    // members of the document
  bool used;
};

TEST(UnusedSymbol, CountsEveryExpressionAsUse) {
  const SymbolUse cases[] = {
      {"nothing", R"("X": 3)", "", "", false},
      {"a runtime symbol", R"("X": { "kind": "runtime", "default": 3 })", "", "", true},
      {"another symbol", R"("X": 3, "D": "X*16")", R"("window": "D")", "", true},
      {"itself", R"("X": "X")", "", "", false},
      {"a parameter", R"("X": 3)", R"("window": "2*X + 1")", "", true},
      {"a longer name", R"("X": 3, "XL": 4)", R"("window": "XL")", "", false},
      {"an exponent", R"("e2": 3)", R"("window": "1e2")", "", false},
      {"a mask", R"("X": 3)", R"("mask": "q - kv < X")", "", true},
      {"a score", R"("X": 3)", R"("score": "score * X")", "", true},
      {"an object", R"("X": 3)", R"("rope": { "theta": "X" })", "", true},
      {"a choice", R"("real": 3)", "", R"(, "defs": { "d": { "category": "mlp", "params": {}, "ports": { "in": { "x": { "shape": "...", "dtype": "real" } }, "out": { "y": "..." } }, "graph": { "nodes": [{ "id": "n", "type": "rearrange", "params": { "from": "...", "to": "..." } }], "edges": [["_in:x", "n:x"], ["n:y", "_out:y"]] } } })", true},
      {"a configuration", R"("X": 3, "Y": 4)", R"("window": "Y")", R"(, "configurations": { "long": { "symbols": { "Y": "2*X" } } })", true},
  };
  for (const SymbolUse& one : cases) {
    const Document document = wired(R"([{ "id": "x", "type": "input", "params": { "shape": "B T 64", "dtype": "bf16" } },
      { "id": "attn", "type": "gqa_attention", "params": { "d_model": 64, "heads": 2, "kv_heads": 2, "head_dim": 32)" +
                                         std::string(one.params.empty() ? "" : ", ") + one.params +
                                         R"( } }, { "id": "out", "type": "output" }])",
                                     R"([["x:x", "attn:x"], ["attn:y", "out:x"]])", "{" + one.symbols + "}", one.more);
    EXPECT_EQ(of_rule(judged(document), "unused-symbol").empty(), one.used) << one.what;
  }
}

TEST(UnusedSymbol, LooksIntoDefinitionsAndTheirPortsButNotAtTheirParameters) {
  const Document document = wired(R"([{ "id": "x", "type": "input", "params": { "shape": "B T 64", "dtype": "bf16" } },
      { "id": "wide", "type": "wide", "params": { "dim": 64 } }, { "id": "out", "type": "output" }])",
                                   R"([["x:x", "wide:x"], ["wide:y", "out:x"]])", R"({ "F": 128, "dim": 64, "W": 7 })",
                                   R"(, "defs": { "wide": { "category": "mlp", "params": { "dim": { "type": "int" } },
      "ports": { "in": { "x": "... dim" }, "out": { "y": "... F" } },
      "graph": { "nodes": [{ "id": "up", "type": "linear", "params": { "in_features": "$dim", "out_features": "F" } }],
        "edges": [["_in:x", "up:x"], ["up:y", "_out:y"]] } } })");
  std::vector<std::string> unused;
  for (const Finding& finding : of_rule(judged(document), "unused-symbol")) unused.push_back(finding.message);
  EXPECT_EQ(unused, (std::vector<std::string>{"nothing uses the symbol \"dim\"", "nothing uses the symbol \"W\""}));
}

}  // namespace
}  // namespace roofbeam
