#include "engine/import/table.h"

#include <algorithm>
#include <array>

#include "engine/base/check.h"
#include "engine/base/embedded.h"
#include "engine/base/text.h"
#include "engine/import/condition.h"
#include "engine/import/pick.h"
#include "engine/json/reader.h"

namespace roofbeam {
namespace {

using json::Reader;
using json::Value;

constexpr std::array<std::string_view, 8> kKinds{"count", "whole", "number", "positive",
                                                 "flag",  "text",  "choice", "object"};

std::string text_or_empty(Reader& in, std::string_view key) {
  return in.optional_string(key).value_or("");
}

Value value_or_null(Reader& in, std::string_view key) {
  const Value* found = in.optional_value(key);
  return found != nullptr ? *found : Value();
}

std::vector<std::string> texts(const json::Array& items, const std::string& path,
                               Diagnostics& problems) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].is_string())
      result.push_back(items[i].string());
    else
      problems.push_back({.code = "json.type",
                          .path = json::pointer(path, i),
                          .message = "found " + json::described(items[i]) + ", wanted a text",
                          .hint = ""});
  }
  return result;
}

std::vector<std::pair<std::string, Value>> members(std::optional<Reader> in) {
  std::vector<std::pair<std::string, Value>> result;
  if (in)
    for (const json::Member& member : in->members()) result.push_back(member);
  return result;
}

ImportField read_field(const std::string& name, Reader in, Diagnostics& problems) {
  ImportField field;
  field.name = name;
  field.keys = texts(in.array("keys"), in.path_of("keys"), problems);
  const std::string kind = in.choice("kind", kKinds);
  field.kind = static_cast<FieldKind>(std::ranges::find(kKinds, kind) - kKinds.begin());
  field.required = in.optional_boolean("required").value_or(false);
  field.list = in.optional_boolean("list").value_or(false);
  field.per_layer = in.optional_boolean("per_layer").value_or(false);
  field.letters = in.optional_boolean("letters").value_or(false);
  field.cycled = in.optional_boolean("cycled").value_or(false);
  field.minimum = in.optional_number("minimum");
  field.maximum = in.optional_number("maximum");
  field.fallback = value_or_null(in, "default");
  field.class_default = value_or_null(in, "class_default");
  if (const Value* when_null = in.optional_value("null")) field.when_null = *when_null;
  field.choices = members(in.optional_object("choices"));
  field.doc = text_or_empty(in, "doc");
  in.done();
  return field;
}

ImportRemark read_remark(std::string_view condition, Reader in) {
  ImportRemark remark{.code = in.string("code"),
                      .condition = in.string(condition),
                      .field = text_or_empty(in, "field"),
                      .message = in.string("message"),
                      .hint = text_or_empty(in, "hint")};
  in.done();
  return remark;
}

std::vector<ImportRemark> read_remarks(std::string_view condition, std::optional<Reader> in,
                                       Diagnostics& problems) {
  std::vector<ImportRemark> remarks;
  if (in)
    for (const auto& [name, value] : in->members())
      if (!value.is_null())
        remarks.push_back(read_remark(condition, Reader(value, in->path_of(name), problems)));
  return remarks;
}

ImportSymbol read_symbol(const std::string& name, Reader in) {
  ImportSymbol symbol;
  symbol.name = name;
  symbol.when = text_or_empty(in, "when");
  symbol.runtime = in.optional_boolean("runtime").value_or(false);
  symbol.value = in.value("value");
  symbol.doc = in.value("doc");
  in.done();
  return symbol;
}

LayerLabel read_label(const std::string& name, Reader in) {
  LayerLabel label{.name = name,
                   .when = text_or_empty(in, "when"),
                   .symbol = in.string("symbol"),
                   .doc = in.string("doc")};
  in.done();
  return label;
}

ImportStack read_stack(Reader in, Diagnostics& problems) {
  ImportStack stack;
  stack.count = in.string("count");
  stack.symbol = in.string("symbol");
  stack.layer = members(in.optional_object("layer"));
  Reader labels = in.object("labels");
  for (const auto& [name, value] : labels.members())
    if (!value.is_null())
      stack.labels.push_back(read_label(name, Reader(value, labels.path_of(name), problems)));
  stack.ports = in.value("ports");
  Reader block = in.object("block");
  stack.block_in = block.string("in");
  stack.block_out = block.string("out");
  stack.block_type = block.value("type");
  stack.block_params = block.value("params");
  stack.also = members(block.optional_object("also"));
  block.done();
  in.done();
  return stack;
}

