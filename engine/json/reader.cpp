#include "engine/json/reader.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"

namespace roofbeam::json {
namespace {

// Unknown members that are listed one by one, with a search for the closest name.
constexpr std::size_t kMaxListed = 1000;

// Known names that a hint lists where none is close.
constexpr std::size_t kMaxNamesInHint = 12;

constexpr double kTwoTo63 = 9223372036854775808.0;

constexpr std::string_view kText = "a text";
constexpr std::string_view kNumber = "a finite number";
constexpr std::string_view kPositiveNumber = "a number greater than 0";
constexpr std::string_view kBoolean = "true or false";
constexpr std::string_view kObject = "a JSON object";
constexpr std::string_view kArray = "a JSON array";

std::string whole_number(std::int64_t minimum) {
  return "a whole number of at least " + std::to_string(minimum);
}

// "\"a\"", "\"a\" or \"b\"", "\"a\", \"b\" or \"c\""
std::string one_of(std::span<const std::string_view> allowed) {
  std::string text;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (i > 0) text += i + 1 == allowed.size() ? " or " : ", ";
    text += quoted(allowed[i]);
  }
  return text;
}

// A number in quotes is the commonest wrong type.
std::string quotes_hint(const Value& found) {
  constexpr std::size_t kLongestNumber = 40;
  if (!found.is_string() || found.string().size() > kLongestNumber) return "";
  const Result<Value> inside = parse(found.string());
  return inside && (*inside).is_number() ? "write the number without quotes" : "";
}

const Value& nothing() {
  static const Value value;
  return value;
}

const Array& no_items() {
  static const Array items;
  return items;
}

const Object& no_members() {
  static const Object members;
  return members;
}

}  // namespace

Reader::Reader(const Value& value, std::string path, Diagnostics& problems)
    : path_(std::move(path)), problems_(&problems) {
  if (value.is_object()) {
    members_ = &value.object();
    read_.resize(members_->size());
  } else {
    wrong("", value, kObject, "json.type");
  }
}

Reader::Reader(std::string path, Diagnostics& problems)
    : path_(std::move(path)), problems_(&problems) {}

bool Reader::has(std::string_view key) const {
  return members_ != nullptr && std::ranges::any_of(*members_, [&](const Member& member) {
           return member.first == key && !member.second.is_null();
         });
}

const Value* Reader::find(std::string_view key) {
  if (members_ == nullptr) return nullptr;
  if (asked_.empty()) asked_.reserve(8);  // as many as most objects may have
  asked_.emplace_back(key);
  const auto found = std::ranges::find(*members_, key, &Member::first);
  if (found == members_->end()) return nullptr;
  read_[static_cast<std::size_t>(found - members_->begin())] = true;
  return &found->second;
}

const Value* Reader::take(std::string_view key) {
  const Value* found = find(key);
  return found != nullptr && !found->is_null() ? found : nullptr;
}

const Value* Reader::require(std::string_view key, std::string_view wanted) {
  const Value* found = find(key);
  if (found == nullptr && members_ != nullptr)
    problem(key, "json.missing",
            "the key " + quoted(key) + " is missing, wanted " + std::string(wanted));
  return found;
}

void Reader::wrong(std::string_view key, const Value& found, std::string_view wanted,
                   std::string code, std::string hint) {
  problem(key, std::move(code), "found " + described(found) + ", wanted " + std::string(wanted),
          std::move(hint));
}

std::optional<std::string> Reader::as_string(std::string_view key, const Value& found) {
  if (found.is_string()) return found.string();
  wrong(key, found, kText, "json.type");
  return std::nullopt;
}

std::optional<double> Reader::as_number(std::string_view key, const Value& found) {
  if (!found.is_number())
    wrong(key, found, kNumber, "json.type", quotes_hint(found));
  else if (!std::isfinite(found.number()))
    wrong(key, found, kNumber, "json.not_finite");
  else
    return found.number();
  return std::nullopt;
}

std::optional<double> Reader::as_positive_number(std::string_view key, const Value& found) {
  if (!found.is_number())
    wrong(key, found, kPositiveNumber, "json.type", quotes_hint(found));
  else if (!std::isfinite(found.number()))
    wrong(key, found, kPositiveNumber, "json.not_finite");
  else if (!(found.number() > 0))
    wrong(key, found, kPositiveNumber, "json.range");
  else
    return found.number();
  return std::nullopt;
}

std::optional<std::int64_t> Reader::as_whole(std::string_view key, const Value& found,
                                             std::int64_t minimum) {
  const std::string_view fault = [&]() -> std::string_view {
    if (!found.is_number()) return "json.type";
    if (found.is_integer()) return found.integer() < minimum ? "json.range" : "";
    const double number = found.number();  // 4096.0 and 4e3 are whole numbers too
    if (!std::isfinite(number)) return "json.not_finite";
    if (number != std::floor(number)) return "json.not_whole";
    if (number < static_cast<double>(minimum) || number < -kTwoTo63) return "json.range";
    return number >= kTwoTo63 ? "json.range" : "";
  }();
  if (fault.empty())
    return found.is_integer() ? found.integer() : static_cast<std::int64_t>(found.number());
  const bool too_large = fault == "json.range" && found.number() >= kTwoTo63;
  wrong(key, found, too_large ? "a whole number below 2^63" : whole_number(minimum),
        std::string(fault), quotes_hint(found));
  return std::nullopt;
}

std::optional<bool> Reader::as_boolean(std::string_view key, const Value& found) {
  if (found.is_bool()) return found.boolean();
  wrong(key, found, kBoolean, "json.type");
  return std::nullopt;
}

