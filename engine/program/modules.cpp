#include "engine/program/modules.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/base/check.h"
#include "engine/blocks/lowering.h"

namespace roofbeam {
namespace {

Extent extent_of(const Arguments& arguments, std::string_view name) {
  const Argument* argument = arguments.find(name);
  return argument == nullptr ? 0 : whole(argument->value);
}

bool flag_of(const Arguments& arguments, std::string_view name) {
  return arguments.find(name) != nullptr && arguments.flag(name);
}

double number_of(const Arguments& arguments, std::string_view name, double fallback) {
  const Argument* argument = arguments.find(name);
  return argument == nullptr || argument->written.is_null() ? fallback : argument->value;
}

Linear linear_of(const Instance& instance) {
  return {.in = extent_of(instance.arguments, "in_features"),
          .out = extent_of(instance.arguments, "out_features"),
          .bias = flag_of(instance.arguments, "bias")};
}

Norm norm_of(const Instance& instance) {
  const bool rms = instance.spec->type == "rmsnorm";
  return {.kind = rms ? Norm::Kind::rms : Norm::Kind::layer,
          .dim = extent_of(instance.arguments, "dim"),
          .eps = number_of(instance.arguments, "eps", 1e-5),
          .scale = !rms || flag_of(instance.arguments, "scale"),
          .bias = !rms && flag_of(instance.arguments, "bias")};
}

// Walks a design in order of execution and writes down what runs.
class Extraction {
 public:
  explicit Extraction(const Elaboration& design) : design_(design) {
    for (std::size_t i = 0; i < design.order.size(); ++i) place_[design.order[i]] = i;
  }

  Model run() {
    model_.runs.push_back({});
    walk(design_.roots);
    std::erase_if(model_.runs, [](const Run& run) { return run.modules.empty(); });
    merge_equal_layers();
    drop_after_head();
    model_.next_slot = next_slot_;
    return std::move(model_);
  }

 private:
  const Instance& at(InstanceId id) const { return design_.instances[id]; }

  std::vector<InstanceId> in_order(std::vector<InstanceId> ids) const {
    std::ranges::sort(ids, {}, [&](InstanceId id) { return place_.at(id); });
    return ids;
  }

  void walk(const std::vector<InstanceId>& ids) {
    for (const InstanceId id : in_order(ids)) visit(id);
  }

  void visit(InstanceId id) {
    const Instance& instance = at(id);
    const std::string& type = instance.spec->type;
    if (type == "boundary_in" || type == "boundary_out" || type == "output") return;
    if (type == "repeat") return visit_repeat(id);
    if (type == "transformer_block" && !in_layer_) return visit_layer(id);
    if (std::optional<ModuleKind> kind = module_of(id)) return add(id, *std::move(kind));
    if (instance.spec->kind == BlockKind::primitive) return add(id, Primitive{id});
    enter(id);
    walk(instance.children);
    leave(id);
  }

  // What is wired into a composite or container is what its way in hands on.
  void enter(InstanceId id) {
    const Instance& instance = at(id);
    if (instance.boundary_in == kNoInstance) return;
    const Instance& door = at(instance.boundary_in);
    for (std::size_t port = 0; port < door.outputs.size(); ++port) {
      const auto outer = instance.input(door.ports().outputs[port].name);
      if (!outer || !instance.inputs[*outer].producer) continue;
      slots_[{instance.boundary_in, port}] = slot_of(*instance.inputs[*outer].producer);
    }
  }

  void leave(InstanceId id) {
    const Instance& instance = at(id);
    if (instance.boundary_out == kNoInstance) return;
    const Instance& door = at(instance.boundary_out);
    for (std::size_t port = 0; port < door.inputs.size(); ++port) {
      const auto outer = instance.output(door.ports().inputs[port].name);
      if (!outer || !door.inputs[port].producer) continue;
      slots_[{id, *outer}] = slot_of(*door.inputs[port].producer);
    }
  }

  void begin_run(std::string name, bool layer) {
    model_.runs.push_back({.name = std::move(name), .layer = layer});
    in_layer_ = layer;
  }

  void visit_layer(InstanceId id) {
    const Instance& instance = at(id);
    begin_run(instance.path, true);
    enter(id);
    Run& run = model_.runs.back();
    run.carried_in = slots_[{instance.boundary_in, 0}];
    walk(instance.children);
    leave(id);
    model_.runs.back().carried_out = slots_[{id, 0}];
    begin_run("", false);
  }