ImportNode read_node(const std::string& id, Reader in, Diagnostics& problems) {
  ImportNode node;
  node.id = id;
  node.when = text_or_empty(in, "when");
  if (auto stack = in.optional_object("stack"))
    node.stack = read_stack(*stack, problems);
  else
    node.type = in.value("type");
  node.params = value_or_null(in, "params");
  in.done();
  return node;
}

// What a table says it extends: a file, or the type that a nested config states.
struct Base {
  std::string file;
  std::string path;  // of the nested "model_type"; empty where the table names the file
};

Base base_of(const Value& extends, const Value& config) {
  if (extends.is_string()) return {extends.string(), ""};
  for (const Value& name : extends.find("type_of")->array()) {
    const Value* nested = find_dotted(config, name.string());
    if (nested == nullptr || !nested->is_object()) continue;
    const Value* type = nested->find("model_type");
    if (type != nullptr && type->is_string())
      return {type->string(), dotted_pointer(name.string()) + "/model_type"};
  }
  return {extends.find("else")->string(), ""};
}

// A file of presets/importers with what it extends and includes folded in.
Result<std::optional<Value>> folded(std::string_view name, const Value& config) {
  const EmbeddedFile* file = embedded_file("importers", name);
  if (file == nullptr) return std::optional<Value>();
  Result<Value> own = json::parse(file->text);
  ROOFBEAM_CHECK(own && own->is_object());
  std::optional<Value> result;
  if (const Value* extends = own->find("extends")) {
    const Base base = base_of(*extends, config);
    const bool wrong = !base.path.empty() && (base.file.starts_with('_') || base.file == name);
    Result<std::optional<Value>> under = wrong ? std::optional<Value>() : folded(base.file, config);
    if (!under) return under.errors();
    if (!under->has_value()) {
      ROOFBEAM_CHECK(!base.path.empty());
      return Diagnostic{.code = "import.unknown_model_type",
                        .path = base.path,
                        .message = "found the model type " + quoted(base.file) +
                                   ", which no importer knows, within a config of type " +
                                   quoted(name),
                        .hint = ""};
    }
    result = *std::move(under);
  }
  if (const Value* includes = own->find("includes"))
    for (const Value& included : includes->array()) {
      Result<std::optional<Value>> part = folded(included.string(), config);
      ROOFBEAM_CHECK(part && part->has_value());
      if (result)
        overlay(*result, **part);
      else
        result = **std::move(part);
    }
  if (!result) return std::optional<Value>(*std::move(own));
  overlay(*result, *own);
  return result;
}

// Walks a table in the order in which its parts are worked out, and notes names used before
// anything has defined them.
class NameCheck {
 public:
  explicit NameCheck(const ImportTable& table) {
    for (const ImportField& field : table.fields) {
      use_pick(field.fallback);
      use_pick(field.class_default);
      if (field.when_null) use_pick(*field.when_null);
      define(field.name);
    }
    define_all(table.values);
    for (const std::vector<ImportRemark>* remarks : {&table.checks, &table.warnings})
      for (const ImportRemark& remark : *remarks) use_remark(remark);
    for (const ImportSymbol& symbol : table.symbols) {
      use(mentioned_names(symbol.when));
      use_pick(symbol.value);
      use_pick(symbol.doc);
    }
    use_pick(Value(table.notes));
    use_pick(table.mtp_params);
    for (const ImportNode& node : table.nodes) use_node(node);
  }

  std::vector<std::string> undefined() && { return std::move(undefined_); }

 private:
  void define(const std::string& name) { defined_.push_back(name); }

  void define_all(const std::vector<std::pair<std::string, Value>>& picks) {
    for (const auto& [name, pick] : picks) {
      use_pick(pick);
      define(name);
    }
  }

  void use(const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (std::ranges::find(defined_, name) == defined_.end()) undefined_.push_back(name);
  }

  void use_pick(const Value& pick) {
    std::vector<std::string> names;
    collect_names(pick, names);
    use(names);
  }

