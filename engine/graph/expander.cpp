#include "engine/graph/expander.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/blocks/attention.h"
#include "engine/graph/hints.h"
#include "engine/graph/resolve.h"

namespace roofbeam {
namespace {

// Cycles that are listed, and the blocks that each is told by: a tangle has as many as it has
// wires.
constexpr std::size_t kListedCycles = 100;
constexpr std::size_t kShownCycleBlocks = 12;

bool is_container(const Instance& instance) { return instance.spec->kind == BlockKind::container; }

bool has_inside(const Instance& instance) { return instance.spec->kind != BlockKind::primitive; }

// "3*D = 300": with its value where design symbols stand in it.
std::string with_number(const Polynomial& axis, const Scope& scope) {
  const std::string written = text(axis, scope);
  const std::optional<Polynomial> value = with_design_values(axis, scope);
  return value && *value != axis ? written + " = " + text(*value, scope) : written;
}

// Equal with design values put in.
bool same_shape(const SymbolicShape& a, const SymbolicShape& b, const Scope& scope) {
  if (a == b) return true;
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const std::optional<Polynomial> left = with_design_values(a[i], scope);
    const std::optional<Polynomial> right = with_design_values(b[i], scope);
    if (!left || !right || *left != *right) return false;
  }
  return true;
}

}  // namespace

Expander::Expander(const Document& document) : document_(document) {
  ResolvedSymbols symbols = resolve_symbols(document);
  result_.scope = std::move(symbols.scope);
  result_.has_source = symbols.has_source;
  result_.findings = std::move(symbols.problems);
  target_symbol_ = *result_.scope.find("T");
  if (result_.has_source) {
    source_symbol_ = *result_.scope.find("S");
    source_length_ = Polynomial::symbol(source_symbol_);
  }
  auto catalog = std::make_shared<const Catalog>(document);
  const Findings& problems = catalog->problems();
  result_.findings.insert(result_.findings.end(), problems.begin(), problems.end());
  result_.catalog = std::move(catalog);
}

Elaboration Expander::run() {
  const LevelContext context{*result_.catalog, result_.scope, result_.findings};
  expand_level(level_of(document_.graph, "", context), {}, "", result_.roots);
  return std::move(result_);
}

void Expander::note(const Instance& instance, std::string rule, Severity severity,
                    const std::string& port, std::string message, std::string hint) {
  if (muted_ > 0 && rule == "shape") return;
  result_.findings.push_back({.rule = std::move(rule),
                              .severity = severity,
                              .path = instance.path,
                              .port = port.empty() ? std::nullopt : std::optional(port),
                              .param = {},
                              .message = std::move(message),
                              .hint = std::move(hint)});
}

void Expander::expand_level(Level level, const Place& place, const std::string& prefix,
                            std::vector<InstanceId>& children) {
  if (too_large_) return;
  std::vector<Instance>& instances = result_.instances;
  if (instances.size() + level.nodes.size() > kMaxInstances) {
    too_large_ = true;
    result_.findings.push_back(
        {.rule = "graph",
         .severity = Severity::error,
         .path = prefix.empty() ? std::nullopt : std::optional(prefix),
         .port = {},
         .param = {},
         .message = "the design expands to more than " + std::to_string(kMaxInstances) + " blocks",
         .hint = "use a repeat container for equal layers"});
    return;
  }
  if (instances.capacity() - instances.size() < level.nodes.size())
    instances.reserve(std::max(2 * instances.capacity(), instances.size() + level.nodes.size()));
  // Nodes of unknown type have been reported and take no further part.
  std::vector<std::size_t> kept;
  std::vector<InstanceId> id_of(level.nodes.size(), kNoInstance);
  const auto base = static_cast<InstanceId>(instances.size());
  for (std::size_t i = 0; i < level.nodes.size(); ++i) {
    LevelNode& node = level.nodes[i];
    if (node.spec == nullptr) continue;
    id_of[i] = static_cast<InstanceId>(instances.size());
    kept.push_back(i);
    Instance& instance = instances.emplace_back();
    instance.path = joined(prefix, node.id);
    instance.id = std::move(node.id);
    instance.spec = node.spec;
    instance.arguments = std::move(node.arguments);
    instance.label = std::move(node.label);
    instance.parent = place.parent;
    instance.repeat = place.repeat;
    instance.copies = place.copies;
    instance.active_copies = place.active_copies;
    instance.expert = place.expert;
    instance.own_ports = node.own_ports
                             ? std::move(node.own_ports)
                             : ports_for(*instance.spec, instance.arguments, result_.scope);
    instance.inputs.resize(instance.ports().inputs.size());
    instance.outputs.resize(instance.ports().outputs.size());
  }
  children.reserve(kept.size());
  for (const std::size_t i : kept) children.push_back(id_of[i]);

  for (LevelEdge& edge : level.edges) {
    connect(edge, edge.from == kNoNode ? kNoInstance : id_of[edge.from],
            edge.to == kNoNode ? kNoInstance : id_of[edge.to]);
  }
  // A level's boundary nodes are how its parent is entered and left.
  if (place.parent != kNoInstance) {
    for (const std::size_t i : kept) {
      const InstanceId id = id_of[i];
      Instance& parent = instances[place.parent];
      if (instances[id].spec->type == "boundary_in") {
        parent.boundary_in = id;
        Instance& entry = instances[id];
        for (std::size_t port = 0; port < entry.outputs.size(); ++port)
          if (const auto outer = parent.input(entry.ports().outputs[port].name))
            entry.outputs[port].shape = parent.inputs[*outer].shape;
      } else if (instances[id].spec->type == "boundary_out") {
        parent.boundary_out = id;
      }
    }
  }
  for (const InstanceId id : producers_first(base, instances.size() - base))
    infer(id, level.nodes[kept[id - base]], place);
}

