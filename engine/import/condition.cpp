#include "engine/import/condition.h"

#include <algorithm>
#include <array>

#include "engine/base/check.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Longest first, so that "<=" is not read as "<".
constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<=", ">=", "<", ">"};

// Reads and evaluates in one go: conditions are short, and each is asked a few times at most.
class ConditionReader {
 public:
  ConditionReader(std::string_view text, const Values& values) : text_(text), values_(values) {}

  std::optional<bool> read() {
    const std::optional<bool> result = disjunction();
    skip_spaces();
    ROOFBEAM_CHECK(at_ == text_.size());
    return result;
  }

 private:
  // True if either side is, unknown if neither is but one is unknown.
  std::optional<bool> disjunction() {
    std::optional<bool> result = conjunction();
    while (take_word("or")) {
      const std::optional<bool> next = conjunction();
      if (result == true || next == true)
        result = true;
      else if (!result || !next)
        result = std::nullopt;
    }
    return result;
  }

  std::optional<bool> conjunction() {
    std::optional<bool> result = negation();
    while (take_word("and")) {
      const std::optional<bool> next = negation();
      if (result == false || next == false)
        result = false;
      else if (!result || !next)
        result = std::nullopt;
    }
    return result;
  }

  std::optional<bool> negation() {
    if (!take_word("not")) return atom();
    const std::optional<bool> inner = negation();
    return inner ? std::optional<bool>(!*inner) : std::nullopt;
  }

  std::optional<bool> atom() {
    if (take_word("given")) {
      const std::string_view name = trimmed(group());
      const NamedValue* named = values_.find(name);
      return named != nullptr && named->given;
    }
    if (opens_condition()) return ConditionReader(group(), values_).read();
    const std::optional<json::Value> left = operand();
    for (const std::string_view comparison : kComparisons)
      if (take_sign(comparison)) return compared(left, comparison, operand());
    if (take_word("in")) return contained(left, operand());
    return left ? std::optional<bool>(is_true(*left)) : std::nullopt;
  }

  static std::optional<bool> compared(const std::optional<json::Value>& left,
                                      std::string_view comparison,
                                      const std::optional<json::Value>& right) {
    if (!left || !right) return std::nullopt;
    if (left->is_number() && right->is_number()) {
      const double a = left->number(), b = right->number();
      if (comparison == "==") return a == b;
      if (comparison == "!=") return a != b;
      if (comparison == "<=") return a <= b;
      if (comparison == ">=") return a >= b;
      return comparison == "<" ? a < b : a > b;
    }
    const bool set = !left->is_null() && !right->is_null();
    if (comparison == "==") return set && *left == *right;
    return comparison == "!=" && !(set && *left == *right);
  }

  static std::optional<bool> contained(const std::optional<json::Value>& item,
                                       const std::optional<json::Value>& list) {
    if (!item || !list) return std::nullopt;
    return list->is_array() && std::ranges::find(list->array(), *item) != list->array().end();
  }

  // A quoted text, a name, or arithmetic up to the next comparison, connective or closing bracket.
  std::optional<json::Value> operand() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '\'') {
      const std::size_t end = text_.find('\'', at_ + 1);
      ROOFBEAM_CHECK(end != std::string_view::npos);
      const std::string_view text = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return json::Value(text);
    }
    const std::size_t start = at_;
    int depth = 0;
    while (at_ < text_.size() && !(depth == 0 && ends_operand())) {
      if (text_[at_] == '(') ++depth;
      if (text_[at_] == ')') --depth;
      ++at_;
    }
    const std::string_view text = trimmed(text_.substr(start, at_ - start));
    ROOFBEAM_CHECK(!text.empty());
    if (!is_identifier(text)) return values_.number(text);
    const NamedValue* named = values_.find(text);
    if (named != nullptr && named->faulty) return std::nullopt;
    return named != nullptr ? named->value : json::Value();
  }

  bool ends_operand() const {
    const std::string_view rest = text_.substr(at_);
    const char c = rest.front();
    if (c == ')' || c == '=' || c == '!' || c == '<' || c == '>') return true;
    return c == ' ' &&
           (starts_with_word(trimmed(rest), "and") || starts_with_word(trimmed(rest), "or") ||
            starts_with_word(trimmed(rest), "in"));
  }

  // Whether the bracket here encloses a condition of its own, rather than part of an expression:
  // then nothing, a connective or a closing bracket follows it.
  bool opens_condition() {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != '(') return false;
    const std::string_view rest = trimmed(text_.substr(closing_bracket() + 1));
    return rest.empty() || rest.front() == ')' || starts_with_word(rest, "and") ||
           starts_with_word(rest, "or");
  }

  // What the brackets here enclose.
  std::string_view group() {
    skip_spaces();
    const std::size_t end = closing_bracket();
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return inside;
  }

  std::size_t closing_bracket() const {
    int depth = 0;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '(') ++depth;
      if (text_[i] == ')' && --depth == 0) return i;
    }
    ROOFBEAM_CHECK(false && "a table's condition leaves a bracket open");
    return text_.size();
  }

  static bool starts_with_word(std::string_view text, std::string_view word) {
    return text.starts_with(word) &&
           (text.size() == word.size() || !is_name_byte(text[word.size()]));
  }

  bool take_word(std::string_view word) {
    skip_spaces();
    if (!starts_with_word(text_.substr(at_), word)) return false;
    at_ += word.size();
    return true;
  }

  bool take_sign(std::string_view sign) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  const Values& values_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<bool> holds(std::string_view condition, const Values& values) {
  return ConditionReader(condition, values).read();
}

bool is_true(const json::Value& value) {
  if (value.is_bool()) return value.boolean();
  if (value.is_number()) return value.number() != 0;
  if (value.is_string()) return !value.string().empty();
  if (value.is_array()) return !value.array().empty();
  return value.is_object() && !value.object().empty();
}

std::vector<std::string> mentioned_names(std::string_view text) {
  static constexpr std::array<std::string_view, 4> kWords{"and", "or", "not", "in"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\'') {
      i = std::min(text.find('\'', i + 1), text.size() - 1) + 1;
    } else if (is_name_byte(text[i])) {
      std::size_t end = i;
      while (end < text.size() && is_name_byte(text[end])) ++end;
      const std::string_view word = text.substr(i, end - i);
      const bool function = end < text.size() && text[end] == '(';
      if (is_identifier(word) && !function && std::ranges::find(kWords, word) == kWords.end() &&
          std::ranges::find(names, word) == names.end())
        names.emplace_back(word);
      i = end;
    } else {
      ++i;
    }
  }
  return names;
}

}  // namespace roofbeam
