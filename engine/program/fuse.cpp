#include "engine/program/fuse.h"

#include <utility>

#include "engine/program/decompose.h"

namespace roofbeam {

Program compiled(Program program) {
  for (Segment& segment : program.segments) decompose(program, segment);
  std::vector<std::vector<bool>> read_outside = values_read_outside(program);
  for (std::size_t i = 0; i < program.segments.size(); ++i) {
    Rewriter graph(program, program.segments[i], std::move(read_outside[i]));
    drop_aliases(graph);
    reduce_below_views(graph);
    lift_quantizations(graph);
    merge_views(graph);
    fuse_rotations(graph);
    fuse_chains(graph);
    fold_weights(graph);
    merge_linears(graph);
    group_experts(graph);
    graph.tidy();
    graph.finish();
  }
  return program;
}

}  // namespace roofbeam
