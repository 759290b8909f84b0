#include "engine/import/fields.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "engine/base/text.h"
#include "engine/import/pick.h"
#include "engine/json/reader.h"

namespace roofbeam {
namespace {

using json::Reader;
using json::Value;

// Where a key stands, and what it holds.
struct Place {
  std::string holder_path;
  std::string_view key;
  const Value* value = nullptr;
};

// An object that fields are looked up in: the config, or one nested in it.
class Root {
 public:
  // `wanted`: the members that will be asked for, so that a config of a million others costs
  // little.
  Root(const Value& object, std::string path, const std::unordered_set<std::string_view>& wanted)
      : object_(&object), path_(std::move(path)) {
    for (const auto& [key, value] : object.object())
      if (wanted.contains(key)) members_.emplace(key, &value);
  }

  [[nodiscard]] const json::Object& members() const { return object_->object(); }

  // Follows "a.b"; no value where any step is missing or no object.
  [[nodiscard]] Place find(std::string_view dotted) const {
    Place place{path_, dotted, nullptr};
    const Value* holder = object_;
    for (std::size_t dot = dotted.find('.'); dot != dotted.npos; dot = dotted.find('.')) {
      const std::string_view step = dotted.substr(0, dot);
      dotted.remove_prefix(dot + 1);
      holder = member(holder, step);
      place.holder_path = json::pointer(place.holder_path, step);
    }
    place.key = dotted;
    place.value = member(holder, dotted);
    return place;
  }

 private:
  const Value* member(const Value* holder, std::string_view key) const {
    if (holder != object_) return holder != nullptr ? holder->find(key) : nullptr;
    const auto found = members_.find(key);
    return found != members_.end() ? found->second : nullptr;
  }

  const Value* object_;
  std::string path_;
  std::unordered_map<std::string_view, const Value*> members_;
};

std::string path_of(const Place& place) { return json::pointer(place.holder_path, place.key); }

// "\"n_layer\"", "\"n_layer\" or \"num_hidden_layers\""
std::string alternatives(const std::vector<std::string>& keys) {
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i)
    text += (i == 0 ? "" : i + 1 == keys.size() ? " or " : ", ") + quoted(keys[i]);
  return text;
}

class FieldReader {
 public:
  FieldReader(const Value& config, const ImportTable& table, std::string_view model_type,
              Values& values, Diagnostics& problems, Diagnostics& warnings)
      : table_(table),
        model_type_(model_type),
        values_(values),
        problems_(problems),
        warnings_(warnings) {
    std::unordered_set<std::string_view> wanted;
    for (const ImportField& field : table.fields)
      for (const std::string& key : field.keys)
        wanted.insert(std::string_view(key).substr(0, key.find('.')));
    for (const std::string& name : table.within)
      if (const Value* nested = find_dotted(config, name); nested != nullptr && nested->is_object())
        roots_.emplace_back(*nested, dotted_pointer(name), wanted);
    roots_.emplace_back(config, "", wanted);
  }

  void read_all() {
    for (const ImportField& field : table_.fields) values_.set(field.name, read(field));
  }

 private:
  NamedValue read(const ImportField& field) {
    const std::vector<Place> places = places_of(field);
    if (places.empty()) return absent(field);
    const Place& place = places.front();
    NamedValue named{.value = {},
                     .given = true,
                     .faulty = false,
                     .per_layer = field.per_layer,
                     .path = path_of(place)};
    if (place.value->is_null()) {
      if (has_class_default(field)) return class_default(field, std::move(named.path));
      if (field.required) return missing(field, std::move(named.path));
      named.given = false;
      return stand_in(field.when_null.value_or(field.fallback), std::move(named));
    }
    std::optional<Value> value = field.list ? list(field, place) : item(field, place);
    if (value && field.kind != FieldKind::object) value = agreed(field, places, *std::move(value));
    named.faulty = !value;
    if (value) named.value = *std::move(value);
    return named;
  }

  // Where the field is, the set ones first, nested objects before the top level.
  std::vector<Place> places_of(const ImportField& field) const {
    std::vector<Place> places;
    for (const Root& root : roots_) {
      for (const std::string& key : field.keys)
        if (Place place = root.find(key); place.value != nullptr)
          places.push_back(std::move(place));
      std::ranges::stable_partition(places, [](const Place& p) { return !p.value->is_null(); });
      if (!places.empty() && !places.front().value->is_null()) break;
    }
    return places;
  }

