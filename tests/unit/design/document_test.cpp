#include <gtest/gtest.h>

#include "engine/json/writer.h"
#include "tests/support/documents.h"

namespace roofbeam {
namespace {

using tests::document_of;

constexpr std::string_view kComplete = R"({
  "version": 1,
  "meta": {
    "name": "tiny",
    "family": "llama",
    "notes": "made for a test",
    "published": { "params": 1000, "activeParams": 900, "kvBytesPerToken": 64, "source": "a card", "tolerance": 0.01 }
  },
  "symbols": {
    "T": { "kind": "runtime", "default": 128, "doc": "tokens" },
    "D": { "kind": "design", "value": 64, "doc": "width" },
    "F": "4*D",
    "L": 2
  },
  "graph": {
    "nodes": [
      { "id": "tokens", "type": "input" },
      { "id": "embed", "type": "embedding", "label": "table", "params": { "vocab": 10, "dim": "D" } },
      {
        "id": "layers",
        "type": "repeat",
        "params": { "count": "L" },
        "graph": {
          "nodes": [
            { "id": "_in", "type": "boundary_in", "params": { "ports": { "x": "B T D" } } },
            { "id": "_out", "type": "boundary_out", "params": { "ports": { "x": "B T D" } } }
          ],
          "edges": [["_in:x", "_out:x"]]
        }
      }
    ],
    "edges": [["tokens:x", "embed:ids"], ["embed:y", "layers:x"]]
  },
  "rules": { "vocab-padding": "off" },
  "configurations": { "wide": { "doc": "twice", "symbols": { "D": 128 } } },
  "active": "wide",
  "ui": { "positions": { "embed": { "x": 1.5, "y": -2 } }, "anything": [null, true] }
}
)";

std::string canonical(std::string_view text) {
  return json::write(to_json(document_of(text)), json::Layout::readable);
}

TEST(Document, WritesWhatItRead) {
  const std::string once = canonical(kComplete);
  EXPECT_EQ(canonical(once), once);
  // Nothing but spacing may differ from the original.
  EXPECT_EQ(json::write(*json::parse(once), json::Layout::compact),
            json::write(*json::parse(kComplete), json::Layout::compact));
}

TEST(Document, WritesEmptySectionsWhereTheyWereWritten) {
  const std::string text =
      R"({"version":1,"meta":{"name":"d","published":{}},"symbols":{},"graph":{"nodes":[)"
      R"({"id":"a","type":"output","params":{}},{"id":"b","type":"output"}],"edges":[]},)"
      R"("defs":{},"rules":{},"configurations":{"c":{"symbols":{}}},"ui":{}})";
  EXPECT_EQ(json::write(to_json(document_of(text)), json::Layout::compact), text);
}

TEST(Document, KeepsTheOrderOfSymbolsNodesAndParameters) {
  const Document document = document_of(kComplete);
  ASSERT_EQ(document.symbols.size(), 4u);
  EXPECT_EQ(document.symbols[0].name, "T");
  EXPECT_EQ(document.symbols[3].name, "L");
  EXPECT_EQ(document.graph.nodes[1].params[0].first, "vocab");
  EXPECT_EQ(document.graph.nodes[1].label, "table");
  ASSERT_NE(document.graph.nodes[2].graph, nullptr);
  EXPECT_EQ(document.graph.nodes[2].graph->nodes.size(), 2u);
}

struct Fault {
  const char* name;
  std::string_view text;
  std::vector<std::pair<std::string, std::string>> wanted;  // code, path
};

class DocumentFault : public testing::TestWithParam<Fault> {};

TEST_P(DocumentFault, IsReportedWithItsPlace) {
  const Result<json::Value> value = json::parse(GetParam().text);
  ASSERT_TRUE(static_cast<bool>(value));
  const Result<Document> document = read_document(*value);
  ASSERT_FALSE(static_cast<bool>(document));
  std::vector<std::pair<std::string, std::string>> found;
  for (const Diagnostic& problem : document.errors()) found.emplace_back(problem.code, problem.path);
  EXPECT_EQ(found, GetParam().wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, DocumentFault,
    testing::Values(
        Fault{"no_object", "[1]", {{"json.type", ""}}},
        Fault{"no_version",
              R"({"meta":{"name":"a"},"graph":{"nodes":[],"edges":[]}})",
              {{"document.version", ""}}},
        Fault{"version_0",
              R"({"version":0,"meta":{"name":"a"},"graph":{"nodes":[],"edges":[]}})",
              {{"document.version", "/version"}}},
        Fault{"everything_at_once",
              R"({"version":1,"meta":{"nam":"a"},"symbols":{"D":true},
                  "graph":{"nodes":[{"id":1,"type":"input"}],"edges":[["a:x"],"b"]},"rulez":{}})",
              {{"json.missing", "/meta/name"},
               {"json.unknown_key", "/meta/nam"},
               {"json.type", "/symbols/D"},
               {"json.type", "/graph/nodes/0/id"},
               {"json.type", "/graph/edges/0"},
               {"json.type", "/graph/edges/1"},
               {"json.unknown_key", "/rulez"}}},
        Fault{"symbol_kind",
              R"({"version":1,"meta":{"name":"a"},"symbols":{"D":{"kind":"desing","value":1}},
                  "graph":{"nodes":[],"edges":[]}})",
              {{"json.choice", "/symbols/D/kind"}}},
        Fault{"configuration_value",
              R"({"version":1,"meta":{"name":"a"},"graph":{"nodes":[],"edges":[]},
                  "configurations":{"wide":{"symbols":{"D":[1]}}}})",
              {{"json.type", "/configurations/wide/symbols/D"}}}),
    [](const auto& row) { return row.param.name; });

TEST(Document, RefusesGraphsNestedTooDeep) {
  std::string inner = R"({"nodes":[],"edges":[]})";
  for (std::size_t i = 0; i < kMaxGraphDepth; ++i)
    inner = R"({"nodes":[{"id":"r","type":"repeat","graph":)" + inner + R"(}],"edges":[]})";
  const Result<Document> document =
      read_document(*json::parse(R"({"version":1,"meta":{"name":"a"},"graph":)" + inner + "}"));
  ASSERT_FALSE(static_cast<bool>(document));
  EXPECT_EQ(document.errors().front().code, "document.nesting");
}

}  // namespace
}  // namespace roofbeam
