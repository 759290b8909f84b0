#include "engine/diff/structure.h"

#include <cmath>

#include "engine/base/embedded.h"
#include "tests/support/documents.h"

namespace roofbeam {
namespace {

using tests::design;

StructureDifference between(const Document& a, const Document& b) {
  const Elaboration in_a = elaborate(a);
  const Elaboration in_b = elaborate(b);
  return structure_difference({a, in_a.scope}, {b, in_b.scope});
}

// tokens -> embedding, and a stack of two layers of one MLP.
constexpr std::string_view kSymbols = R"("T":{"kind":"runtime","default":128},"D":64,"F":"4*D")";

Document stack(std::string_view symbols, std::string_view mlp, std::string_view more_nodes = "",
               std::string_view inner_edges = R"(["_in:x","mlp:x"],["mlp:y","_out:x"])",
               std::string_view rest = "") {
  return design(symbols,
                R"({"id":"tokens","type":"input"},{"id":"embed","type":"embedding","params":{"vocab":100,"dim":"D"}},
                   {"id":"layers","type":"repeat","params":{"count":2},"graph":{"nodes":[
                     {"id":"_in","type":"boundary_in","params":{"ports":{"x":"B T D"}}},)" +
                    std::string(mlp) + R"(,{"id":"_out","type":"boundary_out","params":{"ports":{"x":"B T D"}}}],
                     "edges":[)" + std::string(inner_edges) + "]}}" + std::string(more_nodes),
                R"(["tokens:x","embed:ids"],["embed:y","layers:x"])", rest);
}

constexpr std::string_view kMlp = R"({"id":"mlp","type":"dense_mlp","params":{"d_model":"D","hidden":"F"}})";

TEST(StructureDifference, IsNoneBetweenEquals) {
  EXPECT_TRUE(between(stack(kSymbols, kMlp), stack(kSymbols, kMlp)).identical());
  for (const EmbeddedFile& file : embedded_files("designs")) {
    const Document document = tests::document_of(file.text);
    EXPECT_TRUE(between(document, document).identical()) << file.name;
  }
}

TEST(StructureDifference, TakesNoNoticeOfHowNumbersAreSpelled) {
  EXPECT_TRUE(between(stack(R"("D":64,"F":256)", kMlp), stack(R"("D":64.0,"F":2.56e2)", kMlp)).identical());
}

TEST(StructureDifference, TakesNoNoticeOfNotesAndNulls) {
  const Document plain = stack(kSymbols, kMlp);
  const Document noted = stack(kSymbols, R"({"id":"mlp","type":"dense_mlp","params":{"d_model":"D","hidden":"F","bias":null}})", "",
                               R"(["_in:x","mlp:x"],["mlp:y","_out:x"])", R"(,"rules":{"shape":"off"},"ui":{"zoom":2})");
  EXPECT_TRUE(between(plain, noted).identical());
}

TEST(StructureDifference, ListsSymbols) {
  const StructureDifference difference =
      between(stack(R"("T":{"kind":"runtime","default":128},"D":64,"F":"4*D","Old":1)", kMlp),
              stack(R"("T":{"kind":"runtime","default":256},"D":96,"F":"4*D","New":"2*D")", kMlp));
  ASSERT_EQ(difference.symbols.size(), 4u);
  const SymbolDifference& t = difference.symbols[0];
  EXPECT_EQ(t.name, "T");
  EXPECT_EQ(t.a->kind, SymbolKind::runtime);
  EXPECT_EQ(t.a->written, json::Value(128));
  EXPECT_EQ(t.b->written, json::Value(256));
  const SymbolDifference& d = difference.symbols[1];  // F is written alike: it only follows D
  EXPECT_EQ(d.name, "D");
  EXPECT_EQ(d.a->value, 64);
  EXPECT_EQ(d.b->value, 96);
  EXPECT_EQ(difference.symbols[2].name, "Old");
  EXPECT_FALSE(difference.symbols[2].b);
  EXPECT_EQ(difference.symbols[3].name, "New");
  EXPECT_FALSE(difference.symbols[3].a);
  EXPECT_EQ(difference.symbols[3].b->value, 192);
}

TEST(StructureDifference, SeesSymbolsAsTheActiveConfigurationHasThem) {
  const std::string_view wires = R"(["_in:x","mlp:x"],["mlp:y","_out:x"])";
  const std::string configurations = R"(,"configurations":{"wide":{"symbols":{"D":128}}})";
  const Document narrow = stack(kSymbols, kMlp, "", wires, configurations);
  const Document wide = stack(kSymbols, kMlp, "", wires, configurations + R"(,"active":"wide")");
  const StructureDifference difference = between(narrow, wide);
  ASSERT_EQ(difference.symbols.size(), 1u);
  EXPECT_EQ(difference.symbols[0].name, "D");
  EXPECT_EQ(difference.symbols[0].b->written, json::Value(128));
  EXPECT_EQ(difference.symbols[0].b->value, 128);
}

TEST(StructureDifference, ListsBlocksAndWhatIsInsideThem) {
  const Document plain = stack(kSymbols, kMlp);
  const Document normed = stack(
      kSymbols, R"({"id":"mlp","type":"gated_mlp","label":"FFN","params":{"d_model":"D","hidden":"2*F","act":"gelu"}},
                   {"id":"norm","type":"rmsnorm","params":{"dim":"D"}})",
      R"(,{"id":"out","type":"output"})", R"(["_in:x","norm:x"],["norm:y","mlp:x"],["mlp:y","_out:x"])");
  const StructureDifference difference = between(plain, normed);
  EXPECT_TRUE(difference.blocks_removed.empty());
  ASSERT_EQ(difference.blocks_added.size(), 2u);
  EXPECT_EQ(difference.blocks_added[0].path, "layers/norm");
  EXPECT_EQ(difference.blocks_added[1].path, "out");
  ASSERT_EQ(difference.blocks_changed.size(), 1u);
  const BlockDifference& mlp = difference.blocks_changed[0];
  EXPECT_EQ(mlp.path, "layers/mlp");
  EXPECT_EQ(mlp.type->a, "dense_mlp");
  EXPECT_EQ(mlp.type->b, "gated_mlp");
  EXPECT_EQ(mlp.label->a, std::nullopt);
  EXPECT_EQ(mlp.label->b, "FFN");
  ASSERT_EQ(mlp.params.size(), 2u);
  EXPECT_EQ(mlp.params[0].name, "hidden");
  EXPECT_EQ(mlp.params[0].a, json::Value("F"));
  EXPECT_EQ(mlp.params[0].b, json::Value("2*F"));
  EXPECT_EQ(mlp.params[1].name, "act");
  EXPECT_TRUE(mlp.params[1].a.is_null());
  ASSERT_EQ(difference.edges_removed.size(), 1u);
  EXPECT_EQ(difference.edges_removed[0].graph, "layers");
  EXPECT_EQ(difference.edges_removed[0].from, "_in:x");
  EXPECT_EQ(difference.edges_removed[0].to, "mlp:x");
  EXPECT_EQ(difference.edges_added.size(), 2u);
}

