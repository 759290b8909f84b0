#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/program/kinds.h"
#include "engine/program/modules.h"
#include "engine/program/program.h"

namespace roofbeam {

// Index tensors that every layer of a step reads, and the angles' rows of its positions.
struct StepTensors {
  Tensor ids, positions, slots, page_table, query_starts, key_lengths, query_lengths;
  Tensor cos, sin;  // [1, tokens, rope width]
};

// Writes the operators of modules into a program, in the framework's eager order. Every result is a
// value of its own; every weight is stored in the segment at hand.
class Emitter {
 public:
  Emitter(const StepSettings& settings, const Family& family, Program& program);

  [[nodiscard]] const StepSettings& settings() const { return settings_; }
  [[nodiscard]] const Family& family() const { return family_; }
  [[nodiscard]] Extent tokens() const { return settings_.sequences * settings_.query_tokens; }
  [[nodiscard]] SequenceLengths lengths() const;
  // What keys and values, or latents, are cached in.
  [[nodiscard]] Dtype cache_dtype(AttentionMode mode) const;
  // Pages of the whole cache of one layer.
  [[nodiscard]] Extent pages() const;

  // What follows goes into a new segment.
  void begin_segment(std::string name, std::int64_t copies);
  [[nodiscard]] Segment& segment() { return program_.segments.back(); }
  [[nodiscard]] Program& program() { return program_; }

  // A new value.
  [[nodiscard]] Tensor fresh(Dtype dtype, std::vector<Extent> shape,
                             TensorRole role = TensorRole::activation);
  // A new value that the step is given.
  [[nodiscard]] Tensor index(std::vector<Extent> shape);
  // A new value that lies in memory; `copies` more of it are stored that no operator touches.
  [[nodiscard]] Tensor weight(Dtype dtype, std::vector<Extent> shape);
  [[nodiscard]] Tensor cache(Dtype dtype, std::vector<Extent> shape,
                             Stored::Kind kind = Stored::Kind::cache);
  // The scale that all quantized weights of a segment share, and the one of static activations.
  [[nodiscard]] Tensor weight_scale();
  [[nodiscard]] Tensor activation_scale();

  void add(Operator op) { segment().operators.push_back(std::move(op)); }

  // An operator that moves its operands, with one result in the first one's format and shape, or
  // in the given ones.
  Tensor apply(std::string_view name, std::vector<Tensor> reads, std::string arguments = "");
  Tensor apply(std::string_view name, std::vector<Tensor> reads, Dtype dtype,
               std::vector<Extent> shape, std::string arguments = "");
  Tensor view(std::string_view name, const Tensor& of, std::vector<Extent> shape);
  Tensor cast(const Tensor& x, Dtype dtype, bool full_arguments = false);
  Tensor clone(const Tensor& x);
  Tensor transpose(const Tensor& x, std::size_t a, std::size_t b);
  Tensor slice(const Tensor& x, std::size_t axis, Extent size);
  Tensor concat(const std::vector<Tensor>& parts, std::size_t axis, std::string_view arguments);

  Tensor reduce(const Tensor& x, const Group& group);  // as it is for one rank
  Tensor gather(const Tensor& x, std::size_t axis, const Group& group, int axis_argument);

  StepTensors step;

 private:
  const StepSettings& settings_;
  const Family& family_;
  Program& program_;
  std::optional<Tensor> weight_scale_, activation_scale_;
};

// How each module runs. Inputs and results are [1, tokens, width] unless a comment says otherwise.
Tensor emit(Emitter& e, const Linear& linear, const Tensor& x);
Tensor emit(Emitter& e, const Embedding& embedding, const Tensor& ids);
Tensor emit(Emitter& e, const Norm& norm, const Tensor& x);
Tensor emit(Emitter& e, const Attention& attention, const Tensor& x);
Tensor emit(Emitter& e, const LatentAttention& attention, const Tensor& x);
Tensor emit(Emitter& e, const Mlp& mlp, const Tensor& x);
Tensor emit(Emitter& e, const Moe& moe, const Tensor& x);
Tensor emit(Emitter& e, const Head& head, const Tensor& x);

// A feed-forward layer as an expert runs it: both projections before the activation.
Tensor emit_expert(Emitter& e, const Mlp& mlp, const Tensor& x);

// The matrices alone, of an expert without rows: stored, and touched by no operator.
void store(Emitter& e, const Mlp& mlp);
void store(Emitter& e, const Linear& linear);

// A matrix as it is stored, [out, in], and the scale of a quantized one.
Tensor stored_matrix(Emitter& e, const Linear& linear);
Tensor stored_scale(Emitter& e, const Linear& linear);

// The angles' rows of this step's positions, into e.step.
void emit_rope_tables(Emitter& e, Extent positions, Extent width);

// An activation function.
Tensor emit_activation(Emitter& e, std::string_view kind, const Tensor& x);

}  // namespace roofbeam