void Expander::connect(const LevelEdge& edge, InstanceId from_id, InstanceId to_id) {
  const auto dangling = [&](const Instance& instance, const std::string& port, bool output) {
    const std::vector<PortSpec>& specs =
        output ? instance.ports().outputs : instance.ports().inputs;
    std::vector<std::string_view> names;
    if (is_hinted(result_.findings) && specs.size() <= kHintedCandidates)
      for (const PortSpec& spec : specs) names.push_back(spec.name);
    std::string hint = closest_hint(port, names);
    if (hint.empty() && !names.empty()) hint = "it has " + join(names, ", ");
    note(instance, "graph", Severity::error, port,
         instance.spec->type + " has no " + (output ? "output " : "input ") + quoted(port), hint);
  };
  const auto main_or = [](const std::string& port, std::optional<std::size_t> named,
                          std::size_t count) -> std::optional<std::size_t> {
    if (!port.empty()) return named;
    return count > 0 ? std::optional<std::size_t>(0) : std::nullopt;
  };
  std::optional<std::size_t> output;
  if (from_id != kNoInstance) {
    Instance& from = result_.instances[from_id];
    output = main_or(edge.from_port, from.output(edge.from_port), from.outputs.size());
    if (output)
      from.outputs[*output].read = true;
    else
      dangling(from, edge.from_port, true);
  }
  if (to_id == kNoInstance) return;
  Instance& to = result_.instances[to_id];
  const auto input = main_or(edge.to_port, to.input(edge.to_port), to.inputs.size());
  if (!input) {
    dangling(to, edge.to_port, false);
    return;
  }
  InputState& state = to.inputs[*input];
  state.wired = true;
  if (!output) return;
  if (state.producer) {
    const Instance& first = result_.instances[state.producer->instance];
    note(to, "shape", Severity::error, to.ports().inputs[*input].name,
         "two wires enter one input: from " + quoted(first.id) + " and " +
             quoted(result_.instances[from_id].id),
         "add the tensors with an add block first");
    return;
  }
  state.producer = Endpoint{from_id, static_cast<std::uint32_t>(*output)};
}

