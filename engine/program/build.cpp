#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/check.h"
#include "engine/blocks/lowering.h"
#include "engine/program/emitter.h"
#include "engine/program/fuse.h"
#include "engine/program/quantize.h"
#include "engine/program/shard.h"

namespace roofbeam {
namespace {

// Width of the rotary angles of a model; 0 where nothing rotates.
Extent rope_width(const Model& model) {
  for (const Run& run : model.runs)
    for (const Module& module : run.modules) {
      if (const auto* attention = std::get_if<Attention>(&module.kind);
          attention && attention->rope)
        return attention->rope->dim;
      if (const auto* latent = std::get_if<LatentAttention>(&module.kind)) return latent->rope_dim;
    }
  return 0;
}

// Writes one stage's modules as operators.
class StageEmitter {
 public:
  StageEmitter(const Elaboration& design, const Model& model, const StepSettings& settings,
               Program& program)
      : design_(design),
        model_(model),
        program_(program),
        emitter_(settings, model.family, program),
        scope_(design.scope) {
    const auto set = [&](const char* name, Extent value) {
      scope_.declare(name, static_cast<double>(value), SymbolKind::runtime);
    };
    set("B", settings.sequences);
    set("T", settings.query_tokens);
    if (const auto source = design.scope.find("S"))
      source_tokens_ = static_cast<Extent>(design.scope.value(*source));
  }

  // Every slot that nothing in the stage writes is given to it: the stream of the stage before.
  void run(bool first_stage) {
    bool angles = false;
    for (const Run& run : model_.runs) {
      if (run.layer && !angles) {
        angles = true;
        add_rope_tables(first_stage);
      }
      emitter_.begin_segment(run.name, run.copies);
      in_layer_ = run.layer;
      for (const Module& module : run.modules) add(module);
      if (run.carried_in) program_.segments.back().carried_in = value_of(*run.carried_in);
      if (run.carried_out) program_.segments.back().carried_out = value_of(*run.carried_out);
    }
  }

  // The stream that leaves the stage.
  [[nodiscard]] Tensor result(Slot slot) { return read(slot); }

 private:
  void add_rope_tables(bool first_stage) {
    const Extent width = rope_width(model_);
    if (width == 0) return;
    if (!first_stage || program_.segments.empty()) emitter_.begin_segment("", 1);
    emit_rope_tables(emitter_, model_.max_positions, width);
  }

  ValueId value_of(Slot slot) const {
    const auto found = values_.find(slot);
    return found == values_.end() ? kNoValue : found->second.value;
  }

  Tensor read(Slot slot) {
    const auto found = values_.find(slot);
    if (found != values_.end()) return found->second;
    const StepSettings& settings = emitter_.settings();
    return values_[slot] = emitter_.fresh(settings.dtype, {1, emitter_.tokens(), model_.hidden});
  }

  void add(const Module& module) {
    std::visit([&](const auto& kind) { add(module, kind); }, module.kind);
  }

  void set(const Module& module, Tensor value) {
    values_[module.outputs.front()] = std::move(value);
  }

  void add(const Module& module, const Embedding& embedding) {
    set(module, emit(emitter_, embedding, emitter_.step.ids));
  }
  void add(const Module& module, const Add&) {
    const Tensor a = read(module.inputs[0]);
    const Tensor b = read(module.inputs[1]);
    // The framework writes the residual first.
    set(module, emitter_.apply("add", {b, a}));
  }
  void add(const Module& module, const Scale& scale) {
    const Tensor x = read(module.inputs[0]);
    if (model_.family.embedding_factor_is_tensor && !in_layer_)
      return set(module, emitter_.apply("mul", {x, emitter_.weight(x.dtype, {})}));
    set(module, emitter_.apply("mul", {x}, "%," + number_argument(scale.by)));
  }
  void add(const Module& module, const Primitive& primitive);
  void add(const Module&, const MtpJoin&) {}
  template <class Kind>
  void add(const Module& module, const Kind& kind) {
    set(module, emit(emitter_, kind, read(module.inputs[0])));
  }

  std::vector<Extent> shape_of(const SymbolicShape& shape) const {
    std::vector<Extent> extents;
    for (const Polynomial& axis : shape) extents.push_back(whole(evaluated(axis, scope_)));
    return extents;
  }

