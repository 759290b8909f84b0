// Any bytes are an expression, a pattern, a mask and a score, or are refused with diagnostics fit
// to show. What is accepted means what a naive evaluator makes of it, and survives being printed.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "engine/algebra/attention_mask.h"
#include "engine/algebra/pattern.h"
#include "engine/base/check.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

Scope example_scope() {
  Scope scope;
  scope.declare("B", 3, SymbolKind::runtime);
  scope.declare("T", 7, SymbolKind::runtime);
  scope.declare("D", 12, SymbolKind::design);
  scope.declare("H", 4, SymbolKind::design);
  scope.declare("x", 0.5, SymbolKind::design);
  scope.declare("bad", std::nan(""), SymbolKind::design);
  return scope;
}

void check_problems(const Diagnostics& problems, std::string_view prefix) {
  ROOFBEAM_CHECK(!problems.empty() && problems.size() < 64);
  for (const Diagnostic& problem : problems) {
    ROOFBEAM_CHECK(problem.code.starts_with(prefix) && !problem.message.empty());
    ROOFBEAM_CHECK(problem.message.size() < 1000 && problem.hint.size() < 1000);
    for (std::string_view rest = problem.message; !rest.empty();) {
      const std::size_t length = utf8_length(rest);
      ROOFBEAM_CHECK(length > 0 && rest.front() != '\n');
      rest.remove_prefix(length);
    }
  }
}

// Doubles with a bound on their error, by the shortest recursive descent there is. Nothing where a
// comparison would be unfair (functions with jumps, division by what may be zero) or the text is
// wrong in any way.
class NaiveEvaluator {
 public:
  struct Value {
    double value;
    double error;
  };

  NaiveEvaluator(std::string_view text, const Scope& scope) : text_(text), scope_(scope) {}

  std::optional<Value> evaluate() {
    const std::optional<Value> value = sum();
    return position_ == text_.size() ? value : std::nullopt;
  }

 private:
  static std::optional<Value> made(double value, double error) {
    return Value{value, error + 1e-12 * std::max(1.0, std::abs(value))};
  }