TEST(StructureDifference, NamesTheOutermostGraph) {
  const Document a = design("", R"({"id":"x","type":"input"},{"id":"o","type":"output"})", R"(["x:x","o:x"])");
  const Document b = design("", R"({"id":"x","type":"input"},{"id":"o","type":"output"})", R"(["x:x","o:x"],["x:x","o:x"])");
  const StructureDifference difference = between(a, b);  // a wire twice is one wire more
  ASSERT_EQ(difference.edges_added.size(), 1u);
  EXPECT_EQ(difference.edges_added[0].graph, "<root>");
  EXPECT_TRUE(difference.edges_removed.empty());
}

TEST(StructureDifference, SeesDefinitions) {
  const auto defined = [](std::string_view type, std::string_view dim) {
    return design("", R"({"id":"x","type":"input"})", "",
                  R"(,"defs":{")" + std::string(type) + R"(":{"category":"norm","params":{},"ports":{"in":{"x":"..."},"out":{"y":"..."}},
                     "graph":{"nodes":[{"id":"n","type":"rmsnorm","params":{"dim":)" + std::string(dim) +
                      R"(}}],"edges":[["_in:x","n:x"],["n:y","_out:y"]]}}})");
  };
  EXPECT_TRUE(between(defined("a", "64"), defined("a", "64.0")).identical());
  EXPECT_EQ(between(defined("a", "64"), defined("a", "65")).definitions_changed, std::vector<std::string>{"a"});
  const StructureDifference renamed = between(defined("a", "64"), defined("b", "64"));
  EXPECT_EQ(renamed.definitions_removed, std::vector<std::string>{"a"});
  EXPECT_EQ(renamed.definitions_added, std::vector<std::string>{"b"});
}

// Whatever differs one way differs the other way round.
TEST(StructureDifference, IsSymmetric) {
  const std::span<const EmbeddedFile> files = embedded_files("designs");
  for (std::size_t i = 1; i < files.size(); ++i) {
    const Document a = tests::document_of(files[i - 1].text);
    const Document b = tests::document_of(files[i].text);
    const StructureDifference there = between(a, b);
    const StructureDifference back = between(b, a);
    EXPECT_FALSE(there.identical()) << files[i].name;
    EXPECT_EQ(there.symbols.size(), back.symbols.size());
    EXPECT_EQ(there.blocks_added.size(), back.blocks_removed.size());
    EXPECT_EQ(there.blocks_removed.size(), back.blocks_added.size());
    EXPECT_EQ(there.blocks_changed.size(), back.blocks_changed.size());
    EXPECT_EQ(there.edges_added.size(), back.edges_removed.size());
    EXPECT_EQ(there.edges_removed.size(), back.edges_added.size());
  }
}

}  // namespace
}  // namespace roofbeam
