#include "engine/graph/elaboration.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/documents.h"

namespace roofbeam {
namespace {

using tests::design;
using tests::found;
using Lines = std::vector<std::string>;

constexpr std::string_view kSymbols = R"("D":64,"V":100,"L":3,"H":4,"dh":16)";
constexpr std::string_view kTokens = R"({"id":"tokens","type":"input"},
  {"id":"embed","type":"embedding","params":{"vocab":"V","dim":"D"}})";
constexpr std::string_view kWire = R"(["tokens:x","embed:ids"])";

std::string shape_of(const Elaboration& elaborated, std::string_view path, std::size_t port = 0) {
  const Instance* instance = elaborated.find(path);
  if (instance == nullptr || !instance->outputs[port].shape) return "unknown";
  return text(*instance->outputs[port].shape, elaborated.scope);
}

TEST(Elaboration, ShapesFollowTheWiresWhateverTheOrder) {
  const Elaboration elaborated = elaborate(design(
      kSymbols, R"({"id":"up","type":"linear","params":{"in_features":"D","out_features":"4*D"}},)" +
                    std::string(kTokens),
      std::string(kWire) + R"(,["embed:y","up:x"])"));
  EXPECT_TRUE(elaborated.findings.empty());
  EXPECT_EQ(shape_of(elaborated, "embed"), "B T D");
  EXPECT_EQ(shape_of(elaborated, "up"), "B T 4*D");
}

TEST(Elaboration, ARepeatMultipliesAndCarries) {
  const Elaboration elaborated = elaborate(design(
      kSymbols, std::string(kTokens) + R"(,{"id":"layers","type":"repeat","params":{"count":"L"},"graph":{
        "nodes":[{"id":"_in","type":"boundary_in","params":{"ports":{"x":"B T D"}}},
                 {"id":"mlp","type":"dense_mlp","params":{"d_model":"D","hidden":"4*D"}},
                 {"id":"_out","type":"boundary_out","params":{"ports":{"x":"B T D"}}}],
        "edges":[["_in:x","mlp:x"],["mlp:y","_out:x"]]}})",
      std::string(kWire) + R"(,["embed:y","layers:x"])"));
  EXPECT_TRUE(elaborated.findings.empty());
  EXPECT_EQ(shape_of(elaborated, "layers"), "B T D");
  const Instance* up = elaborated.find("layers/mlp/up");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->copies, 3);
  EXPECT_EQ(up->active_copies, 3);
  EXPECT_EQ(elaborated.instances[up->repeat].path, "layers");
}

TEST(Elaboration, ExpertsMultiplyWeightsByTheirNumberAndWorkByTopK) {
  const Elaboration elaborated = elaborate(
      design(kSymbols,
             std::string(kTokens) + R"(,{"id":"moe","type":"moe_layer","params":{"d_model":"D",
               "experts":8,"top_k":2,"expert_hidden":32}})",
             std::string(kWire) + R"(,["embed:y","moe:x"])"));
  EXPECT_TRUE(elaborated.findings.empty());
  const Instance* up = elaborated.find("moe/experts/expert/up");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->copies, 8);
  EXPECT_EQ(up->active_copies, 2);
  EXPECT_TRUE(up->expert);
  EXPECT_FALSE(elaborated.find("moe/router")->expert);
}

TEST(Elaboration, EveryWrongWireIsAFinding) {
  const Elaboration elaborated = elaborate(
      design(kSymbols,
             std::string(kTokens) + R"(,{"id":"norm","type":"rmsnorm","params":{"dim":"2*D"}},
               {"id":"lost","type":"rmsnorm","params":{"dim":"D"}})",
             std::string(kWire) +
                 R"(,["embed:y","norm:x"],["embed:z","lost:x"],["embd:y","lost:x"],["tokens:x","embed:ids"],["norm","lost:x"])"));
  EXPECT_EQ(found(elaborated.findings, "shape"),
            (Lines{"embed:ids two wires enter one input: from \"tokens\" and \"tokens\"",
                   "norm:x dim 2 is D = 64, wanted dim of \"... dim\" = 2*D = 128 (width of the normalised axis)",
                   "lost:x the shape that reaches \"x\" is unknown, because of what comes before it"}));
  EXPECT_EQ(found(elaborated.findings, "graph"),
            (Lines{": the wire's producer \"embd:y\" names a block that is not in this graph",
                   ": the wire's producer \"norm\" is not of the form node:port",
                   "embed:z embedding has no output \"z\""}));
}

TEST(Elaboration, ACycleIsNamedAndTheRestGoesOn) {
  const Elaboration elaborated =
      elaborate(design(kSymbols,
                       std::string(kTokens) + R"(,{"id":"a","type":"rmsnorm","params":{"dim":"D"}},
                         {"id":"b","type":"rmsnorm","params":{"dim":"D"}},
                         {"id":"c","type":"rmsnorm","params":{"dim":"D"}})",
                       std::string(kWire) + R"(,["a:y","b:x"],["b:y","a:x"],["embed:y","c:x"])"));
  const Lines cycles = found(elaborated.findings, "graph");
  ASSERT_EQ(cycles.size(), 1u);
  EXPECT_NE(cycles[0].find("cycle: a -> b -> a"), std::string::npos) << cycles[0];
  EXPECT_EQ(shape_of(elaborated, "c"), "B T D");
}