  // A body of whole layers is a sequence of them; any other repeats as it is.
  void visit_repeat(InstanceId id) {
    const Instance& instance = at(id);
    const std::int64_t count = std::max<std::int64_t>(1, extent_of(instance.arguments, "count"));
    std::vector<InstanceId> body;
    for (const InstanceId child : in_order(instance.children))
      if (child != instance.boundary_in && child != instance.boundary_out) body.push_back(child);
    const bool of_layers = !in_layer_ && std::ranges::all_of(body, [&](InstanceId child) {
      return at(child).spec->type == "transformer_block";
    });
    enter(id);
    if (of_layers && body.size() > 1) {
      for (std::int64_t copy = 0; copy < count; ++copy) {
        if (copy > 0) carry(id);
        for (const InstanceId child : body) visit(child);
      }
      return leave(id);
    }
    if (of_layers) {
      visit(body.front());
      model_.runs[model_.runs.size() - 2].copies *= count;
      return leave(id);
    }
    const bool outermost = !in_layer_;
    if (outermost) begin_run(instance.path, true);
    const std::size_t index = model_.runs.size() - 1;
    model_.runs[index].copies *= outermost ? count : 1;
    if (outermost) model_.runs[index].carried_in = slots_[{instance.boundary_in, 0}];
    for (std::int64_t copy = 0; copy < (outermost ? 1 : count); ++copy) {
      if (copy > 0) carry(id);
      for (const InstanceId child : body) visit(child);
    }
    leave(id);
    if (!outermost) return;
    model_.runs[index].carried_out = slots_[{id, 0}];
    begin_run("", false);
  }

  // The next copy starts from what the last one left.
  void carry(InstanceId id) {
    const Instance& instance = at(id);
    const Instance& in = at(instance.boundary_in);
    const Instance& out = at(instance.boundary_out);
    for (std::size_t port = 0; port < out.inputs.size(); ++port) {
      const auto same = in.output(out.ports().inputs[port].name);
      if (same && out.inputs[port].producer)
        slots_[{instance.boundary_in, *same}] = slot_of(*out.inputs[port].producer);
    }
  }

  Slot slot_of(const Endpoint& endpoint) {
    const auto [found, added] = slots_.try_emplace({endpoint.instance, endpoint.port}, next_slot_);
    if (added) ++next_slot_;
    return found->second;
  }

  void add(InstanceId id, ModuleKind kind) {
    const Instance& instance = at(id);
    Module module{.path = instance.path, .kind = std::move(kind)};
    for (const InputState& input : instance.inputs)
      if (input.producer) module.inputs.push_back(slot_of(*input.producer));
    for (std::size_t port = 0; port < instance.outputs.size(); ++port) {
      slots_[{id, port}] = next_slot_;
      module.outputs.push_back(next_slot_++);
    }
    model_.runs.back().modules.push_back(std::move(module));
  }

  // The child of that id; nullptr where the composite has none.
  const Instance* child(const Instance& instance, std::string_view id) const {
    for (const InstanceId each : instance.children)
      if (at(each).id == id) return &at(each);
    return nullptr;
  }

  std::optional<ModuleKind> module_of(InstanceId id) const {
    const Instance& instance = at(id);
    const Arguments& a = instance.arguments;
    const std::string& type = instance.spec->type;
    if (type == "embedding")
      return Embedding{
          .vocab = extent_of(a, "vocab"), .dim = extent_of(a, "dim"), .tied = flag_of(a, "tied")};
    if (type == "rmsnorm" || type == "layernorm") return norm_of(instance);
    if (type == "linear") {
      Linear linear = linear_of(instance);
      linear.quantizable = instance.repeat != kNoInstance;
      return linear;
    }
    if (type == "add") return Add{};
    if (type == "scale") return Scale{a.number("by")};
    if (type == "lm_head")
      return Head{.linear = {.in = extent_of(a, "dim"),
                             .out = extent_of(a, "vocab"),
                             .bias = flag_of(a, "bias"),
                             .quantizable = false},
                  .tied = flag_of(a, "tied")};
    if (type == "gqa_attention") return attention_of(instance);
    if (type == "mla_attention") return latent_attention_of(instance);
    if (type == "gated_mlp" || type == "dense_mlp") return mlp_of(instance);
    if (type == "moe_layer") return moe_of(instance);
    return std::nullopt;
  }

  // The epsilon of the norms around a block's halves.
  double outer_eps(const Instance& instance) const {
    if (instance.parent == kNoInstance) return 1e-5;
    return number_of(at(instance.parent).arguments, "norm_eps", 1e-5);
  }

