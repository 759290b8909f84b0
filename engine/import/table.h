#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/json/value.h"

namespace roofbeam {

enum class FieldKind : std::uint8_t { count, whole, number, positive, flag, text, choice, object };

// One field of the config: where it may stand, what it may hold, what its absence means.
struct ImportField {
  std::string name;               // what the table calls it
  std::vector<std::string> keys;  // what configs call it; "a.b" is b within a; the first set wins
  FieldKind kind = FieldKind::count;
  bool required = false;
  bool list = false;       // a JSON array of such
  bool per_layer = false;  // a list with one item for each layer
  bool letters = false;    // the list may be a text, an item a letter: "M-M*"
  bool cycled = false;     // a list shorter than the layers starts over
  std::optional<double> minimum;
  std::optional<double> maximum;
  json::Value fallback;                  // a pick (pick.h): the value where the field is absent
  json::Value class_default;             // what a nested config that leaves it out means
  std::optional<json::Value> when_null;  // the same where it is null; as if absent if not given
  std::vector<std::pair<std::string, json::Value>> choices;  // config's text -> value
  std::string doc;                                           // "query heads"
};

// A condition with something to say: as a check it must hold, as a warning it must not.
struct ImportRemark {
  std::string code;
  std::string condition;
  std::string field;    // the field it is about; may be empty
  std::string message;  // filled (pick.h)
  std::string hint;     // filled
};

struct ImportSymbol {
  std::string name;
  std::string when;  // a condition; empty: always
  bool runtime = false;
  json::Value value;  // a pick
  json::Value doc;    // a pick
};

// A label for layers of one kind, and the symbol that counts them where a model has several.
struct LayerLabel {
  std::string name;  // "dense": the block's id in a mixed stack, "dense_layers"
  std::string when;  // on the layer's own values; empty: every layer
  std::string symbol;
  std::string doc;
};

// The model's layers, drawn as few repeats as their differences allow.
struct ImportStack {
  std::string count;   // the value that counts the layers
  std::string symbol;  // the symbol that does
  // Values of one layer, by its index `i` and the lists with an item a layer; layers that agree in
  // all of them are alike.
  std::vector<std::pair<std::string, json::Value>> layer;
  std::vector<LayerLabel> labels;
  // Of the repeat, the stream that passes through it first: {"x": "B T D", "memory": "B S D"}. The
  // others go to the layers for which `also` holds, into the input of the same name.
  json::Value ports;
  std::vector<std::pair<std::string, json::Value>> also;  // port -> pick, on the layer's values
  std::string block_in;
  std::string block_out;
  json::Value block_type;    // a pick, on the layer's values
  json::Value block_params;  // a pick
};

struct ImportNode {
  std::string id;
  std::string when;
  json::Value type;    // a pick
  json::Value params;  // a pick
  std::optional<ImportStack> stack;
};

// How a model type's config.json maps to a design: a file of presets/importers, with what it
// extends folded in.
struct ImportTable {
  std::string family;
  std::string notes;                // filled
  std::vector<std::string> within;  // nested objects that win over the config's top level
  std::vector<ImportField> fields;
  std::vector<std::pair<std::string, json::Value>> values;  // worked out from the fields, in order
  std::vector<ImportRemark> checks;
  std::vector<ImportRemark> warnings;
  std::vector<ImportSymbol> symbols;
  std::vector<ImportNode> nodes;
  // Chains "node:out", "in:node:out" ..., "node:in"; nodes that are left out are stepped over.
  std::vector<std::vector<std::string>> wires;
  json::Value mtp_params;  // a pick
};

// The table of one model type; nothing where there is none. A table may extend that of a model
// nested in the config, which then has to be known too: import.unknown_model_type at its place.
[[nodiscard]] Result<std::optional<ImportTable>> import_table(std::string_view model_type,
                                                              const json::Value& config);

// The same for a config that states nothing.
[[nodiscard]] std::optional<ImportTable> import_table(std::string_view model_type);

// The member at "a.b" of a config, nullptr where there is none; and the JSON Pointer to it.
[[nodiscard]] const json::Value* find_dotted(const json::Value& config, std::string_view dotted);
[[nodiscard]] std::string dotted_pointer(std::string_view dotted);

// Reads a table whose "extends" has been folded in.
[[nodiscard]] Result<ImportTable> read_import_table(const json::Value& value);

// Puts `changes` over `base`: objects member by member, anything else replaced.
void overlay(json::Value& base, const json::Value& changes);

// Names that the table's picks and conditions use before anything defines them; a sound table has
// none.
[[nodiscard]] std::vector<std::string> undefined_names(const ImportTable& table);

}  // namespace roofbeam