std::vector<InstanceId> Expander::producers_first(InstanceId base, std::size_t count) {
  enum class Mark : std::uint8_t { fresh, open, done };
  std::vector<Mark> marks(count, Mark::fresh);
  std::vector<InstanceId> order;
  order.reserve(count);
  struct Step {
    InstanceId id;
    std::size_t next_input;
  };
  std::vector<Step> stack;
  std::size_t cycles = 0;
  for (std::size_t start = 0; start < count; ++start) {
    if (marks[start] != Mark::fresh) continue;
    stack.push_back({static_cast<InstanceId>(base + start), 0});
    marks[start] = Mark::open;
    while (!stack.empty()) {
      Step& step = stack.back();
      Instance& instance = result_.instances[step.id];
      if (step.next_input == instance.inputs.size()) {
        marks[step.id - base] = Mark::done;
        order.push_back(step.id);
        stack.pop_back();
        continue;
      }
      InputState& input = instance.inputs[step.next_input++];
      if (!input.producer) continue;
      const InstanceId producer = input.producer->instance;
      if (marks[producer - base] == Mark::fresh) {
        marks[producer - base] = Mark::open;
        stack.push_back({producer, 0});
      } else if (marks[producer - base] == Mark::open) {
        input.producer.reset();  // the wire that closes the cycle is left out of the inference
        if (++cycles > kListedCycles) continue;
        // What is open was met against the wires, so the way back down the stack runs along them.
        std::string chain = result_.instances[producer].id;
        for (std::size_t at = stack.size(), shown = 0; at-- > 0;) {
          chain +=
              " -> " + (++shown > kShownCycleBlocks ? "..." : result_.instances[stack[at].id].id);
          if (shown > kShownCycleBlocks || stack[at].id == producer) break;
        }
        note(result_.instances[producer], "graph", Severity::error, "",
             "the wires form a cycle: " + chain, "use a repeat container for recurrence");
      }
    }
  }
  return order;
}

const Pattern* Expander::pattern(const std::string& text, const Instance& instance,
                                 const std::string& port) {
  auto at = patterns_.find(text);
  if (at == patterns_.end()) at = patterns_.emplace(text, parse_pattern(text)).first;
  if (at->second) return &*at->second;
  const Diagnostic& error = at->second.errors().front();
  note(instance, "shape", Severity::error, port, "the shape " + quoted(text) + ": " + error.message,
       error.hint);
  return nullptr;
}

void Expander::gather(Instance& instance) {
  bool target = false;
  bool source = false;
  for (InputState& input : instance.inputs) {
    if (!input.producer) continue;
    input.shape = result_.instances[input.producer->instance].outputs[input.producer->port].shape;
    if (!input.shape || !result_.has_source) continue;
    target = target || mentions(*input.shape, target_symbol_);
    source = source || mentions(*input.shape, source_symbol_);
  }
  instance.on_source = source && !target;
}

bool Expander::fits(Instance& instance, std::span<const Binding> bindings, SymbolicShape& batch,
                    bool& batch_known) {
  bool all_fit = true;
  const std::vector<PortSpec>& ports = instance.ports().inputs;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const PortSpec& port = ports[i];
    const InputState& input = instance.inputs[i];
    if (!input.wired) {
      if (port.optional) continue;
      note(instance, "shape", Severity::error, port.name,
           "the input " + quoted(port.name) + " is not connected");
      all_fit = false;
      continue;
    }
    if (!input.shape) {
      note(instance, "shape", Severity::warning, port.name,
           "the shape that reaches " + quoted(port.name) +
               " is unknown, because of what comes before it");
      all_fit = false;
      continue;
    }
    const Pattern* wanted = pattern(port.shape, instance, port.name);
    if (wanted == nullptr) {
      all_fit = false;
      continue;
    }
    if (wanted->any) continue;
    const Result<PatternMatch> found = match(*wanted, *input.shape, result_.scope, bindings);
    if (!found) {
      const Diagnostic& error = found.errors().front();
      note(instance, "shape", Severity::error, port.name, error.message, error.hint);
      all_fit = false;
      continue;
    }
    const bool has_batch = std::any_of(
        wanted->atoms.begin(), wanted->atoms.end(),
        [](const PatternAtom& atom) { return atom.kind == PatternAtom::Kind::ellipsis; });
    const bool rank_fits = found->mismatches.empty() || found->mismatches.front().axis >= 0;
    for (const Mismatch& mismatch : found->mismatches) {
      all_fit = false;
      const std::string place =
          mismatch.axis < 0 ? "the shape" : "dim " + std::to_string(mismatch.axis);
      const std::string actual =
          mismatch.axis < 0
              ? mismatch.actual
              : with_number((*input.shape)[static_cast<std::size_t>(mismatch.axis)], result_.scope);
      note(instance, "shape", Severity::error, port.name,
           place + " is " + actual + ", wanted " + mismatch.expected +
               (mismatch.axis < 0 ? "" : " of " + quoted(port.shape)) +
               described_atom(instance, mismatch.expected));
    }
    if (!has_batch || !rank_fits) continue;
    if (!batch_known) {
      batch = found->batch;
      batch_known = true;
    } else if (!same_shape(batch, found->batch, result_.scope)) {
      all_fit = false;
      note(instance, "shape", Severity::error, port.name,
           "the leading dims are " + text(found->batch, result_.scope) +
               ", but another input of this block has " + text(batch, result_.scope));
    }
  }
  return all_fit;
}