std::optional<std::string> Reader::as_choice(std::string_view key, const Value& found,
                                             std::span<const std::string_view> allowed) {
  if (!found.is_string())
    wrong(key, found, one_of(allowed), "json.type");
  else if (std::ranges::find(allowed, found.string()) == allowed.end())
    wrong(key, found, one_of(allowed), "json.choice", closest_hint(found.string(), allowed));
  else
    return found.string();
  return std::nullopt;
}

std::optional<Reader> Reader::as_object(std::string_view key, const Value& found) {
  if (found.is_object()) return Reader(found, path_of(key), *problems_);
  wrong(key, found, kObject, "json.type");
  return std::nullopt;
}

const Array* Reader::as_array(std::string_view key, const Value& found) {
  if (found.is_array()) return &found.array();
  wrong(key, found, kArray, "json.type");
  return nullptr;
}

std::string Reader::string(std::string_view key) {
  const Value* found = require(key, kText);
  return found ? as_string(key, *found).value_or("") : "";
}

double Reader::number(std::string_view key) {
  const Value* found = require(key, kNumber);
  return found ? as_number(key, *found).value_or(0) : 0;
}

double Reader::positive_number(std::string_view key) {
  const Value* found = require(key, kPositiveNumber);
  return found ? as_positive_number(key, *found).value_or(1) : 1;
}

std::int64_t Reader::count(std::string_view key) { return whole(key, 1); }

std::int64_t Reader::whole(std::string_view key, std::int64_t minimum) {
  const Value* found = require(key, whole_number(minimum));
  return found ? as_whole(key, *found, minimum).value_or(minimum) : minimum;
}

bool Reader::boolean(std::string_view key) {
  const Value* found = require(key, kBoolean);
  return found ? as_boolean(key, *found).value_or(false) : false;
}

std::string Reader::choice(std::string_view key, std::span<const std::string_view> allowed) {
  ROOFBEAM_CHECK(!allowed.empty());
  const Value* found = require(key, one_of(allowed));
  std::optional<std::string> chosen = found ? as_choice(key, *found, allowed) : std::nullopt;
  return chosen ? *std::move(chosen) : std::string(allowed.front());
}

const Value& Reader::value(std::string_view key) {
  const Value* found = require(key, "a value");
  return found ? *found : nothing();
}

Reader Reader::object(std::string_view key) {
  const Value* found = require(key, kObject);
  std::optional<Reader> reader = found ? as_object(key, *found) : std::nullopt;
  return reader ? *std::move(reader) : Reader(path_of(key), *problems_);
}

const Array& Reader::array(std::string_view key) {
  const Value* found = require(key, kArray);
  const Array* items = found ? as_array(key, *found) : nullptr;
  return items ? *items : no_items();
}

std::optional<std::string> Reader::optional_string(std::string_view key) {
  const Value* found = take(key);
  return found ? as_string(key, *found) : std::nullopt;
}

std::optional<double> Reader::optional_number(std::string_view key) {
  const Value* found = take(key);
  return found ? as_number(key, *found) : std::nullopt;
}

std::optional<double> Reader::optional_positive_number(std::string_view key) {
  const Value* found = take(key);
  return found ? as_positive_number(key, *found) : std::nullopt;
}

std::optional<std::int64_t> Reader::optional_count(std::string_view key) {
  return optional_whole(key, 1);
}

std::optional<std::int64_t> Reader::optional_whole(std::string_view key, std::int64_t minimum) {
  const Value* found = take(key);
  return found ? as_whole(key, *found, minimum) : std::nullopt;
}

std::optional<bool> Reader::optional_boolean(std::string_view key) {
  const Value* found = take(key);
  return found ? as_boolean(key, *found) : std::nullopt;
}

std::optional<std::string> Reader::optional_choice(std::string_view key,
                                                   std::span<const std::string_view> allowed) {
  ROOFBEAM_CHECK(!allowed.empty());
  const Value* found = take(key);
  return found ? as_choice(key, *found, allowed) : std::nullopt;
}

const Value* Reader::optional_value(std::string_view key) { return take(key); }

std::optional<Reader> Reader::optional_object(std::string_view key) {
  const Value* found = take(key);
  return found ? as_object(key, *found) : std::nullopt;
}

const Array* Reader::optional_array(std::string_view key) {
  const Value* found = take(key);
  return found ? as_array(key, *found) : nullptr;
}

const Object& Reader::members() {
  read_.assign(read_.size(), true);
  return members_ != nullptr ? *members_ : no_members();
}

void Reader::ignore(std::string_view key) { find(key); }

void Reader::problem(std::string_view key, std::string code, std::string message,
                     std::string hint) {
  problems_->push_back({.code = std::move(code),
                        .path = key.empty() ? path_ : path_of(key),
                        .message = std::move(message),
                        .hint = std::move(hint)});
}

void Reader::done() {
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < read_.size(); ++i) {
    if (read_[i] || ++unknown > kMaxListed) continue;
    const std::string& key = (*members_)[i].first;
    std::string hint = closest_hint(key, asked_);
    if (hint.empty() && !asked_.empty() && asked_.size() <= kMaxNamesInHint)
      hint = "known here: " + join(asked_, ", ");
    problems_->push_back({.code = "json.unknown_key",
                          .path = path_of(key),
                          .message = "found the unknown key " + quoted(key),
                          .hint = std::move(hint)});
  }
  if (unknown > kMaxListed)
    problem("", "json.unknown_key",
            "found " + std::to_string(unknown - kMaxListed) + " more unknown keys");
}

}  // namespace roofbeam::json