  NamedValue absent(const ImportField& field) {
    const Place place = roots_.front().find(field.keys.front());
    if (has_class_default(field)) return class_default(field, path_of(place));
    if (field.required) return missing(field, path_of(place));
    NamedValue named;
    named.path = path_of(place);
    return stand_in(field.fallback, std::move(named));
  }

  // A config nested in another is written as its difference from the defaults of its class, so
  // there a field that is left out has the class's value; said, because no reader sees it.
  bool has_class_default(const ImportField& field) const {
    return !field.class_default.is_null() && roots_.size() > 1;
  }

  NamedValue class_default(const ImportField& field, std::string path) {
    NamedValue named;
    named.path = std::move(path);
    named = stand_in(field.class_default, std::move(named));
    if (!named.faulty)
      warnings_.push_back({.code = "import.class_default",
                           .path = named.path,
                           .message = alternatives(field.keys) + " is left out: the " + field.doc +
                                      " is its class's, " + json::described(named.value),
                           .hint = ""});
    return named;
  }

  NamedValue missing(const ImportField& field, std::string path) {
    problems_.push_back({.code = "import.missing_field",
                         .path = path,
                         .message = alternatives(field.keys) + " is missing: a config of type " +
                                    quoted(model_type_) + " must state the " + field.doc,
                         .hint = similar_key(field)});
    NamedValue named;
    named.faulty = true;
    named.path = std::move(path);
    return named;
  }

  // A key of the config that may have been meant.
  std::string similar_key(const ImportField& field) const {
    std::vector<std::string> present;
    for (const auto& [key, value] : roots_.front().members()) {
      if (present.size() == kMaxKeysCompared) break;
      present.push_back(key);
    }
    for (const std::string& key : field.keys)
      if (const auto close = closest_name(key, present))
        return "the file has " + quoted(*close) + ": was " + quoted(key) + " meant?";
    return "";
  }

  NamedValue stand_in(const Value& pick, NamedValue named) const {
    std::optional<Value> value = picked(pick, values_);
    named.faulty = !value;
    if (value) named.value = *std::move(value);
    return named;
  }

  std::optional<Value> item(const ImportField& field, const Place& place) {
    const Value holder = alone(place);
    Reader in(holder, place.holder_path, problems_);
    switch (field.kind) {
      case FieldKind::count:
        return in_range(field, place, in.optional_count(place.key));
      case FieldKind::whole:
        return in_range(field, place, in.optional_whole(place.key));
      case FieldKind::number:
        return in_range(field, place, in.optional_number(place.key));
      case FieldKind::positive:
        return in_range(field, place, in.optional_positive_number(place.key));
      case FieldKind::flag:
        return as_value(in.optional_boolean(place.key));
      case FieldKind::text:
        return as_value(in.optional_string(place.key));
      case FieldKind::choice:
        return chosen(field, in, place.key);
      case FieldKind::object:
        return in.optional_object(place.key) ? std::optional(*place.value) : std::nullopt;
    }
    return std::nullopt;
  }

  // An object of the one member, for the reader to judge; what a list or an object holds is not
  // part of that.
  static Value alone(const Place& place) {
    const Value& value = *place.value;
    return json::Object{{std::string(place.key), value.is_array()    ? Value(json::Array{})
                                                 : value.is_object() ? Value(json::Object{})
                                                                     : value}};
  }

  template <class T>
  static std::optional<Value> as_value(std::optional<T> read) {
    return read ? std::optional(Value(*std::move(read))) : std::nullopt;
  }

  template <class T>
  std::optional<Value> in_range(const ImportField& field, const Place& place,
                                std::optional<T> number) {
    if (!number) return std::nullopt;
    const auto as_double = static_cast<double>(*number);
    const bool low = field.minimum && as_double < *field.minimum;
    const bool high = field.maximum && as_double > *field.maximum;
    if (!low && !high) return Value(*number);
    problems_.push_back({.code = "json.range",
                         .path = path_of(place),
                         .message = "found " + json::described(*place.value) + ", wanted " +
                                    (low ? "at least " + shortest(*field.minimum)
                                         : "at most " + shortest(*field.maximum)) +
                                    " for the " + field.doc,
                         .hint = ""});
    return std::nullopt;
  }