TEST(Elaboration, WhatAWrongWireOrAnUnknownBlockFeedsIsNotOpen) {
  const Elaboration elaborated =
      elaborate(design(kSymbols,
                       std::string(kTokens) + R"(,{"id":"a","type":"rmsnorm","params":{"dim":"D"}},
                         {"id":"b","type":"rmsnorm","params":{"dim":"D"}},
                         {"id":"lost","type":"rmsnom"},
                         {"id":"c","type":"rmsnorm","params":{"dim":"D"}},
                         {"id":"open","type":"rmsnorm","params":{"dim":"D"}})",
                       std::string(kWire) +
                           R"(,["a:y","b:x"],["b:y","a:x"],["embed:y","lost:x"],["lost:y","c:x"])"));
  EXPECT_TRUE(elaborated.find("embed")->outputs[0].read);
  Lines lines;
  for (const Finding& finding : elaborated.findings)
    if (finding.rule == "shape" && finding.port)
      lines.push_back(*finding.path + " " + std::string(name(finding.severity)));
  // Producers first: what is left of the cycle starts at b.
  EXPECT_EQ(lines, (Lines{"b warning", "a warning", "c warning", "open error"}));
}

TEST(Elaboration, UnknownTypesAndParametersGetTheClosestName) {
  const Elaboration elaborated =
      elaborate(design(kSymbols, R"({"id":"a","type":"rmsnrom","params":{"dim":8}},
                                    {"id":"b","type":"rmsnorm","params":{"dmi":8,"dim":2.5}})"));
  ASSERT_GE(elaborated.findings.size(), 3u);
  EXPECT_EQ(elaborated.findings[0].hint, "did you mean \"rmsnorm\"?");
  EXPECT_EQ(elaborated.findings[1].hint, "did you mean \"dim\"?");
  EXPECT_EQ(elaborated.findings[2].message, "dim is 2.5, wanted a whole number of at least 1");
}

TEST(Elaboration, ARepeatMustPreserveWhatItCarries) {
  const Elaboration elaborated = elaborate(design(
      kSymbols, std::string(kTokens) + R"(,{"id":"layers","type":"repeat","params":{"count":"L"},"graph":{
        "nodes":[{"id":"_in","type":"boundary_in","params":{"ports":{"x":"B T D"}}},
                 {"id":"up","type":"linear","params":{"in_features":"D","out_features":"2*D"}},
                 {"id":"_out","type":"boundary_out","params":{"ports":{"x":"B T 2*D"}}}],
        "edges":[["_in:x","up:x"],["up:y","_out:x"]]}})",
      std::string(kWire) + R"(,["embed:y","layers:x"])"));
  const Lines lines = found(elaborated.findings, "shape");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "layers:x the repeat does not preserve the shape of \"x\": B T D enters, B T 2*D leaves");
}

TEST(Elaboration, AContainerWithoutBoundariesIsReported) {
  const Elaboration elaborated = elaborate(
      design(kSymbols, R"({"id":"layers","type":"repeat","params":{"count":2},"graph":{"nodes":[],"edges":[]}})"));
  EXPECT_EQ(found(elaborated.findings, "graph"),
            (Lines{"layers: a container needs exactly one boundary_in; found 0",
                   "layers: a container needs exactly one boundary_out; found 0"}));
}

TEST(Elaboration, ABlockThatContainsItselfEnds) {
  const Elaboration elaborated = elaborate(
      design("", R"({"id":"a","type":"loop"})", "",
             R"(,"defs":{"loop":{"category":"block","ports":{"in":{"x":"... 8"},"out":{"y":"... 8"}},
               "graph":{"nodes":[{"id":"again","type":"loop"}],
                        "edges":[["_in:x","again:x"],["again:y","_out:y"]]}}})"));
  const Lines lines = found(elaborated.findings, "graph");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("nest deeper than 32"), std::string::npos);
}

TEST(Elaboration, AnEncodersBlocksAreOnTheSource) {
  const Elaboration elaborated = elaborate(
      design(R"("S":{"kind":"runtime","default":32},"D":64,"V":100)",
             R"({"id":"source","type":"input","params":{"shape":"B S"}},
                {"id":"embed","type":"embedding","params":{"vocab":"V","dim":"D"}},
                {"id":"attn","type":"gqa_attention","params":{"d_model":"D","heads":4,"kv_heads":4,"head_dim":16,"causal":false}})",
             R"(["source:x","embed:ids"],["embed:y","attn:x"])"));
  EXPECT_TRUE(elaborated.findings.empty());
  EXPECT_EQ(shape_of(elaborated, "attn"), "B S D");
  EXPECT_EQ(shape_of(elaborated, "attn/q_heads"), "B 4 S 16");
  EXPECT_TRUE(elaborated.find("attn/q_proj")->on_source);
}

TEST(Elaboration, RenamingIdsChangesNothingElse) {
  const auto counts = [](std::string_view id) {
    const Elaboration elaborated = elaborate(
        design(kSymbols,
               std::string(kTokens) + R"(,{"id":")" + std::string(id) +
                   R"(","type":"gated_mlp","params":{"d_model":"D","hidden":"4*D"}})",
               std::string(kWire) + R"(,["embed:y",")" + std::string(id) + R"(:x"])"));
    return std::pair(elaborated.instances.size(), elaborated.findings.size());
  };
  EXPECT_EQ(counts("mlp"), counts("zz_feed_forward"));
}

TEST(Elaboration, AHundredThousandBlocksAreNoTrouble) {
  std::string nodes(kTokens);
  std::string edges(kWire);
  std::string last = "embed";
  for (int i = 0; i < 100'000; ++i) {
    const std::string id = "n" + std::to_string(i);
    nodes += R"(,{"id":")" + id + R"(","type":"rmsnorm","params":{"dim":"D"}})";
    edges += R"(,[")" + last + R"(:y",")" + id + R"(:x"])";
    last = id;
  }
  const Elaboration elaborated = elaborate(design(kSymbols, nodes, edges));
  EXPECT_TRUE(elaborated.findings.empty());
  EXPECT_EQ(shape_of(elaborated, last), "B T D");
}

}  // namespace
}  // namespace roofbeam
