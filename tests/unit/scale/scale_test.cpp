#include "engine/scale/scale.h"

#include "engine/scale/resize.h"
#include "tests/support/documents.h"

namespace roofbeam {
namespace {

// L layers of one D x F matrix, shared in groups of P.
Document stack(std::string_view symbols) {
  return tests::design(symbols,
                       R"({"id":"in","type":"input","params":{"shape":"B T"}},
                          {"id":"embed","type":"embedding","params":{"vocab":"V","dim":"D"}},
                          {"id":"layers","type":"repeat","label":"stack x12","params":{"count":"L/2"},"graph":{"nodes":[
                            {"id":"_in","type":"boundary_in","params":{"ports":{"x":"B T D"}}},
                            {"id":"up","type":"linear","params":{"in_features":"D","out_features":"F"}},
                            {"id":"down","type":"linear","params":{"in_features":"F","out_features":"D"}},
                            {"id":"_out","type":"boundary_out","params":{"ports":{"x":"B T D"}}}],
                            "edges":[["_in:x","up:x"],["up:y","down:x"],["down:y","_out:x"]]}},
                          {"id":"out","type":"output"})",
                       R"(["in:x","embed:ids"],["embed:y","layers:x"],["layers:x","out:x"])");
}

constexpr const char* kSymbols = R"("D":1024,"H":16,"Hkv":4,"dh":64,"F":4096,"L":24,"V":1000)";

TEST(Resize, KeepsRatiosInWholeHeadsAndTiles) {
  Document document = stack(kSymbols);
  set_width(document, {.D = 448, .heads = 7});
  EXPECT_EQ(literal(document, "D"), 448);
  EXPECT_EQ(literal(document, "H"), 7);
  EXPECT_EQ(literal(document, "Hkv"), 1);      // 7 / 4 rounds to 2, which does not divide 7
  EXPECT_EQ(literal(document, "F"), 28 * 64);  // 4096 * 448 / 1024 = 1792
}

TEST(Resize, SettlesDepthsOnWholeRepeats) {
  Document document = stack(kSymbols);
  set_depth(document, 7.0 / 24);
  settle_depth(document);
  EXPECT_EQ(literal(document, "L"), 6);  // 7 layers are no whole pairs; the smaller neighbour wins
  relabel_repeats(document);
  EXPECT_EQ(document.graph.nodes[2].label, "stack x3");
}

TEST(Resize, LeavesASparseLayerBehindTheDenseOnes) {
  Document document = stack(R"("D":1024,"L":60,"Ld":4)");
  set_depth(document, 1.0 / 20);
  EXPECT_EQ(literal(document, "L"), 3);
  EXPECT_EQ(literal(document, "Ld"), 2);
}

TEST(Scale, KeepsTheDepthWhereAsked) {
  const Result<Scaled> scaled = scale(stack(kSymbols), {.target_params = 20e6, .keep_depth = true});
  ASSERT_TRUE(static_cast<bool>(scaled));
  EXPECT_EQ(literal(scaled->document, "L"), 24);
  EXPECT_NEAR(scaled->achieved, 20e6, 0.2 * 20e6);
}

TEST(Scale, WritesTheActiveConfigurationIntoTheDesign) {
  Document document = stack(kSymbols);
  document.configurations = {{.name = "half", .doc = {}, .symbols = {{"D", json::Value(512)}}}};
  document.active = "half";
  const Result<Scaled> scaled = scale(document, {.target_params = 30e6});
  ASSERT_TRUE(static_cast<bool>(scaled));
  EXPECT_FALSE(scaled->document.active.has_value());
  for (const SymbolChange& change : scaled->changes)
    if (change.symbol == "D") {
      EXPECT_EQ(change.from, 512);
    }
}

TEST(Scale, RefusesWhatItCannotReach) {
  const auto code = [](const Result<Scaled>& scaled) {
    return scaled ? "" : scaled.errors().front().code;
  };
  EXPECT_EQ(code(scale(stack(R"("W":8,"D":"2*W","L":2)"), {.target_params = 1e6})),
            "scale.no_width");
  EXPECT_EQ(code(scale(stack(kSymbols), {.target_params = 10})), "scale.too_small");
}

TEST(Scale, NamesSizes) {
  EXPECT_EQ(size_suffix(1.3e9), "1.3b");
  EXPECT_EQ(size_suffix(8.03e9), "8b");
  EXPECT_EQ(size_suffix(124.4e6), "124m");
  EXPECT_EQ(size_suffix(500e3), "500k");
}

}  // namespace
}  // namespace roofbeam