std::string Expander::described_atom(const Instance& instance, const std::string& atom) const {
  if (const ParamSpec* param = instance.spec->param(atom);
      param != nullptr && !param->doc.empty()) {
    const Argument* argument = instance.arguments.find(atom);
    const std::string value = argument != nullptr && std::isfinite(argument->value)
                                  ? " = " + with_number(argument->symbolic, result_.scope)
                                  : "";
    return value + " (" + param->doc + ")";
  }
  return "";
}

void Expander::instantiate_outputs(Instance& instance, std::span<const Binding> bindings,
                                   const SymbolicShape& batch, bool batch_known) {
  const std::vector<PortSpec>& ports = instance.ports().outputs;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const PortSpec& port = ports[i];
    const Pattern* made = pattern(port.shape, instance, port.name);
    if (made == nullptr || made->any) continue;
    const bool has_batch = std::any_of(
        made->atoms.begin(), made->atoms.end(),
        [](const PatternAtom& atom) { return atom.kind == PatternAtom::Kind::ellipsis; });
    if (has_batch && !batch_known) continue;
    Result<SymbolicShape> shape = instantiate(*made, result_.scope, bindings, batch);
    if (shape) {
      instance.outputs[i].shape = std::move(*shape);
    } else {
      const Diagnostic& error = shape.errors().front();
      note(instance, "shape", Severity::error, port.name, error.message, error.hint);
    }
  }
}

void Expander::check_constraints(const Instance& instance) {
  std::vector<Issue> issues;
  if (instance.spec->kind == BlockKind::composite)
    issues = check_template(*instance.spec, instance.arguments, result_.scope);
  else if (instance.spec->forms.check != nullptr)
    issues = instance.spec->forms.check(instance.arguments, result_.scope);
  for (Issue& issue : issues) {
    Finding finding{.rule = "shape",
                    .severity = issue.severity,
                    .path = instance.path,
                    .port = {},
                    .param = issue.param,
                    .message = std::move(issue.message),
                    .hint = std::move(issue.hint)};
    // An error is an error of the inference too: it is listed there and under its own id.
    const bool own_rule = issue.rule != "shape";
    if (own_rule && issue.severity == Severity::error) {
      Finding inference = finding;
      inference.param.reset();
      result_.findings.push_back(std::move(inference));
    }
    finding.rule = std::move(issue.rule);
    result_.findings.push_back(std::move(finding));
  }
}

void Expander::infer(InstanceId id, const LevelNode& node, const Place& place) {
  result_.order.push_back(id);
  std::vector<Binding> bindings;
  SymbolicShape batch;
  bool batch_known = false;
  bool fit = true;
  {
    Instance& instance = result_.instances[id];
    gather(instance);
    bindings = instance.arguments.bindings();
    if (instance.on_source) bindings.push_back({"T", &source_length_});
    fit = fits(instance, bindings, batch, batch_known);
    if (!is_container(instance) && instance.spec->type != "boundary_in")
      instantiate_outputs(instance, bindings, batch, batch_known);
    check_constraints(instance);
  }
  if (has_inside(result_.instances[id])) {
    // The interior of a block whose own inputs are wrong can only repeat what was just said.
    if (!fit && !is_container(result_.instances[id])) ++muted_;
    if (is_container(result_.instances[id]) || !reuse_inside(id, place))
      expand_inside(id, node, place);
    if (!fit && !is_container(result_.instances[id])) --muted_;
  }
  if (result_.has_source) {
    Instance& instance = result_.instances[id];
    bool target = false;
    bool source = false;
    const auto see = [&](const std::optional<SymbolicShape>& shape) {
      if (!shape) return;
      target = target || mentions(*shape, target_symbol_);
      source = source || mentions(*shape, source_symbol_);
    };
    for (const InputState& input : instance.inputs) see(input.shape);
    for (const OutputState& output : instance.outputs) see(output.shape);
    instance.on_source = source && !target;
  }
}

