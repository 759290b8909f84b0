#include "engine/report/show.h"

#include <cmath>

#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/explain/contribution.h"
#include "engine/report/fields.h"
#include "engine/report/text_report.h"

namespace roofbeam {
namespace {

using json::Writer;

class TreeBuilder {
 public:
  TreeBuilder(const Elaboration& design, bool expand)
      : design_(design), expand_(expand), weights_(weights_of_one_copy(design)), readers_(design.instances.size()) {
    for (const Instance& instance : design.instances)
      for (std::size_t i = 0; i < instance.inputs.size(); ++i)
        if (const auto& producer = instance.inputs[i].producer)
          readers_[producer->instance].push_back(
              {producer->port, instance.id + ":" + instance.ports().inputs[i].name});
  }

  // A graph of the document. What could not be expanded, of unknown type or with an id that is
  // taken, has no instance and is shown without figures.
  std::vector<ShownBlock> level(const Graph& graph, const std::vector<InstanceId>& instances,
                                const std::string& prefix) const {
    std::vector<ShownBlock> blocks;
    blocks.reserve(graph.nodes.size());
    std::size_t next = 0;
    for (const Node& node : graph.nodes) {
      if (next == instances.size() || design_.instances[instances[next]].id != node.id) {
        blocks.push_back(unknown(node, prefix));
        continue;
      }
      const InstanceId id = instances[next++];
      ShownBlock& shown = blocks.emplace_back(block(id));
      shown.arguments = node.params;
      const Instance& instance = design_.instances[id];
      if (node.graph && instance.spec->kind == BlockKind::container)
        shown.children = level(*node.graph, instance.children, instance.path);
      else if (expand_)
        shown.children = interior(instance);
    }
    return blocks;
  }

 private:
  struct Reader {
    std::uint32_t port;
    std::string endpoint;
  };

  static ShownBlock unknown(const Node& node, const std::string& prefix) {
    ShownBlock shown;
    shown.path = prefix.empty() ? node.id : prefix + "/" + node.id;
    shown.id = node.id;
    shown.type = node.type;
    shown.kind = "unknown";
    shown.label = node.label;
    shown.params = std::nan("");
    shown.arguments = node.params;
    return shown;
  }

  std::vector<ShownBlock> interior(const Instance& instance) const {
    std::vector<ShownBlock> blocks;
    for (const InstanceId id : instance.children) {
      ShownBlock& shown = blocks.emplace_back(block(id));
      for (const Argument& argument : design_.instances[id].arguments.all())
        if (argument.given) shown.arguments.emplace_back(argument.spec->name, as_written(argument, design_.scope));
      shown.children = interior(design_.instances[id]);
    }
    return blocks;
  }

  ShownBlock block(InstanceId id) const {
    const Instance& instance = design_.instances[id];
    ShownBlock shown;
    shown.path = instance.path;
    shown.id = instance.id;
    shown.type = instance.spec->type;
    shown.kind = kind_name(instance.spec->kind);
    shown.label = instance.label;
    shown.params = weights_[id];
    if (shown.type == "repeat") shown.repeat = instance.arguments.number("count");
    for (std::size_t port = 0; port < instance.outputs.size(); ++port) {
      ShownOutput& output = shown.outputs.emplace_back();
      output.port = instance.ports().outputs[port].name;
      if (const auto& shape = instance.outputs[port].shape) {
        output.shape = text(*shape, design_.scope);
        output.numeric_shape = numeric_text(*shape, design_.scope);
      }
      for (const Reader& reader : readers_[id])
        if (reader.port == port) output.to.push_back(reader.endpoint);
    }
    return shown;
  }

  const Elaboration& design_;
  bool expand_;
  std::vector<double> weights_;               // by instance
  std::vector<std::vector<Reader>> readers_;  // by instance
};

void write_block(Writer& out, const ShownBlock& block) {
  out.begin_object();
  out.key("path").string(block.path);
  out.key("id").string(block.id);
  out.key("type").string(block.type);
  out.key("kind").string(block.kind);
  write_text_or_null(out.key("label"), block.label);
  out.key("params").number(block.params);
  out.key("repeat");
  if (block.repeat)
    out.number(*block.repeat);
  else
    out.null();
  out.key("arguments").begin_object();
  for (const auto& [name, value] : block.arguments) out.key(name).value(value);
  out.end_object();
  out.key("outputs").begin_array();
  for (const ShownOutput& output : block.outputs) {
    out.begin_object();
    out.key("port").string(output.port);
    write_text_or_null(out.key("shape"), output.shape);
    write_text_or_null(out.key("numeric_shape"), output.numeric_shape);
    out.key("to").begin_array();
    for (const std::string& endpoint : output.to) out.string(endpoint);
    out.end_array().end_object();
  }
  out.end_array();
  out.key("children").begin_array();
  for (const ShownBlock& child : block.children) write_block(out, child);
  out.end_array().end_object();
}

std::string shape_text(const ShownBlock& block, const ShownOutput& output) {
  std::string line = block.outputs.size() > 1 ? output.port + ": " : "";
  line += output.shape.value_or("unknown");
  if (output.numeric_shape && output.numeric_shape != output.shape) line += " = " + *output.numeric_shape;
  return line;
}

std::string targets_text(const ShownOutput& output) {
  return output.to.empty() ? "" : "-> " + join(output.to, ", ");
}

std::string arguments_text(const ShownBlock& block) {
  std::string line;
  for (const auto& [name, value] : block.arguments) {
    if (block.kind == "container" && name == "count") continue;  // beside the type
    line += (line.empty() ? "" : " ") + name + "=" + value_text(value);
  }
  return line;
}

void add_rows(const std::vector<ShownBlock>& blocks, std::size_t depth, std::vector<std::vector<std::string>>& rows) {
  for (const ShownBlock& block : blocks) {
    std::string type = block.type;
    if (block.repeat) type += " x" + shortest(*block.repeat);
    if (block.label) type += " \"" + one_line(*block.label) + "\"";
    const ShownOutput* first = block.outputs.empty() ? nullptr : &block.outputs.front();
    rows.push_back({std::string(2 * depth, ' ') + one_line(block.id), one_line(type),
                    block.params == 0 ? "" : count_text(block.params),
                    first == nullptr ? "" : shape_text(block, *first),
                    first == nullptr ? "" : one_line(targets_text(*first)), one_line(arguments_text(block))});
    for (std::size_t i = 1; i < block.outputs.size(); ++i)
      rows.push_back({"", "", "", shape_text(block, block.outputs[i]), one_line(targets_text(block.outputs[i])), ""});
    add_rows(block.children, depth + 1, rows);
  }
}

}  // namespace

std::vector<ShownBlock> block_tree(const Document& document, const Elaboration& design, bool expand) {
  return TreeBuilder(design, expand).level(document.graph, design.roots, "");
}

void write_tree(Writer& out, std::string_view name, const std::vector<ShownBlock>& tree) {
  out.begin_object().key("name").string(name).key("tree").begin_array();
  for (const ShownBlock& block : tree) write_block(out, block);
  out.end_array().end_object();
}

std::string tree_text(std::string_view name, const std::vector<ShownBlock>& tree) {
  constexpr std::size_t kLeft[] = {1, 3, 4, 5};
  std::vector<std::vector<std::string>> rows;
  add_rows(tree, 0, rows);
  return one_line(name) + "\n" + table(rows, kLeft);
}

}  // namespace roofbeam
