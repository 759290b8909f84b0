#pragma once

#include <vector>

#include "engine/analysis/operating_point.h"

namespace roofbeam {

// Whether the point trains under autocast: asked for, and the dtype is narrower than fp32.
[[nodiscard]] bool uses_autocast(const OperatingPoint& point);

// Bytes per element of every tensor that a training step makes. Without autocast all have the
// point's dtype. With it, matrix work and attention leave 2 bytes, embeddings, norms, softmax,
// router, rope and scans leave 4, the input 2, and everything else the widest of what it reads.
class TensorWidths {
 public:
  TensorWidths(const Elaboration& design, const OperatingPoint& point);

  [[nodiscard]] double of(const Endpoint& endpoint) const;
  // The width a block keeps a tensor in that reaches it `kept` wide.
  [[nodiscard]] double read_by(const Instance& reader, double kept) const;
  // The width full recompute keeps the inputs of a layer in.
  [[nodiscard]] double layer_inputs() const;

 private:
  void spread(const Elaboration& design);

  bool autocast_;
  double uniform_;
  std::vector<std::vector<double>> widths_;  // by instance and output port; empty unless autocast
};

}  // namespace roofbeam
