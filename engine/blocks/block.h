#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/blocks/arguments.h"
#include "engine/blocks/operator.h"
#include "engine/design/finding.h"

namespace roofbeam {

enum class Category : std::uint8_t {
  io,
  embedding,
  linear,
  head,
  norm,
  elementwise,
  attention,
  position,
  moe,
  shape,
  ssm,
  mlp,
  block,
  container
};

[[nodiscard]] std::string_view name(Category category);

// The category of that name, or nothing.
[[nodiscard]] std::optional<Category> category_named(std::string_view name);

// What kind of element a port carries; not its width.
enum class ElementClass : std::uint8_t { inherit, real, half, single, fp8, integer, boolean };

// "inherit", "real", "half", "float", "fp8", "int", "bool": what documents write.
[[nodiscard]] std::string_view name(ElementClass element);

// The element class of that name, or nothing.
[[nodiscard]] std::optional<ElementClass> element_class_named(std::string_view name);

struct PortSpec {
  std::string name = {};
  std::string shape = {};  // a pattern over the block's parameters and the design's symbols
  ElementClass element = ElementClass::inherit;
  bool optional = false;
  bool side = false;  // drawn at the block's side rather than in the main flow
  std::string doc = {};
};

struct Ports {
  std::vector<PortSpec> inputs = {};
  std::vector<PortSpec> outputs = {};
};

// Catalog text, shown by `explain`.
struct BlockDocs {
  std::string title = {};    // "grouped-query attention"
  std::string summary = {};  // one sentence
  std::string formula = {};  // in the block's own letters
  std::vector<std::string> references = {};
};

// The lengths a block is counted at.
struct Lengths {
  double own = 1;     // of the block's own stream: T, or S for a block of the encoder
  double source = 0;  // S; 0 without a source
  double batch = 1;
};

// What the closed forms may ask beside the block's arguments.
struct FormContext {
  const Scope& scope;
  Lengths lengths;
  // The share of (query, key) pairs an attention's mask expression keeps beyond what causality and
  // a window leave; 1 without one.
  double kept_share = 1;
};

// Work per token of the block's own stream. A multiply-accumulate counts 2.
struct WorkPerToken {
  Flops matrix = {};              // independent of the length
  Flops attention = {};           // grows with it, masked pairs left out
  Flops attention_unmasked = {};  // the same as a profiler counts it: every pair
  Flops elementwise = {};         // reported apart, never added to the others
};

// How wide the elements are that tensors are kept in.
struct SavingContext {
  double bytes_per_element = 2;
  bool fused_attention = true;  // the operating point's switch
  Lengths lengths;
};

// Cache or recurrent state one block needs while generating.
struct CacheBytes {
  Bytes per_token = {};
  Bytes per_sequence = {};
  Bytes per_token_decompressed = {};  // what an implementation that expands latents would keep
};

// Output precision under autocast: "half", "single", "widest_input" in a definition.
enum class Autocast : std::uint8_t { half, single, widest_input };

// The shapes one instance is lowered with, T standing for the new positions alone.
struct LoweringContext {
  const Scope& scope;
  Workload workload = {};
  std::vector<std::vector<Extent>> inputs = {};   // by port
  std::vector<std::vector<Extent>> outputs = {};  // by port
};

struct Issue {
  std::string rule;  // "SDPA-01"
  Severity severity = Severity::error;
  std::optional<std::string> param = {};
  std::string message = {};
  std::string hint = {};
};

// A primitive's formulas, the only place each is written. Analysis reads the closed forms, planning
// reads analysis, simulation reads the operators; a property test holds them to each other. A null
// entry means zero (or nothing).
struct Forms {
  // Trained weights of one instance.
  double (*weights)(const Arguments&) = nullptr;
  // Weights one pass reads: those another block owns too. Null: the same as `weights`.
  double (*weights_read)(const Arguments&) = nullptr;
  WorkPerToken (*work)(const Arguments&, const FormContext&) = nullptr;
  // Bytes per token of what is created inside and kept for the backward pass.
  Bytes (*saves_inside)(const Arguments&, const SavingContext&) = nullptr;
  CacheBytes (*cache)(const Arguments&, double bytes_per_element, const Lengths&) = nullptr;
  // The operators of one forward pass, in order.
  std::vector<Operator> (*lower)(const Arguments&, const LoweringContext&) = nullptr;
  // Constraints between arguments, beyond each one's own range.
  std::vector<Issue> (*check)(const Arguments&, const Scope&) = nullptr;
  // Ports that depend on the arguments; null: the declared ones.
  Ports (*ports)(const Arguments&, const Ports& declared, const Scope&) = nullptr;
};

enum class BlockKind : std::uint8_t { primitive, composite, container };

struct Template;

// One block type of the catalog.
struct BlockSpec {
  std::string type = {};
  Category category = Category::io;
  BlockKind kind = BlockKind::primitive;
  BlockDocs docs = {};
  std::vector<ParamSpec> params = {};
  Ports ports = {};
  // Input ports whose tensors the backward pass reads, and the output's precision: primitives.
  std::vector<std::string> saves = {};
  Autocast autocast = Autocast::widest_input;
  Forms forms = {};                           // primitives
  std::shared_ptr<const Template> body = {};  // composites: what they expand to

  [[nodiscard]] const ParamSpec* param(std::string_view name) const;
};

}  // namespace roofbeam