  static std::optional<Value> chosen(const ImportField& field, Reader& in, std::string_view key) {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : field.choices) names.push_back(name);
    const std::optional<std::string> name = in.optional_choice(key, names);
    if (!name) return std::nullopt;
    return std::ranges::find(field.choices, *name, &std::pair<std::string, Value>::first)->second;
  }

  // Stops at the first item that is wrong: the rest of the list is likely to be wrong alike.
  std::optional<Value> list(const ImportField& field, const Place& place) {
    if (field.letters && place.value->is_string()) {
      json::Array letters;
      for (const char letter : place.value->string()) letters.emplace_back(std::string(1, letter));
      return list(field, place, letters);
    }
    if (field.cycled && !place.value->is_array()) return one_for_all(field, place);
    const Value holder = alone(place);
    if (Reader(holder, place.holder_path, problems_).optional_array(place.key) == nullptr)
      return std::nullopt;
    return list(field, place, place.value->array());
  }

  // A single value in place of a list: every layer's.
  std::optional<Value> one_for_all(const ImportField& field, const Place& place) {
    std::optional<Value> value = item(field, place);
    const std::optional<std::size_t> layers = layer_count();
    if (!value || !layers) return std::nullopt;
    return Value(json::Array(*layers, *value));
  }

  std::optional<Value> list(const ImportField& field, const Place& place,
                            const json::Array& items) {
    if (!right_length(field, place, items.size())) return std::nullopt;
    json::Array result;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string index = std::to_string(i);
      const Place at{path_of(place), index, &items[i]};
      std::optional<Value> value = item(field, at);
      if (!value) {
        if (items[i].is_null())
          problems_.push_back({.code = "json.type",
                               .path = path_of(at),
                               .message = "found null in the list of the " + field.doc,
                               .hint = ""});
        return std::nullopt;
      }
      result.push_back(*std::move(value));
    }
    if (field.per_layer && field.cycled)
      for (std::size_t i = 0; result.size() < *layer_count(); ++i) result.push_back(result[i]);
    return Value(std::move(result));
  }

  // Nothing where the config states it wrongly, or not.
  std::optional<std::size_t> layer_count() const {
    const NamedValue* layers = values_.find("layers");
    if (layers == nullptr || layers->faulty || !layers->value.is_number()) return std::nullopt;
    return static_cast<std::size_t>(layers->value.number());
  }

  bool right_length(const ImportField& field, const Place& place, std::size_t length) {
    if (!field.per_layer) return true;
    const std::optional<std::size_t> count = layer_count();
    if (!count) return false;
    if (length == *count || (field.cycled && length > 0 && length < *count)) return true;
    const NamedValue* layers = values_.find("layers");
    problems_.push_back(
        {.code = "import.list_length",
         .path = path_of(place),
         .message = "found " + std::to_string(length) + " items, wanted one for each of the " +
                    std::to_string(*count) + " layers",
         .hint = "the list and " + layers->path.substr(1) + " contradict each other"});
    return false;
  }

  // Two names of one thing must not say different things.
  std::optional<Value> agreed(const ImportField& field, const std::vector<Place>& places,
                              Value value) {
    if (field.list || (field.kind != FieldKind::count && field.kind != FieldKind::whole))
      return value;
    for (const Place& other : places) {
      if (other.value->is_null() || !other.value->is_number()) continue;
      if (other.value->number() == value.number()) continue;
      problems_.push_back({.code = "import.contradiction",
                           .path = path_of(other),
                           .message = "found " + json::described(*other.value) + " for the " +
                                      field.doc + ", but " + quoted(places.front().key) + " says " +
                                      shortest(value.number()),
                           .hint = "both name the same thing: remove the wrong one"});
      return std::nullopt;
    }
    return value;
  }

  static constexpr std::size_t kMaxKeysCompared = 500;

  const ImportTable& table_;
  std::string_view model_type_;
  Values& values_;
  Diagnostics& problems_;
  Diagnostics& warnings_;
  std::vector<Root> roots_;
};

}  // namespace

Values read_fields(const Value& config, const ImportTable& table, std::string_view model_type,
                   Diagnostics& problems, Diagnostics& warnings) {
  Values values;
  values.set("model_type", Value(model_type));
  FieldReader(config, table, model_type, values, problems, warnings).read_all();
  for (const auto& [name, pick] : table.values) {
    std::optional<Value> value = picked(pick, values);
    NamedValue named;
    named.faulty = !value;
    if (value) named.value = *std::move(value);
    values.set(name, std::move(named));
  }
  return values;
}

}  // namespace roofbeam
