#pragma once

#include <vector>

#include "engine/graph/elaboration.h"

namespace roofbeam {

// Which block made the tensor at each output, seen through the walls of containers and composites:
// out of the boundary a tensor entered by, and into what a container leaves it from.
class TensorOrigins {
 public:
  explicit TensorOrigins(const Elaboration& design);

  // kNoInstance where a wire is missing on the way.
  [[nodiscard]] InstanceId of(const Endpoint& endpoint) const {
    return origins_[endpoint.instance][endpoint.port];
  }
  [[nodiscard]] InstanceId reaching(const InputState& input) const {
    return input.producer ? of(*input.producer) : kNoInstance;
  }

 private:
  std::vector<std::vector<InstanceId>> origins_;  // by instance and output
};

}  // namespace roofbeam
