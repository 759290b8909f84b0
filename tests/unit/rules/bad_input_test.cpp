// Broken designs: every fault is found, all at once, and a hundred thousand of them take no more time than they need.
#include <algorithm>

#include "tests/unit/rules/judged.h"

namespace roofbeam {
namespace {

using tests::judged;
using tests::of_rule;

struct Fault {
  std::string what;
  std::string symbols;
  std::string nodes;
  std::string edges;
  std::string rest;
  std::string rule;
  std::string place;  // path:port
  std::string says;
};

const std::vector<Fault>& faults() {
  static const std::vector<Fault> all{
      {"a cycle", "", R"({"id":"a","type":"rmsnorm","params":{"dim":64}},{"id":"b","type":"rmsnorm","params":{"dim":64}})",
       R"(["a:y","b:x"],["b:y","a:x"])", "", "graph", "a:-", "a -> b -> a"},
      {"a dangling edge", "", R"({"id":"c","type":"output"})", R"(["cc:y","c:x"])", "", "graph", "-:-", "cc:y"},
      {"half an edge", "", R"({"id":"d","type":"output"})", R"(["d","d:x"])", "", "graph", "-:-", "node:port"},
      {"an unknown port", "", R"({"id":"e","type":"rmsnorm","params":{"dim":64}},{"id":"f","type":"output"})",
       R"(["e:z","f:x"])", "", "graph", "e:z", "no output"},
      {"two writers", "", R"({"id":"g","type":"input"},{"id":"h","type":"input"},{"id":"i","type":"output"})",
       R"(["g:x","i:x"],["h:x","i:x"])", "", "shape", "i:x", "two wires"},
      {"a wrong rank", "", R"({"id":"j","type":"input","params":{"shape":"B T","dtype":"bf16"}},
        {"id":"k","type":"rope","params":{"heads":2,"head_dim":64}},{"id":"l","type":"output"})",
       R"(["j:x","k:x"],["k:y","l:x"])", "", "shape", "k:x", "B T"},
      {"T against S", R"("S":{"kind":"runtime","default":64})",
       R"({"id":"m","type":"input","params":{"shape":"B T 64","dtype":"bf16"}},
          {"id":"n","type":"input","params":{"shape":"B S 64","dtype":"bf16"}},
          {"id":"o","type":"add","params":{"dim":64}},{"id":"p","type":"output"})",
       R"(["m:x","o:a"],["n:x","o:b"],["o:y","p:x"])", "", "shape", "o:b", "B S"},
      {"an unknown type", "", R"({"id":"q","type":"liner"})", "", "", "shape", "q:-", "liner"},
      {"an unknown parameter", "", R"({"id":"r","type":"rmsnorm","params":{"dimm":1,"dim":64}})", "", "", "shape", "r:-", "dimm"},
      {"a fraction for a whole number", "", R"({"id":"s","type":"rmsnorm","params":{"dim":64.5}})", "", "", "shape", "s:-", "64.5"},
      {"heads that do not divide", "",
       R"({"id":"t","type":"gqa_attention","params":{"d_model":64,"heads":3,"kv_heads":2,"head_dim":32}})", "", "", "ATTN-01",
       "t:-", "3"},
      {"a division by zero", R"j("Zero":"4/(D-D)","D":4)j", R"({"id":"u","type":"rmsnorm","params":{"dim":"Zero"}})", "", "",
       "symbols", "-:-", "Zero"},
      {"a mask that keeps nothing", "",
       R"({"id":"v","type":"sdpa","params":{"heads":2,"kv_heads":2,"head_dim":64,"mask":"q < 0"}})", "", "", "SDPA-04", "v:-",
       "keeps no pair"},
      {"a definition in a built-in's place", "", R"({"id":"w","type":"input"})", "",
       R"(,"defs":{"linear":{"category":"mlp","params":{},"ports":{"in":{"x":"..."},"out":{"y":"..."}},"graph":{"nodes":[],"edges":[]}}})",
       "user-blocks", "linear:-", "already built in"},
      {"a block that contains itself", "", R"({"id":"x","type":"again"})", "",
       R"(,"defs":{"again":{"category":"mlp","params":{},"ports":{"in":{"x":"... 64"},"out":{"y":"... 64"}},
         "graph":{"nodes":[{"id":"again","type":"again"}],"edges":[["_in:x","again:x"],["again:y","_out:y"]]}}})",
       "graph", "*:-", "deeper than 32"},
  };
  return all;
}

std::string joined(const std::string& a, const std::string& b) { return a.empty() || b.empty() ? a + b : a + "," + b; }

std::string place_of(const Finding& finding) { return finding.path.value_or("-") + ":" + finding.port.value_or("-"); }

bool tells(const Finding& finding, const Fault& fault) {
  return finding.rule == fault.rule && finding.severity == Severity::error &&
         (fault.place.starts_with('*') || place_of(finding) == fault.place) &&
         finding.message.find(fault.says) != std::string::npos;
}