  const Elaboration& design_;
  const Model& model_;
  Program& program_;
  Emitter emitter_;
  Scope scope_;
  Extent source_tokens_ = 0;
  std::map<Slot, Tensor> values_;
  bool in_layer_ = false;
};

// As the block lowers it; operands of equal format and shape are taken to be the latest such value.
void StageEmitter::add(const Module& module, const Primitive& primitive) {
  const Instance& instance = design_.instances[primitive.instance];
  const Forms& forms = instance.spec->forms;
  const StepSettings& settings = emitter_.settings();
  LoweringContext context{.scope = scope_,
                          .workload = {.batch = settings.sequences,
                                       .query_tokens = settings.query_tokens,
                                       .context_tokens = settings.context_tokens,
                                       .source_tokens = source_tokens_,
                                       .weights = settings.dtype,
                                       .activations = settings.dtype,
                                       .cache = settings.dtype}};
  for (const InputState& input : instance.inputs)
    context.inputs.push_back(input.shape ? shape_of(*input.shape) : std::vector<Extent>());
  for (const OutputState& output : instance.outputs)
    context.outputs.push_back(output.shape ? shape_of(*output.shape) : std::vector<Extent>());

  std::vector<Tensor> known;  // values at hand, latest last
  for (std::size_t i = 0, wired = 0; i < instance.inputs.size(); ++i) {
    if (!instance.inputs[i].producer) continue;
    Tensor tensor = read(module.inputs[wired++]);
    tensor.shape = context.inputs[i];
    known.push_back(std::move(tensor));
  }
  const auto wire = [&](Tensor& operand) {
    if (operand.role == TensorRole::weight) {
      if (!operand.tied) operand = emitter_.weight(operand.dtype, operand.shape);
      return;
    }
    for (auto each = known.rbegin(); each != known.rend(); ++each)
      if (each->shape == operand.shape && each->role == operand.role) {
        operand.value = each->value;
        return;
      }
    operand.value = program_.fresh_value();
    if (operand.role == TensorRole::activation) return;
    known.push_back(operand);
  };
  if (forms.lower != nullptr)
    for (Operator& op : forms.lower(instance.arguments, context)) {
      for (Tensor& operand : op.reads) {
        const std::optional<double> touched = operand.touched;
        wire(operand);
        operand.touched = touched;
      }
      for (Tensor& result : op.writes) {
        result.value = program_.fresh_value();
        known.push_back(result);
      }
      if (!op.view && full_name(op.name).starts_with("roofbeam."))
        program_.priced_by_default.push_back(instance.path);
      emitter_.add(std::move(op));
    }
  if (forms.cache != nullptr) {
    const double width = bytes_per_element(settings.dtype);
    const CacheBytes cache =
        forms.cache(instance.arguments, width,
                    {.own = static_cast<double>(settings.query_tokens + settings.context_tokens),
                     .source = static_cast<double>(source_tokens_),
                     .batch = static_cast<double>(settings.sequences)});
    const double kept = static_cast<double>(settings.sequences) *
                        (cache.per_sequence.value +
                         static_cast<double>(settings.query_tokens + settings.context_tokens) *
                             cache.per_token.value);
    if (kept > 0) (void)emitter_.cache(settings.dtype, {whole(kept / width)});
  }
  for (std::size_t port = 0; port < module.outputs.size(); ++port) {
    Tensor value{.dtype = settings.dtype, .shape = context.outputs[port]};
    for (const Tensor& tensor : known)
      if (tensor.shape == value.shape) value = tensor;
    if (value.value == kNoValue) value.value = program_.fresh_value();
    values_[module.outputs[port]] = std::move(value);
  }
}

// Layers of each stage: an even share, what is left over going to the stages before the last,
// from the last but one backwards.
std::vector<std::int64_t> layers_of_stages(std::int64_t layers, std::int64_t stages) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(stages), layers / stages);
  std::int64_t rest = layers % stages;
  for (std::int64_t i = stages - 2; rest > 0 && i >= 0; --i, --rest)
    ++result[static_cast<std::size_t>(i)];
  return result;
}

