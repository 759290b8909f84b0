#include <gtest/gtest.h>

#include <string>

#include "engine/graph/elaboration.h"
#include "tests/support/documents.h"

namespace roofbeam {
namespace {

using tests::design;

// Two transformer blocks in a row; an equal second one is copied from the first, another is
// expanded.
Elaboration two_blocks(const std::string& first_hidden) {
  const auto block = [](const std::string& id, const std::string& hidden) {
    return R"({"id":")" + id +
           R"(","type":"moe_layer","params":{"d_model":"D","experts":8,"top_k":2,
      "expert_hidden":)" +
           hidden + "}}";
  };
  return elaborate(design(R"("D":64,"V":100)",
                          R"({"id":"tokens","type":"input"},
                             {"id":"embed","type":"embedding","params":{"vocab":"V","dim":"D"}},)" +
                              block("a", first_hidden) + "," + block("b", "48"),
                          R"(["tokens:x","embed:ids"],["embed:y","a:x"],["a:y","b:x"])"));
}

std::string path_of(const Elaboration& elaborated, InstanceId id) {
  return id == kNoInstance ? "-" : elaborated.instances[id].path;
}

// All that an elaboration says of the instances below a path, a line each.
std::string below(const Elaboration& elaborated, const std::string& path) {
  std::string lines;
  for (const InstanceId id : elaborated.order) {
    const Instance& instance = elaborated.instances[id];
    if (!instance.path.starts_with(path)) continue;
    lines += instance.path + " " + instance.spec->type + " in " +
             path_of(elaborated, instance.parent) + ", " + path_of(elaborated, instance.repeat) +
             " from " + path_of(elaborated, instance.boundary_in) + " to " +
             path_of(elaborated, instance.boundary_out) + " copies " +
             std::to_string(instance.copies) + " " + std::to_string(instance.active_copies) +
             (instance.expert ? " expert" : "");
    for (const Argument& argument : instance.arguments.all())
      lines += " " + std::to_string(argument.value);
    for (const InstanceId child : instance.children)
      lines += " holds " + path_of(elaborated, child);
    for (const InputState& input : instance.inputs)
      lines += " reads " +
               (input.producer ? path_of(elaborated, input.producer->instance) : "nothing") + " " +
               (input.shape ? text(*input.shape, elaborated.scope) : "unknown");
    for (const OutputState& output : instance.outputs)
      lines += std::string(output.read ? " gives " : " keeps ") +
               (output.shape ? text(*output.shape, elaborated.scope) : "unknown");
    lines += "\n";
  }
  return lines;
}

TEST(Reuse, ACopiedExpansionIsTheOneThatWouldHaveBeenMade) {
  const Elaboration copied = two_blocks("48");
  const Elaboration expanded = two_blocks("32");
  EXPECT_TRUE(copied.findings.empty());
  EXPECT_EQ(copied.order.size(), copied.instances.size());
  EXPECT_NE(below(copied, "b"), "");
  EXPECT_EQ(below(copied, "b"), below(expanded, "b"));
  EXPECT_NE(below(expanded, "a/experts"), below(copied, "a/experts"));
}

// What is wrong inside is said of every block it is wrong in.
TEST(Reuse, BlocksWithFindingsAreExpandedEachOnItsOwn) {
  const Elaboration elaborated =
      elaborate(design(R"("D":64,"V":100)", R"({"id":"tokens","type":"input"},
        {"id":"embed","type":"embedding","params":{"vocab":"V","dim":"D"}},
        {"id":"a","type":"gqa_attention","params":{"d_model":"D","heads":4,"kv_heads":3,"head_dim":16}},
        {"id":"b","type":"gqa_attention","params":{"d_model":"D","heads":4,"kv_heads":3,"head_dim":16}})",
                       R"(["tokens:x","embed:ids"],["embed:y","a:x"],["a:y","b:x"])"));
  std::size_t of_a = 0;
  std::size_t of_b = 0;
  for (const Finding& finding : elaborated.findings) {
    of_a += finding.path.value_or("").starts_with("a") ? 1 : 0;
    of_b += finding.path.value_or("").starts_with("b") ? 1 : 0;
  }
  EXPECT_GT(of_a, 0u);
  EXPECT_EQ(of_a, of_b);
}

}  // namespace
}  // namespace roofbeam
