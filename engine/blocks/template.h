#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/blocks/block.h"
#include "engine/json/value.h"

namespace roofbeam {

// A condition on a composite's arguments: any of the alternatives, in each of which every clause
// holds. No alternatives: always.
struct TemplateCondition {
  struct Clause {
    std::string param;
    bool wanted = true;                // truth: a true flag, a nonzero number, a set object or text
    std::vector<std::string> choices;  // where given: the argument's text is one of these
  };
  std::vector<std::vector<Clause>> alternatives;
};

[[nodiscard]] bool holds(const TemplateCondition& condition, const Arguments& arguments);

// How a parameter of a node inside a composite gets its value from the composite's own arguments.
struct TemplateValue {
  enum class Kind : std::uint8_t {
    literal,     // as written
    inherited,   // "$name": the argument itself, whatever its type
    member,      // "$name.key": a member of an object argument; null where absent
    first_set,   // { "first": ["$a", "$b"] }: see `chosen`
    expression,  // "$heads*$head_dim", ["$a", "$b"]: texts with arguments in them
  };
  Kind kind = Kind::literal;
  json::Value literal;                    // literal, and expression as written
  std::string param;                      // inherited, member
  std::string key;                        // member
  std::vector<TemplateValue> candidates;  // first_set
};

// The value itself, or of a first_set the first candidate that is set: neither null nor the number
// 0, which stands for "as the other" in this catalog; the last one where none is.
[[nodiscard]] const TemplateValue& chosen(const TemplateValue& value, const Arguments& arguments);

// `text` with every `$name` replaced by that argument's expression, parenthesised if needed; null
// gives 0, booleans 1 and 0. Choices and patterns are put in as they are.
[[nodiscard]] std::string substituted(std::string_view text, const Arguments& arguments);

// The same for every text within a value.
[[nodiscard]] json::Value substituted(const json::Value& value, const Arguments& arguments);

struct TemplateGraph;

// One node of a composite, or one of several alternatives that share an id and of which at most one
// is there: a norm is an rmsnorm or a layernorm, and wires to it need not know which.
struct TemplateNode {
  std::string id;
  std::string type;
  std::vector<std::pair<std::string, TemplateValue>> params;
  std::shared_ptr<const TemplateGraph> graph;  // containers only
  std::optional<std::string> label;
  TemplateCondition when;
};

// One end of a wire. A node between two others in a chain is entered by `port` and left by its main
// output.
struct TemplateEnd {
  std::size_t node = 0;  // index into the graph's nodes; kBoundaryIn / kBoundaryOut
  std::string port;      // "": the node's main (first) input or output

  friend bool operator==(const TemplateEnd&, const TemplateEnd&) = default;
};

inline constexpr std::size_t kBoundaryIn = static_cast<std::size_t>(-1);
inline constexpr std::size_t kBoundaryOut = static_cast<std::size_t>(-2);

// A producer, nodes passed through, a consumer. A node whose condition fails is stepped over; a
// chain whose first or last end is absent is no wire at all. One text serves a stack with and
// without its optional norms this way.
struct TemplateChain {
  std::vector<TemplateEnd> ends;
  TemplateCondition when;  // of the composite's port it starts at
};

struct TemplateGraph {
  std::vector<TemplateNode> nodes;
  std::vector<TemplateChain> wires;
  // A container's own ports (name, pattern with $names); empty for a composite's graph.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::vector<std::pair<std::string, std::string>> outputs;
  // Ids of the boundary nodes.
  std::string input_id = "_in";
  std::string output_id = "_out";
};

struct TemplateWire {
  TemplateEnd from;
  TemplateEnd to;

  friend bool operator==(const TemplateWire&, const TemplateWire&) = default;
};

// The wires between the nodes that are there for these arguments, in the order of the chains. Ends
// name the alternative that is there. A stretch that longer chains share is one wire; a pair
// written twice stays two, for whoever reports that an input has two writers.
[[nodiscard]] std::vector<TemplateWire> wires_of(const TemplateGraph& graph,
                                                 const Arguments& arguments);

// A relation that has to hold between a composite's arguments. Expressions use bare parameter
// names, as port patterns do.
struct Constraint {
  struct Divides {  // divisor divides dividend
    std::string divisor;
    std::string dividend;
  };
  struct AtMost {  // smaller <= larger
    std::string smaller;
    std::string larger;
  };
  struct Unset {  // none of these parameters is set
    std::vector<std::string> params;
  };

  std::string id;  // "ATTN-01"
  Severity severity = Severity::error;
  std::optional<std::string> param;  // whose value is at fault; of Unset, the first that is set
  TemplateCondition when;
  std::variant<Unset, Divides, AtMost> relation;
  std::string message;  // "$heads" stands for that argument's value
  std::string hint;
};

// What a composite expands to.
struct Template {
  TemplateGraph graph;
  // Values that several nodes use, declared under "let" and then used as if they were parameters;
  // each may use those before it.
  std::vector<std::pair<ParamSpec, TemplateValue>> locals;
  std::vector<TemplateCondition> input_conditions;  // by port: inputs that are not always there
  std::vector<Constraint> constraints;
};

// The arguments and after them the template's locals: what a composite's nodes, conditions and
// wires are expanded with. A local that cannot be computed is NaN. Points into `body`.
[[nodiscard]] Arguments with_locals(const Template& body, const Arguments& arguments,
                                    const Scope& scope);

// The ports a composite has with these arguments. Requires a body.
[[nodiscard]] Ports ports_of(const BlockSpec& composite, const Arguments& arguments);

// The constraints of a composite that do not hold; one whose expressions have no value is left to
// those who report the arguments. Requires a body.
[[nodiscard]] std::vector<Issue> check_template(const BlockSpec& composite,
                                                const Arguments& arguments, const Scope& scope);

// Who wrote a definition. Conditions ("when"), chains ("wires"), "let", "constraints",
// "$name.key" and { "first": ... } are for the files of presets/blocks; a document has "edges". A
// file of presets/primitives has no graph: "kind", "saves" and "autocast" are its own.
enum class DefinitionOrigin : std::uint8_t { document, built_in, primitive };

// Reads a block definition: a file of presets/blocks or presets/primitives, or an entry of a
// document's `defs`. `path` is the JSON Pointer to `definition`. All problems at once: json.* and
// block.parameter_name, then, in this order, block.type_name, block.no_input, block.no_output,
// block.no_nodes, block.boundary_nodes, block.unknown_parameter (missing names sorted); where there
// are none of these, block.wire and block.alternatives. The type's clash with another block is the
// catalog's to find.
[[nodiscard]] Result<BlockSpec> read_block(std::string_view type, const json::Value& definition,
                                           std::string_view path = "",
                                           DefinitionOrigin origin = DefinitionOrigin::document);

// The names that `$name` refers to in the texts within a value, in order of first appearance.
[[nodiscard]] std::vector<std::string> parameters_in(const json::Value& value);

}  // namespace roofbeam
