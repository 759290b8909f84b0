#include "engine/program/rewriter.h"

#include <gtest/gtest.h>

#include "tests/unit/program/segment.h"

namespace roofbeam {
namespace {

using tests::SegmentBuilder;

TEST(Rewriter, KnowsWhoWritesAndReadsAValue) {
  SegmentBuilder b;
  const Tensor x = b.given(Dtype::fp16, {4});
  const Tensor y = b.apply("neg", {x});
  const Tensor z = b.apply("mul", {y, y});
  Rewriter graph = b.graph({z});
  const std::vector<NodeId> nodes = graph.nodes();
  ASSERT_EQ(nodes.size(), 2);
  EXPECT_EQ(graph.writer(x), kNoNode);
  EXPECT_EQ(graph.writer(y), nodes[0]);
  EXPECT_EQ(graph.readers(y.value), std::vector{nodes[1]});
  EXPECT_TRUE(graph.read_only_by(y.value, nodes[1]));
  EXPECT_TRUE(graph.is_read_outside(z.value));
  EXPECT_EQ(graph.sole_reader(z.value), kNoNode);
}

TEST(Rewriter, DropsWhatNobodyReadsAndWhatOnlyThatRead) {
  SegmentBuilder b;
  const Tensor x = b.given(Dtype::fp16, {4});
  const Tensor kept = b.apply("neg", {x});
  (void)b.apply("exp", {b.apply("relu", {x})});
  Rewriter graph = b.graph({kept});
  graph.tidy();
  graph.finish();
  EXPECT_EQ(b.names(), (std::vector<std::string_view>{"neg"}));
}

TEST(Rewriter, RunsAnOperatorRightBehindTheLastItWaitsFor) {
  SegmentBuilder b;
  const Tensor x = b.given(Dtype::fp16, {4});
  const Tensor early = b.apply("neg", {x});
  const Tensor middle = b.apply("exp", {x});
  const Tensor late = b.apply("relu", {x});
  Rewriter graph = b.graph({early, middle, late});
  graph.reread(graph.writer(early), 0, late);
  graph.tidy();
  graph.finish();
  EXPECT_EQ(b.names(), (std::vector<std::string_view>{"exp", "relu", "neg"}));
}

TEST(Rewriter, ReadersOfAChangedTensorStayBehindTheChange) {
  SegmentBuilder b;
  const Tensor x = b.given(Dtype::fp16, {4});
  const Tensor cache = b.given(Dtype::fp16, {16});
  const Tensor late = b.apply("neg", {x});
  Operator change{.name = "reshape_and_cache", .reads = {x, cache}};
  change.reads[1].updated = true;
  b.add(change);
  const Tensor seen = b.view("select", cache, {4});
  Rewriter graph = b.graph({seen, late});
  graph.reread(graph.named("reshape_and_cache").front(), 0, late);
  graph.tidy();
  graph.finish();
  EXPECT_EQ(b.names(), (std::vector<std::string_view>{"neg", "reshape_and_cache", "select"}));
}

TEST(Rewriter, AValueThatOthersReadKeepsItsName) {
  SegmentBuilder b;
  const Tensor x = b.given(Dtype::fp16, {4});
  const Tensor y = b.apply("neg", {x});
  const Tensor z = b.view("view", y, {4});
  Rewriter graph = b.graph({z});
  graph.substitute(z.value, y);
  graph.tidy();
  graph.finish();
  ASSERT_EQ(b.names(), (std::vector<std::string_view>{"neg"}));
  EXPECT_EQ(b.segment().operators.front().writes.front().value, z.value);
}

}  // namespace
}  // namespace roofbeam
