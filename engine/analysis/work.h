#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/operating_point.h"
#include "engine/analysis/parameters.h"

namespace roofbeam {

// Forward work of one stream, per its own token.
struct StreamWork {
  std::string symbol;  // "T", "S"
  double length = 0;
  Flops forward;
};

// Attention over packed documents: a query reads its own document only.
struct PackedWork {
  Flops attention;         // forward, per token
  Flops forward;           // dense + attention
  Flops train;
  Flops attention_blocks;  // the same counting whole 128x128 blocks a kernel cannot skip
};

// Floating-point work per token of the target stream. A multiply-accumulate counts 2.
struct WorkCount {
  Flops dense;                // forward, independent of the length
  Flops attention;            // forward, grows with it; masked pairs left out
  Flops attention_unmasked;   // the same with every pair: what a profiler reports
  Flops elementwise;          // reported apart
  Flops train;                // forward and backward: 3x forward, 4x with full recompute
  double recompute_forwards = 0;  // extra forward passes of the backward one
  std::vector<StreamWork> streams;  // designs with a source only
  Flops per_example;          // forward over both streams; designs with a source only
  std::optional<PackedWork> packed;  // where the point packs documents and a mask reads them
  std::vector<PathAmount> by_path;  // dense + attention
  Amounts by_category;

  [[nodiscard]] Flops forward() const { return dense + attention; }
  [[nodiscard]] Flops forward_unmasked() const { return dense + attention_unmasked; }
  [[nodiscard]] double attention_share() const { return attention / forward(); }
};

[[nodiscard]] WorkCount count_work(const Elaboration& design, const OperatingPoint& point);

// The lengths a block is counted at.
[[nodiscard]] Lengths lengths_of(const Instance& instance, const OperatingPoint& point);

// Cache and recurrent state while generating, of blocks on the target stream.
struct CacheCount {
  Bytes per_token;
  Bytes per_sequence_fixed;
  Bytes per_token_decompressed;
  struct Row {
    InstanceId instance = kNoInstance;
    CacheBytes bytes;
  };
  std::vector<Row> by_path;
};

[[nodiscard]] CacheCount count_cache(const Elaboration& design, const OperatingPoint& point);

}  // namespace roofbeam
