#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "engine/base/text.h"
#include "engine/json/scan.h"
#include "engine/json/value.h"

namespace roofbeam::json {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Problems of one kind that are listed one by one. A hostile text holds millions of them, each with
// a path of any length.
constexpr std::size_t kMaxListed = 1000;
constexpr std::size_t kMaxListedPathBytes = 1u << 20;

// UTF-16 and UTF-32 text starts with a byte order mark, or with an ASCII character, which leaves
// NUL bytes beside it; no UTF-8 JSON text starts with either.
std::string_view wide_encoding(std::string_view text) {
  struct Row {
    std::string_view start;  // 'x' stands for any byte but NUL
    std::string_view name;
  };
  using namespace std::string_view_literals;
  static constexpr Row kRows[] = {
      {"\xFF\xFE\0\0"sv, "UTF-32"}, {"\0\0\xFE\xFF"sv, "UTF-32"}, {"\0\0\0x"sv, "UTF-32"},
      {"x\0\0\0"sv, "UTF-32"},      {"\xFF\xFE"sv, "UTF-16"},     {"\xFE\xFF"sv, "UTF-16"},
      {"\0x"sv, "UTF-16"},          {"x\0"sv, "UTF-16"},
  };
  for (const Row& row : kRows) {
    const auto matches = [](char expected, char found) {
      return expected == 'x' ? found != '\0' : expected == found;
    };
    if (text.size() >= row.start.size() &&
        std::equal(row.start.begin(), row.start.end(), text.begin(), matches))
      return row.name;
  }
  return {};
}

// Builds values from simdjson's document, level by level instead of by recursion: WebAssembly gives
// the engine 64 KB of stack.
class Builder {
 public:
  // `specials` must be in the order of the text.
  explicit Builder(std::span<const SpecialNumber> specials) : specials_(specials) {}

  // False where the text nests deeper than kMaxDepth.
  bool build(dom::element root, Value& value) {
    if (!add(root, value)) return false;
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.members != nullptr ? level.member == level.members_end
                                   : level.item == level.items_end) {
        const Object* members = level.members;
        levels_.pop_back();
        if (members != nullptr) find_duplicates(*members);
        continue;
      }
      dom::element source;
      Value* target = nullptr;
      if (level.members != nullptr) {
        source = level.member.value();
        target = &level.members->emplace_back(level.member.key(), Value()).second;
        ++level.member;
      } else {
        source = *level.item;
        target = &level.items->emplace_back();
        ++level.item;
      }
      if (!add(source, *target)) return false;
    }
    return true;
  }

  Diagnostics problems() && {
    range_.summarize();
    duplicates_.summarize();
    Diagnostics all = std::move(range_.listed);
    std::ranges::move(duplicates_.listed, std::back_inserter(all));
    return all;
  }

 private:
  // A container that is being filled: its storage, and what of the source is still to come.
  struct Level {
    Object* members = nullptr;
    Array* items = nullptr;
    dom::object::iterator member, members_end;
    dom::array::iterator item, items_end;
  };

  struct Problems {
    Diagnostics listed;
    std::size_t path_bytes = 0;
    std::size_t left_out = 0;

    bool is_full() const {
      return listed.size() >= kMaxListed || path_bytes >= kMaxListedPathBytes;
    }
    void add(Diagnostic problem) {
      path_bytes += problem.path.size();
      listed.push_back(std::move(problem));
    }
    void summarize() {
      if (left_out > 0)
        listed.push_back({.code = listed.front().code,
                          .path = "",
                          .message = "and " + std::to_string(left_out) + " more of this kind",
                          .hint = ""});
    }
  };

  bool add(dom::element source, Value& value) {
    switch (source.type()) {
      case dom::element_type::OBJECT: {
        if (levels_.size() == kMaxDepth) return false;
        const dom::object object = source.get_object().value_unsafe();
        value = Object();
        value.object().reserve(object.size());
        Level level;
        level.members = &value.object();
        level.member = object.begin();
        level.members_end = object.end();
        levels_.push_back(level);
        break;
      }
      case dom::element_type::ARRAY: {
        if (levels_.size() == kMaxDepth) return false;
        const dom::array array = source.get_array().value_unsafe();
        value = Array();
        value.array().reserve(array.size());
        Level level;
        level.items = &value.array();
        level.item = array.begin();
        level.items_end = array.end();
        levels_.push_back(level);
        break;
      }
      case dom::element_type::STRING:
        value = source.get_string().value_unsafe();
        break;
      case dom::element_type::BOOL:
        value = source.get_bool().value_unsafe();
        break;
      case dom::element_type::NULL_VALUE:
        break;
      case dom::element_type::INT64:
        value = source.get_int64().value_unsafe();
        note_number(value);
        break;
      case dom::element_type::UINT64:
        value = static_cast<double>(source.get_uint64().value_unsafe());
        note_number(value);
        break;
      case dom::element_type::DOUBLE:
        value = source.get_double().value_unsafe();
        note_number(value);
        break;
    }
    return true;
  }

  // Puts in the next special number if it is its turn.
  void note_number(Value& value) {
    const std::size_t index = numbers_++;
    if (specials_.empty() || specials_.front().index != index) return;
    const SpecialNumber special = specials_.front();
    specials_ = specials_.subspan(1);
    value = special.value;
    if (special.token.ends_with("Infinity") || std::isnan(special.value)) return;
    if (range_.is_full()) {
      ++range_.left_out;
      return;
    }
    range_.add({.code = "json.number_range",
                .path = path(),
                .message = "found the number " + quoted_number(special.token) +
                           ", wanted one between -" + shortest(std::numeric_limits<double>::max()) +
                           " and " + shortest(std::numeric_limits<double>::max()),
                .hint = ""});
  }

  static std::string quoted_number(std::string_view token) {
    const std::string text = roofbeam::quoted(token);
    return text.substr(1, text.size() - 2);
  }

  // JSON Pointer to the value that was added last.
  std::string path() const {
    std::string text;
    for (const Level& level : levels_)
      text = level.members != nullptr ? pointer(text, level.members->back().first)
                                      : pointer(text, level.items->size() - 1);
    return text;
  }

  // Of an object whose level is gone, so that path() leads to it. Sorted by the first and last
  // bytes of the keys, then by the keys: equal ones become neighbours in n log n comparisons, most
  // of which compare one integer.
  void find_duplicates(const Object& members) {
    keys_.clear();
    for (const Member& member : members) keys_.push_back({fingerprint(member.first), &member});
    std::ranges::sort(keys_, [](const Key& a, const Key& b) {
      if (a.fingerprint != b.fingerprint) return a.fingerprint < b.fingerprint;
      if (const int order = a.member->first.compare(b.member->first)) return order < 0;
      return a.member < b.member;
    });
    repeated_.clear();
    for (std::size_t i = 0; i < keys_.size();) {
      std::size_t end = i + 1;
      while (end < keys_.size() && keys_[end].fingerprint == keys_[i].fingerprint &&
             keys_[end].member->first == keys_[i].member->first)
        ++end;
      if (end - i > 1) repeated_.push_back({keys_[i + 1].member, end - i});
      i = end;
    }
    if (repeated_.empty()) return;
    std::ranges::sort(repeated_, {}, &Repeated::second_member);
    const std::string parent = duplicates_.is_full() ? "" : path();
    for (const auto& [member, times] : repeated_) {
      if (duplicates_.is_full()) {
        ++duplicates_.left_out;
        continue;
      }
      duplicates_.add({.code = "json.duplicate_key",
                       .path = pointer(parent, member->first),
                       .message = "found the key " + roofbeam::quoted(member->first) + " " +
                                  std::to_string(times) + " times in one object, wanted it once",
                       .hint = "keep one of them"});
    }
  }

  static std::uint64_t fingerprint(const std::string& key) {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    const std::size_t length = std::min(key.size(), sizeof first);
    std::memcpy(&first, key.data(), length);
    std::memcpy(&last, key.data() + key.size() - length, length);
    return first ^ (last << 7 | last >> 57) ^ key.size();
  }

  struct Key {
    std::uint64_t fingerprint;
    const Member* member;
  };
  struct Repeated {
    const Member* second_member;
    std::size_t times;
  };

  std::span<const SpecialNumber> specials_;  // those still to come
  std::size_t numbers_ = 0;
  std::vector<Level> levels_;
  std::vector<Key> keys_;  // kept for its storage
  std::vector<Repeated> repeated_;
  Problems range_;
  Problems duplicates_;
};

