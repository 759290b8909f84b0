#include "engine/import/stack.h"

#include <algorithm>
#include <map>
#include <memory>

#include "engine/base/check.h"
#include "engine/import/condition.h"
#include "engine/import/layers.h"
#include "engine/import/pick.h"

namespace roofbeam {
namespace {

using json::Value;

// Layers that are alike: one block to draw.
struct LayerKind {
  json::Array layer_values;
  std::string type;
  json::Object params;
  std::vector<std::string> further_inputs;
  const LayerLabel* label = nullptr;
};

// Every layer's kind, by index into `kinds`.
struct Layers {
  std::vector<LayerKind> kinds;
  std::vector<std::size_t> of_layer;
};

class LayerReader {
 public:
  LayerReader(const ImportStack& stack, const Values& values) : stack_(stack), values_(values) {
    std::vector<std::string> names;
    for (const auto& [name, pick] : stack.layer) collect_names(pick, names);
    for (const std::string& name : names)
      if (const NamedValue* named = values.find(name); named != nullptr && named->per_layer)
        per_layer_.insert_or_assign(name, named->value.array());
    for (const auto& [name, pick] : stack.layer) {
      conditions_.emplace_back();
      if (is_condition(pick)) conditions_.back().emplace(std::string_view(pick.string()).substr(1));
    }
    depends_on_index_ = std::ranges::find(names, "i") != names.end() || !per_layer_.empty();
  }

  Layers read() {
    Layers layers;
    const auto count = static_cast<std::size_t>(values_[stack_.count].number());
    layers.of_layer.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0 && !depends_on_index_)
        layers.of_layer.push_back(0);
      else
        layers.of_layer.push_back(kind_of_layer(i, layers.kinds));
    }
    return layers;
  }

 private:
  static bool is_condition(const Value& pick) {
    return pick.is_string() && pick.string().starts_with('?');
  }

  std::size_t kind_of_layer(std::size_t i, std::vector<LayerKind>& kinds) {
    values_.set("i", Value(static_cast<std::int64_t>(i)));
    for (const auto& [name, list] : per_layer_) values_.set(name, list[i]);
    json::Array layer_values;
    for (std::size_t n = 0; n < stack_.layer.size(); ++n) {
      const auto& [name, pick] = stack_.layer[n];
      layer_values.push_back(conditions_[n] ? Value(*conditions_[n]->holds(values_))
                                            : *picked(pick, values_));
      values_.set(name, layer_values.back());
    }
    const auto known = std::ranges::find(kinds, layer_values, &LayerKind::layer_values);
    if (known != kinds.end()) return static_cast<std::size_t>(known - kinds.begin());
    kinds.push_back(kind(std::move(layer_values)));
    return kinds.size() - 1;
  }

  LayerKind kind(json::Array layer_values) const {
    LayerKind kind;
    kind.layer_values = std::move(layer_values);
    kind.type = picked(stack_.block_type, values_)->string();
    kind.params = picked(stack_.block_params, values_)->object();
    for (const auto& [port, pick] : stack_.also)
      if (is_true(*picked(pick, values_))) kind.further_inputs.push_back(port);
    for (const LayerLabel& label : stack_.labels)
      if (label.when.empty() || holds(label.when, values_) == true) {
        kind.label = &label;
        break;
      }
    ROOFBEAM_CHECK(kind.label != nullptr);
    return kind;
  }

  const ImportStack& stack_;
  Values values_;                                     // with those of the layer at hand
  std::vector<std::optional<Condition>> conditions_;  // read once, asked for every layer
  std::map<std::string, json::Array> per_layer_;  // as many items as layers: fields.cpp sees to it
  bool depends_on_index_ = false;
};

Node block_node(std::string id, const LayerKind& kind) {
  return {.id = std::move(id),
          .type = kind.type,
          .params = kind.params,
          .graph = {},
          .label = {},
          .variants = {}};
}

Node boundary(const std::string& id, const std::string& type, const Value& ports) {
  return {.id = id,
          .type = type,
          .params = {{"ports", ports}},
          .graph = {},
          .label = {},
          .variants = {}};
}

// "local", "local0" for the first of several.
std::string block_id(const std::vector<const LayerLabel*>& labels, std::size_t at) {
  if (labels.size() == 1) return "block";
  const std::string& name = labels[at]->name;
  const auto same = [&](const LayerLabel* label) { return label->name == name; };
  if (std::ranges::count_if(labels, same) == 1) return name;
  return name + std::to_string(std::count_if(
                    labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(at), same));
}

class StackDrawing {
 public:
  StackDrawing(const std::string& id, const ImportStack& stack, const Values& values)
      : id_(id), stack_(stack), layers_(LayerReader(stack, values).read()) {}