  char peek() {
    while (position_ < text_.size() &&
           std::string_view(" \t\n\r").find(text_[position_]) != std::string_view::npos) {
      ++position_;
    }
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  std::optional<Value> sum() {
    std::optional<Value> left = product();
    while (left && (peek() == '+' || peek() == '-')) {
      const double sign = text_[position_++] == '+' ? 1 : -1;
      const std::optional<Value> right = product();
      if (!right) return right;
      left = made(left->value + sign * right->value, left->error + right->error);
    }
    return left;
  }

  std::optional<Value> product() {
    std::optional<Value> left = negation();
    while (left && (peek() == '*' || peek() == '/')) {
      const bool times = text_[position_++] == '*';
      const std::optional<Value> right = negation();
      if (!right) return right;
      left = times ? multiplied(*left, *right) : divided(*left, *right);
    }
    return left;
  }

  std::optional<Value> negation() {
    if (peek() != '-') return power();
    ++position_;
    const std::optional<Value> value = negation();
    return value ? std::optional(Value{-value->value, value->error}) : value;
  }

  std::optional<Value> power() {
    const std::optional<Value> base = primary();
    if (!base || peek() != '^') return base;
    ++position_;
    const std::optional<Value> exponent = negation();
    if (!exponent || exponent->value != std::floor(exponent->value) || exponent->value > 64) {
      return std::nullopt;
    }
    std::optional<Value> result = Value{1, 0};
    for (double i = 0; i < exponent->value; ++i) result = multiplied(*result, *base);
    return result;
  }

  std::optional<Value> primary() {
    const char first = peek();
    if (first == '(') {
      ++position_;
      const std::optional<Value> value = ++depth_ > 100 ? std::nullopt : sum();
      --depth_;
      return value && peek() == ')' && ++position_ > 0 ? value : std::nullopt;
    }
    std::string word;
    const auto is_part = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             c == '_' || c == '.';
    };
    while (position_ < text_.size() && is_part(text_[position_])) word += text_[position_++];
    if (word.empty() || peek() == '(') return std::nullopt;
    if (is_identifier(word)) {
      const std::optional<SymbolId> id = scope_.find(word);
      return id ? std::optional(Value{scope_.value(*id), 0}) : std::nullopt;
    }
    // Plain digits and points only: other spellings are compared elsewhere.
    if (word.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
    return made(std::strtod(word.c_str(), nullptr), 0);
  }

  static std::optional<Value> multiplied(Value a, Value b) {
    return made(a.value * b.value,
                std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error);
  }

  static std::optional<Value> divided(Value a, Value b) {
    const double least = std::abs(b.value) - b.error;
    if (!(least > 1e-3)) return std::nullopt;
    const double quotient = a.value / b.value;
    return made(quotient, (a.error + std::abs(quotient) * b.error) / least);
  }

  std::string_view text_;
  const Scope& scope_;
  std::size_t position_ = 0;
  int depth_ = 0;
};

void check_expression(std::string_view source, const Scope& scope) {
  const Result<Polynomial> value = evaluate_expression(source, scope);
  const Result<std::vector<std::string>> names = names_in(source);
  if (!names) {
    check_problems(names.errors(), "expression.");
    ROOFBEAM_CHECK(!value);  // a text that cannot be read has no value
  }
  if (!value) return check_problems(value.errors(), "expression.");

  const std::string printed = text(*value, scope);
  const Result<Polynomial> again = evaluate_expression(printed, scope);
  // Printed sums may be longer than what is read, never different.
  ROOFBEAM_CHECK(again ? *again == *value : again.errors().front().code == "expression.too_large");
  if (source.size() + 2 < kMaxExpressionBytes) {
    const Result<Polynomial> operand = evaluate_expression(parenthesised_if_needed(source), scope);
    ROOFBEAM_CHECK(operand ? *operand == *value
                           : operand.errors().front().code == "expression.too_deep");
  }
  const std::optional<NaiveEvaluator::Value> naive = NaiveEvaluator(source, scope).evaluate();
  const double number = evaluated(*value, scope);
  if (!naive || !std::isfinite(naive->error) || !std::isfinite(number)) return;
  double magnitude = 0;
  for (const Term& term : value->terms()) {
    double part = std::abs(term.coefficient.value());
    for (const Power& factor : term.powers) {
      part *= std::pow(scope.value(factor.symbol), factor.exponent);
    }
    magnitude += part;
  }
  ROOFBEAM_CHECK(std::abs(number - naive->value) <= 4 * naive->error + 1e-11 * magnitude);
}

void check_pattern(std::string_view source, const Scope& scope) {
  const Result<Pattern> pattern = parse_pattern(source);
  if (!pattern) return check_problems(pattern.errors(), "pattern.");
  const SymbolicShape batch = {Polynomial::symbol(0)};
  const Result<SymbolicShape> shape = instantiate(*pattern, scope, {}, batch);
  if (!shape) return check_problems(shape.errors(), "expression.");
  const Result<PatternMatch> found = match(*pattern, *shape, scope);
  ROOFBEAM_CHECK(found && found->mismatches.empty());
}

void check_attention(std::string_view source, const Scope& scope) {
  const AttentionContext context{scope, 4};
  const Result<std::vector<std::string>> tables = tables_in(source);
  if (!tables) check_problems(tables.errors(), "attention.");
  const Result<Score> score = parse_score(source, context);
  if (score) {
    ROOFBEAM_CHECK(tables && *tables == score->expression.tables);
    const Result<Score> again = parse_score(score->expression.text, context);
    ROOFBEAM_CHECK(again && again->expression.text == score->expression.text);
    ROOFBEAM_CHECK(cost(again->expression) == cost(score->expression));
  } else {
    check_problems(score.errors(), "attention.");
  }
  const Result<Mask> mask = parse_mask(source, context);
  if (!mask) return check_problems(mask.errors(), "attention.");
  ROOFBEAM_CHECK(!score);  // no expression is both
  const Result<Mask> again = parse_mask(mask->expression.text, context);
  ROOFBEAM_CHECK(again && again->expression.text == mask->expression.text);
  const AttentionExtent extent{.length = 40, .causal = false, .heads = 2, .batch = 2};
  const double share = kept_share(*mask, extent);
  ROOFBEAM_CHECK(share >= 0 && share <= 1);
  MaskEvaluator evaluator(*mask);
  evaluator.set_row(0, 1);
  for (const std::int64_t first : {0, 8, 21}) {
    evaluator.set_queries(first, first + 5);
    const Kept kept = evaluator.kept(3, 11);
    for (std::int64_t query = first; query <= first + 5 && kept != Kept::some; ++query) {
      evaluator.set_query(query);
      for (std::int64_t key = 3; key <= 11; ++key) {
        ROOFBEAM_CHECK(evaluator.keeps(key) == (kept == Kept::all));
      }
    }
  }
}

}  // namespace
}  // namespace roofbeam

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const roofbeam::Scope scope = roofbeam::example_scope();
  roofbeam::check_expression(text, scope);
  roofbeam::check_pattern(text, scope);
  roofbeam::check_attention(text, scope);
  return 0;
}