TEST(BadInput, EachFaultIsFound) {
  for (const Fault& fault : faults()) {
    const RuleReport report = judged(tests::design(fault.symbols, fault.nodes, fault.edges, fault.rest));
    EXPECT_FALSE(report.ok()) << fault.what;
    EXPECT_TRUE(std::ranges::any_of(report.findings, [&](const Finding& finding) { return tells(finding, fault); }))
        << fault.what;
  }
}

TEST(BadInput, AllFaultsAreFoundAtOnceInOrder) {
  std::string symbols, nodes, edges;
  for (const Fault& fault : faults()) {
    if (!fault.rest.empty()) continue;  // one document has one `defs`
    symbols = joined(symbols, fault.symbols);
    nodes = joined(nodes, fault.nodes);
    edges = joined(edges, fault.edges);
  }
  const RuleReport report = judged(tests::design(symbols, nodes, edges));
  for (const Fault& fault : faults()) {
    if (!fault.rest.empty()) continue;
    EXPECT_TRUE(std::ranges::any_of(report.findings, [&](const Finding& finding) { return tells(finding, fault); }))
        << fault.what;
  }
  EXPECT_TRUE(std::ranges::is_sorted(report.findings, {}, [](const Finding& finding) {
    return std::tuple(finding.severity, finding.path, finding.port);
  }));
}

TEST(BadInput, UnknownNamesGetTheClosestOne) {
  const RuleReport report = judged(tests::design("", R"({"id":"a","type":"liner"},{"id":"b","type":"rmsnorm","params":{"dimm":1,"dim":64}})"));
  std::vector<std::string> hints;
  for (const Finding& finding : report.findings)
    if (!finding.hint.empty() && finding.severity == Severity::error) hints.push_back(finding.hint);
  EXPECT_EQ(hints, (std::vector<std::string>{"did you mean \"linear\"?", "did you mean \"dim\"?"}));
}

constexpr int kMany = 100'000;

// `piece` for every number below kMany, "#" standing for the number.
std::string repeated(std::string_view piece) {
  std::string text;
  for (int i = 0; i < kMany; ++i) {
    if (i > 0) text += ',';
    const std::string number = std::to_string(i);
    for (const char c : piece) {
      if (c == '#')
        text += number;
      else
        text += c;
    }
  }
  return text;
}

// Each of these took minutes where anything was compared with everything.
TEST(BadInput, AHundredThousandFaultsAreListedOneByOne) {
  struct Many {
    std::string what, symbols, nodes, edges;
    std::size_t least;  // findings
  };
  const Many cases[] = {
      {"unknown types", "", repeated(R"({"id":"n#","type":"liner"})"), "", kMany},
      {"unknown types, each its own", "", repeated(R"({"id":"n#","type":"liner#"})"), "", kMany},
      {"open inputs and unread outputs", "", repeated(R"({"id":"n#","type":"rmsnorm","params":{"dim":65}})"), "", 2 * kMany},
      {"equal ids", "", repeated(R"({"id":"n","type":"input"})"), "", kMany - 1},
      {"dangling edges", "", repeated(R"({"id":"n#","type":"input"})"), repeated(R"(["m#:y","k#:x"])"), 2 * kMany},
      {"two writers", "", repeated(R"({"id":"n#","type":"input"})") + R"(,{"id":"o","type":"output"})", repeated(R"(["n#:x","o:x"])"), kMany - 1},
      {"unknown symbols", R"("Dim":64)", repeated(R"({"id":"n#","type":"rmsnorm","params":{"dim":"Dimm"}})"), "", kMany},
      {"widths of all sizes", "", repeated(R"({"id":"n#","type":"linear","params":{"in_features":65,"out_features":66}})"), "", 4 * kMany},
      {"a chain", "", repeated(R"({"id":"n#","type":"rearrange","params":{"from":"B T","to":"B T"}})"),
       R"(["n0:y","n1:x"])", kMany - 1},
  };
  for (const Many& many : cases) {
    const RuleReport report = judged(tests::design(many.symbols, many.nodes, many.edges));
    EXPECT_GE(report.findings.size(), many.least) << many.what;
  }
}

TEST(BadInput, ALongChainOfIntegersIsFollowedToItsEnd) {
  std::string nodes = R"({"id":"n0","type":"input"})";
  std::string edges;
  for (int i = 1; i < kMany; ++i) {
    nodes += R"(,{"id":"n)" + std::to_string(i) + R"(","type":"rearrange","params":{"from":"B T","to":"B T"}})";
    edges += (i > 1 ? "," : "") + std::string(R"(["n)") + std::to_string(i - 1) + (i == 1 ? ":x" : ":y") + R"(","n)" + std::to_string(i) + R"(:x"])";
  }
  nodes += R"(,{"id":"end","type":"activation","params":{"dim":64}})";
  edges += R"(,["n)" + std::to_string(kMany - 1) + R"(:y","end:x"])";
  EXPECT_EQ(of_rule(judged(tests::design("", nodes, edges)), "dtype").size(), 1u);
}

}  // namespace
}  // namespace roofbeam
