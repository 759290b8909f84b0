#pragma once

#include "engine/program/modules.h"

namespace roofbeam::tests {

// Attention of 8 query and 4 key heads of width 16 over a stream of 128.
inline Attention attention() {
  return {.heads = 8,
          .kv_heads = 4,
          .head_dim = 16,
          .v_head_dim = 16,
          .q = {.in = 128, .out = 128},
          .k = {.in = 128, .out = 64},
          .v = {.in = 128, .out = 64},
          .o = {.in = 128, .out = 128}};
}

inline Mlp mlp(Extent hidden) {
  return {.gate = Linear{.in = 128, .out = hidden},
          .up = {.in = 128, .out = hidden},
          .down = {.in = hidden, .out = 128}};
}

inline Moe moe() {
  Moe moe{.routing = {.hidden = 128, .experts = 8, .top_k = 2}, .expert = mlp(64)};
  moe.expert.gate->expert = moe.expert.up.expert = moe.expert.down.expert = true;
  moe.shared = mlp(256);
  return moe;
}

inline Head head() { return {.linear = {.in = 128, .out = 1000, .quantizable = false}}; }

inline Model model_of(std::vector<ModuleKind> kinds) {
  Model model;
  Run run{.name = "layers", .layer = true};
  for (ModuleKind& kind : kinds) run.modules.push_back({.path = "", .kind = std::move(kind)});
  model.runs.push_back(std::move(run));
  return model;
}

template <class Kind>
const Kind& module(const Model& model, std::size_t index) {
  return std::get<Kind>(model.runs.front().modules.at(index).kind);
}

}  // namespace roofbeam::tests
