#include "engine/rules/tensor_origins.h"

namespace roofbeam {

// `order` has producers before consumers and an interior right after its block, so one pass meets
// every origin before it is asked for.
TensorOrigins::TensorOrigins(const Elaboration& design) {
  origins_.resize(design.instances.size());
  for (InstanceId id = 0; id < design.instances.size(); ++id) {
    const Instance& instance = design.instances[id];
    const bool own = instance.spec->kind == BlockKind::primitive;
    origins_[id].assign(instance.outputs.size(), own ? id : kNoInstance);
  }
  for (const InstanceId id : design.order) {
    const Instance& instance = design.instances[id];
    if (instance.parent == kNoInstance) continue;
    const Instance& parent = design.instances[instance.parent];
    if (parent.boundary_in == id) {
      for (std::size_t port = 0; port < instance.outputs.size(); ++port) {
        const auto outer = parent.input(instance.ports().outputs[port].name);
        origins_[id][port] = outer ? reaching(parent.inputs[*outer]) : kNoInstance;
      }
    } else if (parent.boundary_out == id) {
      for (std::size_t port = 0; port < instance.inputs.size(); ++port)
        if (const auto outer = parent.output(instance.ports().inputs[port].name))
          origins_[instance.parent][*outer] = reaching(instance.inputs[port]);
    }
  }
}

}  // namespace roofbeam
