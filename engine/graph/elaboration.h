#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/algebra/pattern.h"
#include "engine/blocks/block.h"
#include "engine/blocks/catalog.h"
#include "engine/design/document.h"
#include "engine/design/finding.h"
#include "engine/design/symbols.h"

namespace roofbeam {

using InstanceId = std::uint32_t;
inline constexpr InstanceId kNoInstance = std::numeric_limits<InstanceId>::max();

// One output of one instance.
struct Endpoint {
  InstanceId instance = kNoInstance;
  std::uint32_t port = 0;  // index into the instance's outputs
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

struct InputState {
  std::optional<Endpoint> producer;    // in the same graph; nothing where none is known
  std::optional<SymbolicShape> shape;  // nothing where the producer's shape could not be had
  bool wired = false;                  // some wire ends here, even one whose producer is not known
};

struct OutputState {
  std::optional<SymbolicShape> shape;
  bool read = false;  // some input is connected to it
};

// One block, at one place of the fully expanded design. Composites and containers are instances
// too, and so is what they expand to; only primitives have formulas.
struct Instance {
  std::string path;  // "layers/block/attn/q_proj"
  std::string id;
  const BlockSpec* spec = nullptr;
  Arguments arguments;
  std::optional<std::string> label;
  InstanceId parent = kNoInstance;
  std::vector<InstanceId> children;           // document order; composites and containers
  InstanceId boundary_in = kNoInstance;       // composites and containers: the child that feeds them
  InstanceId boundary_out = kNoInstance;      // and the one that ends them
  InstanceId repeat = kNoInstance;            // the innermost repeat around it
  std::shared_ptr<const Ports> own_ports;     // where they depend on the arguments
  std::vector<InputState> inputs;             // by port
  std::vector<OutputState> outputs;           // by port
  // Copies of it in the model: what parameters are multiplied by, and FLOPs. A repeat multiplies
  // both by its count, experts the first by their number and the second by how many a token uses.
  double copies = 1;
  double active_copies = 1;
  bool expert = false;     // inside a moe_experts container
  bool on_source = false;  // belongs to the encoder's stream: its shapes speak of S, not of T

  [[nodiscard]] const Ports& ports() const { return own_ports ? *own_ports : spec->ports; }
  [[nodiscard]] std::optional<std::size_t> input(std::string_view port) const;
  [[nodiscard]] std::optional<std::size_t> output(std::string_view port) const;
};

// A design with every composite expanded, every parameter resolved and every shape inferred. The
// stage all analyses read; nothing in it depends on a device or a workload.
struct Elaboration {
  std::vector<Instance> instances;  // every parent before its children
  std::vector<InstanceId> roots;    // the document's own nodes, in order
  std::vector<InstanceId> order;    // every instance, producers before consumers at each level,
                                    // a composite or container before what is inside it
  Scope scope;
  bool has_source = false;
  // Rules "symbols", "user-blocks", "graph", "shape" and the constraints of blocks (SDPA-01, ...).
  Findings findings;
  std::shared_ptr<const Catalog> catalog;

  [[nodiscard]] const Instance* find(std::string_view path) const;
};

// The most instances a design may expand to; more is a finding (a definition that doubles itself
// thirty times would otherwise fill the memory).
inline constexpr std::size_t kMaxInstances = 400'000;

// Expands, resolves and infers, going on past every problem: what is wrong is a finding, what
// depends on it is unknown. Producers come before consumers whatever the document's order.
[[nodiscard]] Elaboration elaborate(const Document& document);

// Whether a shape depends on the target's length T, the source's length S.
[[nodiscard]] bool mentions(const SymbolicShape& shape, SymbolId symbol);

}  // namespace roofbeam