// simdjson's document as a value; nothing where it refuses the text or the nesting is too deep.
std::optional<Result<Value>> built(std::string_view text, std::span<const SpecialNumber> specials) {
  dom::parser parser;
  dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) return std::nullopt;
  Builder builder(specials);
  Value value;
  if (!builder.build(root, value)) return std::nullopt;
  Diagnostics problems = std::move(builder).problems();
  if (!problems.empty()) return Result<Value>(std::move(problems));
  return Result<Value>(std::move(value));
}

}  // namespace

Result<Value> parse(std::string_view text) {
  if (text.size() > kMaxTextBytes)
    return Diagnostic{.code = "json.too_large",
                      .path = "",
                      .message = "found a text of " + std::to_string(text.size()) +
                                 " bytes, wanted at most " + std::to_string(kMaxTextBytes),
                      .hint = ""};
  if (const std::string_view encoding = wide_encoding(text); !encoding.empty())
    return Diagnostic{.code = "json.encoding",
                      .path = "",
                      .message = "found text in " + std::string(encoding) + ", wanted UTF-8",
                      .hint = "save the file as UTF-8"};
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (text.find_first_not_of(" \t\n\r") == std::string_view::npos)
    return Diagnostic{.code = "json.empty",
                      .path = "",
                      .message = "found an empty text, wanted a JSON value",
                      .hint = ""};

  if (std::optional<Result<Value>> result = built(text, {})) return *std::move(result);
  Scan scanned = scan(text);
  if (scanned.fault) return *std::move(scanned.fault);
  if (std::optional<Result<Value>> result = built(scanned.text, scanned.specials))
    return *std::move(result);
  return Diagnostic{.code = "json.syntax",
                    .path = "",
                    .message = "found a text that is no JSON, wanted one JSON value",
                    .hint = ""};
}

}  // namespace roofbeam::json