  std::optional<ModuleKind> attention_of(const Instance& instance) const {
    const Arguments& a = instance.arguments;
    // Gates, mixed values and scores that are written out run as their parts do.
    for (const char* special : {"output_gate", "value_embeddings", "written_out", "talking_heads"})
      if (flag_of(a, special)) return std::nullopt;
    const Instance* q = child(instance, "q_proj");
    const Instance* k = child(instance, "k_proj");
    const Instance* v = child(instance, "v_proj");
    const Instance* o = child(instance, "o_proj");
    if (q == nullptr || k == nullptr || v == nullptr || o == nullptr) return std::nullopt;
    if (flag_of(a, "sinks") || !a.text("mask").empty() || !a.text("score").empty())
      return std::nullopt;
    Attention attention{.heads = extent_of(a, "heads"),
                        .kv_heads = extent_of(a, "kv_heads"),
                        .head_dim = extent_of(a, "head_dim"),
                        .v_head_dim = extent_of(a, "v_head_dim"),
                        .q = linear_of(*q),
                        .k = linear_of(*k),
                        .v = linear_of(*v),
                        .o = linear_of(*o),
                        .window = extent_of(a, "window")};
    if (attention.v_head_dim == 0) attention.v_head_dim = attention.head_dim;
    for (const bool of_query : {true, false}) {
      const Instance* norm = child(instance, of_query ? "q_norm" : "k_norm");
      if (norm == nullptr) {
        norm = child(instance, of_query ? "q_norm_all" : "k_norm_all");
        attention.norm_over_heads = norm != nullptr;
      }
      if (norm == nullptr) continue;
      Norm found = norm_of(*norm);
      found.eps = outer_eps(instance);
      (of_query ? attention.q_norm : attention.k_norm) = found;
    }
    if (const Instance* rope = child(instance, "rope_q"))
      attention.rope = Rope{.dim = extent_of(rope->arguments, "head_dim"),
                            .theta = number_of(rope->arguments, "theta", 10000)};
    return attention;
  }

  std::optional<ModuleKind> latent_attention_of(const Instance& instance) const {
    const Arguments& a = instance.arguments;
    const Instance* q_down = child(instance, "q_down");
    if (q_down == nullptr) return std::nullopt;
    const Instance* q_up = child(instance, "q_up");
    const Instance* kv_down = child(instance, "kv_down");
    const Instance* o = child(instance, "o_proj");
    if (q_up == nullptr || kv_down == nullptr || o == nullptr) return std::nullopt;
    LatentAttention attention{.heads = extent_of(a, "heads"),
                              .hidden = extent_of(a, "d_model"),
                              .q_rank = extent_of(a, "q_lora"),
                              .kv_rank = extent_of(a, "kv_lora"),
                              .nope_dim = extent_of(a, "nope_dim"),
                              .rope_dim = extent_of(a, "rope_dim"),
                              .v_dim = extent_of(a, "v_dim"),
                              .q_down = linear_of(*q_down),
                              .q_up = linear_of(*q_up),
                              .kv_down = linear_of(*kv_down),
                              .kv_up = {},
                              .o = linear_of(*o),
                              .eps = outer_eps(instance)};
    attention.kv_up = {.in = attention.kv_rank,
                       .out = attention.heads * (attention.nope_dim + attention.v_dim)};
    return attention;
  }

  Mlp mlp_of(const Instance& instance) const {
    const bool gated = instance.spec->type == "gated_mlp";
    Mlp mlp{.gate = {},
            .up = linear_of(*child(instance, "up")),
            .down = linear_of(*child(instance, "down")),
            .act = std::string(instance.arguments.text("act"))};
    if (gated) mlp.gate = linear_of(*child(instance, "gate"));
    return mlp;
  }

  std::optional<ModuleKind> moe_of(const Instance& instance) const {
    const Arguments& a = instance.arguments;
    const Instance* router = child(instance, "router");
    const Instance* experts = child(instance, "experts");
    if (router == nullptr || experts == nullptr) return std::nullopt;
    const Instance* expert = child(*experts, "expert");
    if (expert == nullptr) return std::nullopt;
    const Arguments& r = router->arguments;
    Moe moe{.routing = {.hidden = extent_of(a, "d_model"),
                        .experts = extent_of(a, "experts"),
                        .top_k = extent_of(a, "top_k"),
                        .bias = flag_of(r, "bias"),
                        .normalize = flag_of(r, "normalize"),
                        .sigmoid = r.text("scoring") == "sigmoid",
                        .correction_bias = flag_of(r, "correction_bias"),
                        .groups = extent_of(r, "groups"),
                        .top_k_groups = extent_of(r, "top_k_groups"),
                        .scale = number_of(r, "scale", 1)},
            .expert = mlp_of(*expert)};
    for (Linear* linear : {&moe.expert.up, &moe.expert.down}) linear->expert = true;
    if (moe.expert.gate) moe.expert.gate->expert = true;
    if (const Instance* shared = child(instance, "shared")) moe.shared = mlp_of(*shared);
    if (const Instance* gate = child(instance, "shared_gate")) moe.shared_gate = linear_of(*gate);
    return moe;
  }