// What runs before the layers belongs to the first stage, what runs after them to the last.
Model stage_of(Model model, std::int64_t first, std::int64_t count, bool is_first, bool is_last) {
  bool before = true;
  std::vector<Run> runs;
  for (Run& run : model.runs) {
    before = before && !run.layer;
    const bool after = !before && !run.layer;
    if ((before && !is_first) || (after && !is_last)) continue;
    runs.push_back(std::move(run));
  }
  model.runs = std::move(runs);
  return with_layers(std::move(model), first, count);
}

std::optional<Slot> stream_after(const Model& model) {
  std::optional<Slot> slot;
  for (const Run& run : model.runs)
    if (run.layer) slot = run.carried_out;
  return slot;
}

// The factor on the embeddings, where the design leaves it out since it holds no weights.
void add_embedding_factor(Model& model) {
  std::vector<Module>& start = model.runs.front().modules;
  const auto is_factor = [](const Module& m) { return std::holds_alternative<Scale>(m.kind); };
  if (model.runs.front().layer || std::ranges::any_of(start, is_factor)) return;
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!std::holds_alternative<Embedding>(start[i].kind)) continue;
    Module factor{.path = start[i].path,
                  .kind = Scale{std::sqrt(static_cast<double>(model.hidden))},
                  .inputs = {model.next_slot},
                  .outputs = start[i].outputs};
    start[i].outputs = {model.next_slot++};
    start.insert(start.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(factor));
    return;
  }
}

void rotate_whole_heads(Model& model) {
  for (Run& run : model.runs)
    for (Module& module : run.modules)
      if (auto* attention = std::get_if<Attention>(&module.kind); attention && attention->rope)
        attention->rope->dim = attention->head_dim;
}

Extent hidden_of(const Model& model) {
  for (const Run& run : model.runs)
    for (const Module& module : run.modules)
      if (const auto* embedding = std::get_if<Embedding>(&module.kind)) return embedding->dim;
  return 1;
}

}  // namespace

Result<StagedProgram> build_program(const Elaboration& design,
                                    const std::optional<FrameworkConfig>& framework,
                                    const StepSettings& settings) {
  for (const Finding& finding : design.findings)
    if (finding.severity == Severity::error)
      return Diagnostic{.code = "program.faulty_design",
                        .path = finding.path.value_or(""),
                        .message = finding.message,
                        .hint = finding.hint};
  Model model = modules_of(design);
  model.family = family_of(framework ? framework->model_type : "");
  if (framework && framework->padding_id)
    model.family.padding_id = static_cast<Extent>(*framework->padding_id);
  if (model.family.rotates_whole_heads) rotate_whole_heads(model);
  model.hidden = hidden_of(model);
  if (model.family.embedding_factor_is_tensor) add_embedding_factor(model);
  model.max_positions = whole(design.scope.value(*design.scope.find("T")));
  if (framework && framework->positions) model.max_positions = whole(*framework->positions);
  const std::int64_t layers = layer_count(model);
  const std::int64_t kept = settings.layers > 0 ? std::min(settings.layers, layers) : layers;
  if (kept < layers) model = with_layers(std::move(model), 0, kept);
  for (Run& run : model.runs)
    for (Module& module : run.modules)
      if (Head* head = std::get_if<Head>(&module.kind)) head->selects = !settings.decode;
  model = quantized(std::move(model), settings.quantization);
  model = sharded(std::move(model), settings.parallel);

  StagedProgram result;
  const std::int64_t stages = settings.parallel.pp;
  const std::vector<std::int64_t> counts = layers_of_stages(kept, stages);
  std::int64_t first = 0;
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    const std::int64_t count = counts[static_cast<std::size_t>(stage)];
    const bool is_last = stage + 1 == stages;
    const Model part = stages == 1 ? model : stage_of(model, first, count, stage == 0, is_last);
    first += count;
    Program program;
    StageEmitter emitter(design, part, settings, program);
    emitter.run(stage == 0);
    if (!is_last) {
      const std::optional<Slot> stream = stream_after(part);
      ROOFBEAM_CHECK(stream.has_value());
      const Tensor x = emitter.result(*stream);
      Tensor received = x;
      received.value = kNoValue;
      result.transfers.push_back(send_receive(x, received, stage * settings.parallel.tp,
                                              (stage + 1) * settings.parallel.tp));
    }
    result.stages.push_back(settings.compile ? compiled(std::move(program)) : std::move(program));
  }
  return result;
}

}  // namespace roofbeam
