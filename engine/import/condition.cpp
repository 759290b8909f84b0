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

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !is_name_byte(text[word.size()]));
}

// Longest first, so that "<=" is not read as "<".
constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<=", ">=", "<", ">"};

bool compared(const json::Value& left, std::string_view sign, const json::Value& right) {
  if (left.is_number() && right.is_number()) {
    const double a = left.number(), b = right.number();
    if (sign == "==") return a == b;
    if (sign == "!=") return a != b;
    if (sign == "<=") return a <= b;
    if (sign == ">=") return a >= b;
    return sign == "<" ? a < b : a > b;
  }
  const bool equal = !left.is_null() && left == right;
  if (sign == "==") return equal;
  return sign == "!=" && !equal;
}

bool contained(const json::Value& item, const json::Value& list) {
  return list.is_array() && std::ranges::find(list.array(), item) != list.array().end();
}

}  // namespace

class ConditionParser {
 public:
  ConditionParser(std::string_view text, std::vector<Condition::Node>& nodes)
      : text_(text), nodes_(nodes) {}

  std::size_t parse() {
    const std::size_t root = disjunction();
    skip_spaces();
    ROOFBEAM_CHECK(at_ == text_.size());
    return root;
  }

 private:
  using Node = Condition::Node;
  using Operand = Condition::Operand;

  std::size_t add(Node node) {
    nodes_.push_back(node);
    return nodes_.size() - 1;
  }

  std::size_t disjunction() {
    std::size_t left = conjunction();
    while (take("or")) {
      const std::size_t right = conjunction();
      left = add(
          {.kind = Node::Kind::either, .left = left, .right = right, .a = {}, .b = {}, .sign = {}});
    }
    return left;
  }

  std::size_t conjunction() {
    std::size_t left = negation();
    while (take("and")) {
      const std::size_t right = negation();
      left = add(
          {.kind = Node::Kind::both, .left = left, .right = right, .a = {}, .b = {}, .sign = {}});
    }
    return left;
  }

  std::size_t negation() {
    if (!take("not")) return atom();
    const std::size_t inner = negation();
    return add(
        {.kind = Node::Kind::negation, .left = inner, .right = 0, .a = {}, .b = {}, .sign = {}});
  }

  std::size_t atom() {
    Node node;
    if (take("given")) {
      node.kind = Node::Kind::given;
      node.a = {Operand::Kind::name, trimmed(group())};
      return add(node);
    }
    if (opens_condition()) return ConditionParser(group(), nodes_).parse();
    node.a = operand();
    for (const std::string_view sign : kComparisons)
      if (take_sign(sign)) {
        node.kind = Node::Kind::comparison;
        node.sign = sign;
        node.b = operand();
        return add(node);
      }
    if (take("in")) {
      node.kind = Node::Kind::member;
      node.b = operand();
    }
    return add(node);
  }

  // A quoted text, a name, or arithmetic up to the next comparison, connective or closing bracket.
  Operand operand() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '\'') {
      const std::size_t end = text_.find('\'', at_ + 1);
      ROOFBEAM_CHECK(end != std::string_view::npos);
      const std::string_view text = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return {Operand::Kind::text, text};
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
    return {is_identifier(text) ? Operand::Kind::name : Operand::Kind::arithmetic, text};
  }

  bool ends_operand() const {
    const char c = text_[at_];
    if (c == ')' || c == '=' || c == '!' || c == '<' || c == '>') return true;
    if (c != ' ') return false;
    const std::string_view rest = trimmed(text_.substr(at_));
    return starts_with_word(rest, "and") || starts_with_word(rest, "or") ||
           starts_with_word(rest, "in");
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

  bool take(std::string_view word) {
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
  std::vector<Condition::Node>& nodes_;
  std::size_t at_ = 0;
};

Condition::Condition(std::string_view text) { root_ = ConditionParser(text, nodes_).parse(); }

std::optional<bool> Condition::holds(const Values& values) const {
  return holds(nodes_[root_], values);
}

std::optional<bool> Condition::holds(const Node& node, const Values& values) const {
  switch (node.kind) {
    case Node::Kind::either:
    case Node::Kind::both: {
      const bool deciding = node.kind == Node::Kind::either;
      const std::optional<bool> left = holds(nodes_[node.left], values);
      if (left == deciding) return deciding;
      const std::optional<bool> right = holds(nodes_[node.right], values);
      if (right == deciding) return deciding;
      return left && right ? std::optional(!deciding) : std::nullopt;
    }
    case Node::Kind::negation: {
      const std::optional<bool> inner = holds(nodes_[node.left], values);
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    case Node::Kind::given: {
      const NamedValue* named = values.find(node.a.text);
      return named != nullptr && named->given;
    }
    case Node::Kind::truth: {
      const std::optional<json::Value> value = value_of(node.a, values);
      return value ? std::optional(is_true(*value)) : std::nullopt;
    }
    case Node::Kind::comparison:
    case Node::Kind::member: {
      const std::optional<json::Value> a = value_of(node.a, values);
      const std::optional<json::Value> b = value_of(node.b, values);
      if (!a || !b) return std::nullopt;
      return node.kind == Node::Kind::member ? contained(*a, *b) : compared(*a, node.sign, *b);
    }
  }
  return std::nullopt;
}

std::optional<json::Value> Condition::value_of(const Operand& operand, const Values& values) {
  switch (operand.kind) {
    case Operand::Kind::text:
      return json::Value(operand.text);
    case Operand::Kind::arithmetic:
      return values.number(operand.text);
    case Operand::Kind::name:
      break;
  }
  const NamedValue* named = values.find(operand.text);
  if (named == nullptr) return json::Value();
  return named->faulty ? std::nullopt : std::optional(named->value);
}

std::optional<bool> holds(std::string_view condition, const Values& values) {
  return Condition(condition).holds(values);
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