  void use_remark(const ImportRemark& remark) {
    use(mentioned_names(remark.condition));
    if (!remark.field.empty()) use({remark.field});
    use_pick(Value(remark.message));
    use_pick(Value(remark.hint));
  }

  void use_node(const ImportNode& node) {
    use(mentioned_names(node.when));
    use_pick(node.type);
    use_pick(node.params);
    if (!node.stack) return;
    const ImportStack& stack = *node.stack;
    use({stack.count});
    define("i");
    define_all(stack.layer);
    for (const LayerLabel& label : stack.labels) use(mentioned_names(label.when));
    use_pick(stack.ports);
    use_pick(stack.block_type);
    use_pick(stack.block_params);
    for (const auto& [port, pick] : stack.also) use_pick(pick);
  }

  std::vector<std::string> defined_{"model_type"};
  std::vector<std::string> undefined_;
};

}  // namespace

const Value* find_dotted(const Value& config, std::string_view dotted) {
  const Value* value = &config;
  for (const std::string_view step : split(dotted, '.')) {
    if (!value->is_object()) return nullptr;
    value = value->find(step);
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::string dotted_pointer(std::string_view dotted) {
  std::string path;
  for (const std::string_view step : split(dotted, '.')) path = json::pointer(path, step);
  return path;
}

void overlay(Value& base, const Value& changes) {
  if (!base.is_object() || !changes.is_object()) {
    base = changes;
    return;
  }
  for (const auto& [key, value] : changes.object()) {
    const auto under = std::ranges::find(base.object(), key, &json::Member::first);
    if (under != base.object().end())
      overlay(under->second, value);
    else
      base.object().emplace_back(key, value);
  }
}

Result<ImportTable> read_import_table(const Value& value) {
  Diagnostics problems;
  Reader in(value, "", problems);
  ImportTable table;
  in.ignore("$schema");
  in.ignore("extends");
  in.ignore("includes");
  in.ignore("doc");
  table.family = in.string("family");
  table.notes = text_or_empty(in, "notes");
  if (const json::Array* within = in.optional_array("within"))
    table.within = texts(*within, in.path_of("within"), problems);
  Reader fields = in.object("fields");
  for (const auto& [name, field] : fields.members())
    table.fields.push_back(
        read_field(name, Reader(field, fields.path_of(name), problems), problems));
  table.values = members(in.optional_object("values"));
  table.checks = read_remarks("that", in.optional_object("checks"), problems);
  table.warnings = read_remarks("when", in.optional_object("warnings"), problems);
  Reader symbols = in.object("symbols");
  for (const auto& [name, symbol] : symbols.members())
    table.symbols.push_back(read_symbol(name, Reader(symbol, symbols.path_of(name), problems)));
  Reader nodes = in.object("nodes");
  for (const auto& [id, node] : nodes.members())
    table.nodes.push_back(read_node(id, Reader(node, nodes.path_of(id), problems), problems));
  Reader wires = in.object("wires");
  for (const auto& [name, chain] : wires.members()) {
    if (chain.is_null()) continue;
    ROOFBEAM_CHECK(chain.is_array());
    table.wires.push_back(texts(chain.array(), wires.path_of(name), problems));
  }
  table.mtp_params = value_or_null(in, "mtp_params");
  in.done();
  if (!problems.empty()) return problems;
  return table;
}

Result<std::optional<ImportTable>> import_table(std::string_view model_type, const Value& config) {
  // What only other tables extend.
  if (model_type.starts_with('_')) return std::optional<ImportTable>();
  const Result<std::optional<Value>> value = folded(model_type, config);
  if (!value) return value.errors();
  if (!value->has_value()) return std::optional<ImportTable>();
  Result<ImportTable> table = read_import_table(**value);
  ROOFBEAM_CHECK(table);
  return std::optional<ImportTable>(*std::move(table));
}

std::optional<ImportTable> import_table(std::string_view model_type) {
  Result<std::optional<ImportTable>> table = import_table(model_type, Value(json::Object{}));
  return table ? *std::move(table) : std::nullopt;
}

std::vector<std::string> undefined_names(const ImportTable& table) {
  return NameCheck(table).undefined();
}

}  // namespace roofbeam
