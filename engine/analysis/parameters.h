#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/graph/elaboration.h"

namespace roofbeam {

// An amount for each name, in the order names first appear.
using Amounts = std::vector<std::pair<std::string, double>>;

// An amount for each block that has one, in graph order.
struct PathAmount {
  InstanceId instance = kNoInstance;
  double amount = 0;
};

// Trained weights, each counted once however often it is used.
struct ParameterCount {
  double total = 0;
  double active = 0;     // what one token passes through: top_k of the experts
  double embedding = 0;  // input and position embeddings
  double head = 0;       // the output projection; 0 where tied
  double expert = 0;     // inside experts
  Amounts by_category;
  Amounts by_type;
  std::vector<PathAmount> by_path;

  [[nodiscard]] double non_embedding() const { return total - embedding; }
  [[nodiscard]] double non_embedding_active() const { return active - embedding; }
};

[[nodiscard]] ParameterCount count_parameters(const Elaboration& design);

// Weights of one instance of a block, without its copies; 0 for what is no primitive.
[[nodiscard]] double weights_of(const Instance& instance);

// Adds to the amount of a name, which is appended where new.
void add_to(Amounts& amounts, std::string_view name, double amount);

}  // namespace roofbeam