  // Consecutive layers that are alike and only hand on their stream are one run of so many copies.
  void merge_equal_layers() {
    std::vector<Run> merged;
    std::map<Slot, Slot> renamed;
    const auto name_now = [&](Slot slot) {
      const auto found = renamed.find(slot);
      return found == renamed.end() ? slot : found->second;
    };
    for (Run& run : model_.runs) {
      for (Module& module : run.modules)
        for (Slot& input : module.inputs) input = name_now(input);
      if (run.carried_in) run.carried_in = name_now(*run.carried_in);
      if (!merged.empty() && follows(merged.back(), run)) {
        merged.back().copies += run.copies;
        renamed[*run.carried_out] = *merged.back().carried_out;
        continue;
      }
      merged.push_back(std::move(run));
    }
    model_.runs = std::move(merged);
  }

  // What scores are turned into is not simulated.
  void drop_after_head() {
    for (Run& run : model_.runs) {
      const auto head = std::ranges::find_if(run.modules, [](const Module& module) {
        return std::holds_alternative<Head>(module.kind);
      });
      if (head != run.modules.end()) run.modules.erase(head + 1, run.modules.end());
    }
  }

  static bool follows(const Run& one, const Run& other) {
    if (!one.layer || !other.layer || one.modules.size() != other.modules.size()) return false;
    if (!one.carried_out || other.carried_in != one.carried_out) return false;
    std::map<Slot, Slot> same{{*other.carried_in, *one.carried_in}};
    for (std::size_t i = 0; i < one.modules.size(); ++i) {
      const Module& a = one.modules[i];
      const Module& b = other.modules[i];
      if (a.kind != b.kind || std::holds_alternative<Primitive>(a.kind)) return false;
      if (a.inputs.size() != b.inputs.size()) return false;
      for (std::size_t j = 0; j < a.inputs.size(); ++j) {
        const auto found = same.find(b.inputs[j]);
        if ((found == same.end() ? b.inputs[j] : found->second) != a.inputs[j]) return false;
      }
      for (std::size_t j = 0; j < a.outputs.size(); ++j) same[b.outputs[j]] = a.outputs[j];
    }
    return true;
  }

  const Elaboration& design_;
  Model model_;
  std::map<InstanceId, std::size_t> place_;
  std::map<std::pair<InstanceId, std::size_t>, Slot> slots_;
  Slot next_slot_ = 0;
  bool in_layer_ = false;
};

}  // namespace

Model modules_of(const Elaboration& design) { return Extraction(design).run(); }

std::int64_t layer_count(const Model& model) {
  std::int64_t count = 0;
  for (const Run& run : model.runs)
    if (run.layer) count += run.copies;
  return count;
}

namespace {

// What read the stream after the layers reads `from` now.
void redirect(Model& model, Slot to, Slot from) {
  for (Run& run : model.runs) {
    for (Module& module : run.modules)
      for (Slot& input : module.inputs)
        if (input == to) input = from;
    if (run.carried_in == to) run.carried_in = from;
  }
}

}  // namespace

Model with_layers(Model model, std::int64_t first, std::int64_t count) {
  std::vector<Run> kept;
  std::int64_t index = 0;
  std::vector<std::pair<Slot, Slot>> redirects;
  for (Run& run : model.runs) {
    if (!run.layer) {
      kept.push_back(std::move(run));
      continue;
    }
    const std::int64_t begin = std::max(first, index);
    const std::int64_t end = std::min(first + count, index + run.copies);
    index += run.copies;
    if (begin >= end) {
      if (run.carried_in && run.carried_out)
        redirects.emplace_back(*run.carried_out, *run.carried_in);
      continue;
    }
    run.copies = end - begin;
    kept.push_back(std::move(run));
  }
  model.runs = std::move(kept);
  // Backwards: a run that is left out may follow another that is.
  for (auto each = redirects.rbegin(); each != redirects.rend(); ++each)
    redirect(model, each->first, each->second);
  return model;
}

}  // namespace roofbeam
