#include "engine/import/pick.h"

#include <algorithm>
#include <utility>

#include "engine/base/text.h"
#include "engine/import/condition.h"

namespace roofbeam {
namespace {

std::optional<json::Value> picked_text(const std::string& text, const Values& values) {
  const std::string_view rest = std::string_view(text).substr(text.empty() ? 0 : 1);
  switch (text.empty() ? '\0' : text.front()) {
    case '$': {
      const NamedValue* named = values.find(rest);
      if (named == nullptr) return json::Value();
      return named->faulty ? std::nullopt : std::optional(named->value);
    }
    case '=':
      return values.number(rest);
    case '?': {
      const std::optional<bool> result = holds(rest, values);
      return result ? std::optional(json::Value(*result)) : std::nullopt;
    }
    default:
      return json::Value(filled(text, values));
  }
}

std::optional<json::Value> picked_branch(const json::Value& pick, const json::Value& condition,
                                         const Values& values) {
  const std::optional<bool> result = holds(condition.string(), values);
  if (!result) return std::nullopt;
  const json::Value* branch = pick.find(*result ? "then" : "else");
  return branch != nullptr ? picked(*branch, values) : json::Value();
}

std::optional<json::Value> merged(const json::Value& pick, const json::Array& parts,
                                  const Values& values) {
  const json::Value* without = pick.find("without");
  const auto unwanted = [&](const std::string& key) {
    return without != nullptr &&
           std::ranges::find(without->array(), json::Value(key)) != without->array().end();
  };
  json::Value result(json::Object{});
  for (const json::Value& part : parts) {
    std::optional<json::Value> object = picked(part, values);
    if (!object) return std::nullopt;
    if (!object->is_object()) continue;
    for (json::Member& member : object->object())
      if (!unwanted(member.first)) result.set(member.first, std::move(member.second));
  }
  return result;
}

}  // namespace

std::optional<json::Value> picked(const json::Value& pick, const Values& values) {
  if (pick.is_string()) return picked_text(pick.string(), values);
  if (const json::Value* condition = pick.find("when"))
    return picked_branch(pick, *condition, values);
  if (const json::Value* parts = pick.find("merge")) return merged(pick, parts->array(), values);
  if (pick.is_array()) {
    json::Array result;
    for (const json::Value& item : pick.array()) {
      std::optional<json::Value> value = picked(item, values);
      if (!value) return std::nullopt;
      result.push_back(*std::move(value));
    }
    return json::Value(std::move(result));
  }
  if (pick.is_object()) {
    json::Object result;
    for (const auto& [key, item] : pick.object()) {
      std::optional<json::Value> value = picked(item, values);
      if (!value) return std::nullopt;
      if (!value->is_null()) result.emplace_back(key, *std::move(value));
    }
    return json::Value(std::move(result));
  }
  return pick;
}

std::string filled(std::string_view text, const Values& values) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = open == text.npos ? text.npos : text.find('}', open);
    if (close == text.npos) break;
    result += text.substr(0, open);
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    const json::Value& named = values[inside];
    const json::Value value =
        named.is_string() ? named : values.number(inside).value_or(json::Value());
    result += value.is_string()   ? quoted(value.string())
              : value.is_number() ? shortest(value.number())
                                  : "?";
    text.remove_prefix(close + 1);
  }
  return result.append(text);
}

void collect_names(const json::Value& pick, std::vector<std::string>& names) {
  const auto collect = [&](std::string_view text) {
    for (std::string& name : mentioned_names(text)) names.push_back(std::move(name));
  };
  if (pick.is_string()) {
    std::string_view text = pick.string();
    if (!text.empty() && (text.front() == '$' || text.front() == '=' || text.front() == '?'))
      return collect(text.substr(1));
    for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1))
      collect(text.substr(open + 1, text.find('}', open) - open - 1));
  } else if (pick.is_array()) {
    for (const json::Value& item : pick.array()) collect_names(item, names);
  } else if (pick.is_object()) {
    for (const auto& [key, item] : pick.object()) {
      if (key == "when" && item.is_string())
        collect(item.string());
      else if (key != "without")
        collect_names(item, names);
    }
  }
}

}  // namespace roofbeam
