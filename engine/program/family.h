#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/extent.h"
#include "engine/base/result.h"
#include "engine/json/value.h"

namespace roofbeam {

// How a model's class in the framework is written, where that is no part of the design: formats and
// order of its small operators. One file a model type in presets/families; what a file leaves out
// is as in Llama.
struct Family {
  enum class NormStyle : std::uint8_t {
    cast_then_scale,  // normalized in fp32, cast back, times the weight
    scale_then_cast,  // times the weight in fp32, then cast back
    unit_offset,      // times one plus the weight, both in fp32, then cast back
  };
  enum class RopeStyle : std::uint8_t {
    halves,         // first half of a head with the second, in half precision
    halves_single,  // the same with fp32 angles, cast back
    interleaved,    // neighbours, in fp32, cast back
  };
  enum class RopeTables : std::uint8_t {
    cached,    // cosines and sines of all positions, looked up once a step
    computed,  // worked out in every step, once for each kind of layer
  };
  enum class Gating : std::uint8_t {
    softmax,          // softmax of all, then the top
    fused,            // one operator gives the top of the raw scores and their weights
    sigmoid,          // sigmoid, plus a bias, top, weights of the chosen
    sigmoid_grouped,  // the same within the best groups
    softmax_biased,   // softmax, plus a bias, top, weights of the chosen
  };

  std::string model_type = {};  // "" where the design names none
  NormStyle norm = NormStyle::cast_then_scale;
  RopeStyle rope = RopeStyle::halves;
  RopeTables rope_tables = RopeTables::cached;
  bool embedding_factor_is_tensor = false;  // the embeddings' factor is a scalar tensor
  bool keeps_batch_axis = false;            // routes come back as [1, tokens, top_k]
  bool rotates_whole_heads = false;         // though the design rotates only leading channels
  bool norms_heads_transposed = false;      // norms of queries and keys run head by head
  std::optional<Extent> padding_id = {};    // a word whose vector is not trained
  Gating gating = Gating::softmax;
  bool router_in_single = false;          // the router multiplies in fp32
  bool routes_before_slicing = false;     // the router sees all tokens of the TP group
  bool router_weights_in_single = false;  // and keeps its matrix so
  bool sum_in_single = false;             // experts' results are added to the shared ones in fp32
  bool attention_reads_cache = true;      // else only the step's own keys and values
  std::string mtp_block = {};             // where set, multi-token-prediction modules can run
};

// The family of that model type: the file of that name, or Llama's where there is none.
[[nodiscard]] Family family_of(std::string_view model_type);

// Reads a file of presets/families.
[[nodiscard]] Result<Family> read_family(const json::Value& value, std::string_view path = "");

}  // namespace roofbeam
