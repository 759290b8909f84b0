#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/graph/elaboration.h"
#include "engine/graph/level.h"

namespace roofbeam {

// Builds an Elaboration: one level after another, producers first. Used by `elaborate` only.
class Expander {
 public:
  explicit Expander(const Document& document);
  [[nodiscard]] Elaboration run();

 private:
  // Multiplicity and place that a level's nodes inherit.
  struct Place {
    InstanceId parent = kNoInstance;
    InstanceId repeat = kNoInstance;
    double copies = 1;
    double active_copies = 1;
    bool expert = false;
    std::size_t depth = 0;
  };

  void expand_level(Level level, const Place& place, const std::string& prefix,
                    std::vector<InstanceId>& children);
  // Ends are instance ids, or kNoInstance where the block is missing or of no known type.
  void connect(const LevelEdge& edge, InstanceId from_id, InstanceId to_id);
  [[nodiscard]] std::vector<InstanceId> producers_first(InstanceId base, std::size_t count);
  void infer(InstanceId id, const LevelNode& node, const Place& place);
  void gather(Instance& instance);
  bool fits(Instance& instance, std::span<const Binding> bindings, SymbolicShape& batch,
            bool& batch_known);
  void instantiate_outputs(Instance& instance, std::span<const Binding> bindings,
                           const SymbolicShape& batch, bool batch_known);
  void expand_inside(InstanceId id, const LevelNode& node, const Place& place);
  void finish_inside(InstanceId id);
  // Copies what an equal composite expanded to, instead of expanding it once more; false where
  // there is none.
  bool reuse_inside(InstanceId id, const Place& place);
  [[nodiscard]] bool expand_alike(InstanceId a, InstanceId b) const;
  // The composite whose template a container inside it is written in.
  [[nodiscard]] const Instance& enclosing_composite(InstanceId id) const;
  void check_constraints(const Instance& instance);
  [[nodiscard]] std::string described_atom(const Instance& instance, const std::string& atom) const;
  [[nodiscard]] const Pattern* pattern(const std::string& text, const Instance& instance,
                                       const std::string& port);
  void note(const Instance& instance, std::string rule, Severity severity, const std::string& port,
            std::string message, std::string hint = "");

  // A composite that expanded without a finding: all that was made inside it, which lies together.
  struct Expansion {
    InstanceId composite = kNoInstance;
    Place place;
    std::size_t first = 0;  // of its instances
    std::size_t last = 0;   // one beyond
    std::size_t first_in_order = 0;
    std::size_t last_in_order = 0;
  };

  const Document& document_;
  Elaboration result_;
  std::unordered_multimap<const BlockSpec*, Expansion> expansions_;
  Polynomial source_length_;  // S, where the design has a source
  SymbolId target_symbol_ = 0;
  SymbolId source_symbol_ = 0;
  std::unordered_map<std::string, Result<Pattern>> patterns_;
  bool too_large_ = false;
  int muted_ = 0;  // inside a composite whose own inputs are wrong: its interior only repeats that
};

}  // namespace roofbeam