  DrawnStack draw() && {
    const std::vector<LayerRun> runs = layer_runs(layers_.of_layer);
    const auto main = std::ranges::max_element(runs, {}, &LayerRun::layers);
    const std::vector<std::string> counts =
        count_texts(runs, static_cast<std::size_t>(main - runs.begin()));
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].tail)
        draw_tail(runs[i]);
      else
        draw_repeat(runs[i],
                    &runs[i] == &*main ? id_ : unused_id(label_of(runs[i]).name + "_layers"),
                    counts[i]);
    }
    return std::move(drawn_);
  }

 private:
  const LayerKind& kind(std::size_t index) const { return layers_.kinds[index]; }
  const LayerLabel& label_of(const LayerRun& run) const { return *kind(run.pattern.front()).label; }

  // The count of each run as an expression: symbols where labels differ ("Ld", and "Lm" = L - Ld
  // for the main one), so that changing L still gives a model of that many layers.
  std::vector<std::string> count_texts(const std::vector<LayerRun>& runs, std::size_t main) {
    std::vector<std::string> texts(runs.size());
    std::string remaining = stack_.symbol;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i == main) continue;
      const bool plain = runs[i].tail || runs[i].pattern.size() > 1 ||
                         &label_of(runs[i]) == &label_of(runs[main]) ||
                         !declare(runs[i], Value(static_cast<std::int64_t>(runs[i].times)));
      texts[i] = plain ? std::to_string(runs[i].times) : label_of(runs[i]).symbol;
      remaining += " - " + (plain ? std::to_string(runs[i].layers()) : texts[i]);
    }
    const std::size_t period = runs[main].pattern.size();
    if (period == 1 && runs.size() > 1 && declare(runs[main], Value(remaining)))
      texts[main] = label_of(runs[main]).symbol;
    else if (period == 1)
      texts[main] = remaining;
    else
      texts[main] =
          (runs.size() > 1 ? "(" + remaining + ")" : remaining) + "/" + std::to_string(period);
    return texts;
  }

  // A symbol for the layers of a run; false where the label's is taken.
  bool declare(const LayerRun& run, Value value) {
    const LayerLabel& label = label_of(run);
    if (std::ranges::find(drawn_.symbols, label.symbol, &SymbolDefinition::name) !=
        drawn_.symbols.end())
      return false;
    drawn_.symbols.push_back({.name = label.symbol,
                              .kind = SymbolKind::design,
                              .value = std::move(value),
                              .doc = label.doc,
                              .plain = false});
    return true;
  }

  std::string unused_id(const std::string& wanted) const {
    const auto taken = [&](const std::string& id) {
      return std::ranges::find(drawn_.nodes, id, &Node::id) != drawn_.nodes.end();
    };
    std::string id = wanted;
    for (int n = 2; taken(id); ++n) id = wanted + std::to_string(n);
    return id;
  }

  void draw_repeat(const LayerRun& run, const std::string& id, const std::string& count) {
    std::vector<const LayerLabel*> labels;
    for (const std::size_t index : run.pattern) labels.push_back(kind(index).label);
    Graph body;
    json::Object ports{stack_.ports.object().front()};
    const std::string& port = stack_.ports.object().front().first;
    for (const json::Member& further : stack_.ports.object())
      if (std::ranges::any_of(run.pattern, [&](std::size_t index) {
            return std::ranges::find(kind(index).further_inputs, further.first) !=
                   kind(index).further_inputs.end();
          }))
        ports.push_back(further);
    body.nodes.push_back(boundary("_in", "boundary_in", Value(ports)));
    std::string from = "_in:" + port;
    for (std::size_t i = 0; i < run.pattern.size(); ++i) {
      const std::string block = block_id(labels, i);
      body.nodes.push_back(block_node(block, kind(run.pattern[i])));
      body.edges.push_back({from, block + ":" + stack_.block_in});
      for (const std::string& further : kind(run.pattern[i]).further_inputs)
        body.edges.push_back({"_in:" + further, block + ":" + further});
      from = block + ":" + stack_.block_out;
    }
    for (std::size_t i = 1; i < ports.size(); ++i)
      drawn_.further_inputs.emplace_back(id, ports[i].first);
    ports.resize(1);
    body.nodes.push_back(boundary("_out", "boundary_out", Value(std::move(ports))));
    body.edges.push_back({from, "_out:" + port});
    drawn_.nodes.push_back({.id = id,
                            .type = "repeat",
                            .params = {{"count", Value(count)}},
                            .graph = std::make_shared<const Graph>(std::move(body)),
                            .label = {},
                            .variants = {}});
    drawn_.chain.push_back({id, port, port});
  }

  void draw_tail(const LayerRun& run) {
    for (std::size_t i = 0; i < run.pattern.size(); ++i) {
      const std::string id = "tail" + std::to_string(i);
      drawn_.nodes.push_back(block_node(id, kind(run.pattern[i])));
      for (const std::string& further : kind(run.pattern[i]).further_inputs)
        drawn_.further_inputs.emplace_back(id, further);
      drawn_.chain.push_back({id, stack_.block_in, stack_.block_out});
    }
  }

  const std::string& id_;
  const ImportStack& stack_;
  Layers layers_;
  DrawnStack drawn_;
};

}  // namespace

DrawnStack drawn_stack(const std::string& id, const ImportStack& stack, const Values& values) {
  return StackDrawing(id, stack, values).draw();
}

}  // namespace roofbeam