void Expander::expand_inside(InstanceId id, const LevelNode& node, const Place& place) {
  Place inner = place;
  inner.parent = id;
  ++inner.depth;
  std::string prefix;
  Level level;
  {
    const Instance& instance = result_.instances[id];
    prefix = instance.path;
    if (inner.depth > kMaxGraphDepth) {
      note(instance, "graph", Severity::error, "",
           "blocks nest deeper than " + std::to_string(kMaxGraphDepth) + " levels",
           "a block that contains itself never ends");
      return;
    }
    const LevelContext context{*result_.catalog, result_.scope, result_.findings};
    if (instance.spec->type == "repeat") {
      const double count = instance.arguments.number("count");
      inner.copies *= count;
      inner.active_copies *= count;
      inner.repeat = id;
    } else if (instance.spec->type == "moe_experts") {
      inner.copies *= instance.arguments.number("experts");
      inner.active_copies *= instance.arguments.number("top_k");
      inner.expert = true;
    }
    if (node.graph != nullptr) {
      level = level_of(*node.graph, prefix, context);
    } else if (node.inner != nullptr) {
      const Instance& outer = enclosing_composite(id);
      level = level_of(*node.inner, with_locals(*outer.spec->body, outer.arguments, result_.scope),
                       instance.ports(), {}, prefix, context);
    } else if (instance.spec->body) {
      std::vector<std::string> tables;
      if (reads_tables(*instance.spec))
        tables = attention_tables(instance.arguments, result_.scope);
      level = level_of(instance.spec->body->graph,
                       with_locals(*instance.spec->body, instance.arguments, result_.scope),
                       instance.ports(), tables, prefix, context);
    } else {
      return;
    }
  }
  Expansion expansion{.composite = id,
                      .place = place,
                      .first = result_.instances.size(),
                      .first_in_order = result_.order.size()};
  const std::size_t findings = result_.findings.size();
  std::vector<InstanceId> children;
  expand_level(std::move(level), inner, prefix, children);
  result_.instances[id].children = std::move(children);
  finish_inside(id);
  if (is_container(result_.instances[id]) || muted_ > 0 || result_.findings.size() > findings)
    return;
  expansion.last = result_.instances.size();
  expansion.last_in_order = result_.order.size();
  expansions_.emplace(result_.instances[id].spec, expansion);
}

const Instance& Expander::enclosing_composite(InstanceId id) const {
  InstanceId at = result_.instances[id].parent;
  while (result_.instances[at].spec->kind != BlockKind::composite)
    at = result_.instances[at].parent;
  return result_.instances[at];
}

void Expander::finish_inside(InstanceId id) {
  Instance& instance = result_.instances[id];
  if (instance.boundary_out == kNoInstance) return;
  const Instance& exit = result_.instances[instance.boundary_out];
  for (std::size_t port = 0; port < instance.outputs.size(); ++port) {
    const std::string& name = instance.ports().outputs[port].name;
    const auto inner = exit.input(name);
    if (!inner) continue;
    const std::optional<SymbolicShape>& reached = exit.inputs[*inner].shape;
    if (!is_container(instance)) {
      if (reached && instance.outputs[port].shape &&
          !same_shape(*reached, *instance.outputs[port].shape, result_.scope))
        note(instance, "shape", Severity::error, name,
             "inside, " + text(*reached, result_.scope) + " reaches the output " + quoted(name) +
                 ", declared " + quoted(instance.ports().outputs[port].shape));
      continue;
    }
    instance.outputs[port].shape = reached;
    if (instance.spec->type != "repeat") continue;
    // A carried tensor: copy i's output is copy i+1's input, so its shape must stay.
    const auto carried = instance.input(name);
    if (!carried || !reached || !instance.inputs[*carried].shape) continue;
    if (!same_shape(*reached, *instance.inputs[*carried].shape, result_.scope))
      note(instance, "shape", Severity::error, name,
           "the repeat does not preserve the shape of " + quoted(name) + ": " +
               text(*instance.inputs[*carried].shape, result_.scope) + " enters, " +
               text(*reached, result_.scope) + " leaves",
           "what one copy leaves, the next takes");
  }
}

}  // namespace roofbeam
