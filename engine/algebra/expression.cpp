#include "engine/algebra/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "engine/algebra/lexical.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

// Terms that the additions and multiplications of one expression may visit together: some
// milliseconds of work.
constexpr std::size_t kMaxWork = 1u << 16;

// Problems of one expression beyond this many are not told.
constexpr std::size_t kMaxProblems = 16;

// An exponent beyond this is refused before anything is raised to it.
constexpr double kMaxExponent = 4096;

constexpr std::array<std::string_view, 11> kFunctions = {
    "floor", "ceil", "round",     "abs",        "sqrt",      "log2",
    "min",   "max",  "ceil_mult", "floor_mult", "round_mult"};

Diagnostic too_large() {
  return {"expression.too_large", "",
          "the expression grows beyond " + std::to_string(kMaxTerms) + " terms, degree " +
              std::to_string(kMaxDegree) + " or " + std::to_string(PowerList::kCapacity) +
              " symbols in one term",
          ""};
}

Diagnostic overflow() {
  return {"expression.overflow", "",
          "a number of the expression does not fit a fraction of 64-bit integers", ""};
}

struct ArgumentRange {
  std::size_t least;
  std::size_t most;
};

std::optional<ArgumentRange> arguments_of(std::string_view function) {
  const auto found = std::ranges::find(kFunctions, function);
  if (found == kFunctions.end()) return std::nullopt;
  const auto index = found - kFunctions.begin();
  if (index < 6) return ArgumentRange{1, 1};
  if (index < 8) return ArgumentRange{2, std::numeric_limits<std::size_t>::max()};
  return ArgumentRange{2, 2};
}

// The value of a known function. Rounding to multiples of zero gives NaN.
double applied(std::string_view function, std::span<const double> arguments) {
  const double first = arguments[0];
  if (function == "floor") return std::floor(first);
  if (function == "ceil") return std::ceil(first);
  if (function == "round") return round_half_up(first);
  if (function == "abs") return std::abs(first);
  if (function == "sqrt") return std::sqrt(first);
  if (function == "log2") return std::log2(first);
  if (function == "min") return *std::ranges::min_element(arguments);
  if (function == "max") return *std::ranges::max_element(arguments);
  const double multiple = arguments[1];
  const double ratio = first / multiple;
  if (function == "ceil_mult") return std::ceil(ratio) * multiple;
  if (function == "floor_mult") return std::floor(ratio) * multiple;
  return round_half_up(ratio) * multiple;
}

// Exact up to twelve places, as rational_of is.
std::optional<Rational> exact_value(std::string_view number) {
  const lexical::Decimal decimal = lexical::decimal_of(number);
  if (decimal.mantissa == 0) return Rational();
  if (decimal.places > 12) return rational_of(lexical::value_of(decimal));
  if (decimal.places < -18) return std::nullopt;
  std::int64_t scale = 1;
  for (std::int64_t p = std::abs(decimal.places); p > 0; --p) scale *= 10;
  return decimal.places > 0 ? Rational::of(decimal.mantissa, scale)
                            : product(Rational(decimal.mantissa), Rational(scale));
}

// Names of symbols collected, nothing evaluated. What Evaluation does with values, this does with
// nothing at all: both are driven by the one Parser below.
class Collection {
 public:
  struct Value {};

  Value number(std::string_view, std::size_t) { return {}; }
  Value name(std::string_view name) {
    if (std::ranges::find(names_, name) == names_.end()) names_.emplace_back(name);
    return {};
  }
  Value negated(Value) { return {}; }
  Value combined(char, Value, Value) { return {}; }
  Value call(std::string_view, std::vector<Value>) { return {}; }
  [[nodiscard]] bool takes_references() const { return false; }

  std::vector<std::string> names_;
  Diagnostics problems_;
};

// Values as polynomials. A wrong operand is noted once; what is computed from it is marked as
// failed and noted no further, so that reading goes on to the next mistake.
class Evaluation {
 public:
  struct Value {
    Polynomial polynomial;
    bool failed = false;
  };

  Evaluation(const Scope& scope, std::span<const Binding> bindings)
      : scope_(scope), bindings_(bindings) {}

  [[nodiscard]] bool takes_references() const {
    return !bindings_.empty() && bindings_.front().name.starts_with('$');
  }

  Value number(std::string_view digits, std::size_t position) {
    if (const std::optional<Rational> value = exact_value(digits)) return {Polynomial(*value)};
    return failure("expression.overflow", "the number " + quoted(digits) + " at position " +
                                              std::to_string(position) +
                                              " does not fit a fraction of 64-bit integers");
  }

  Value name(std::string_view name) {
    for (const Binding& binding : bindings_) {
      if (binding.name == name) return {*binding.value};
    }
    if (const std::optional<SymbolId> id = scope_.find(name)) return {Polynomial::symbol(*id)};
    if (problems_.size() >= kMaxProblems) return {{}, true};
    std::vector<std::string_view> known;
    if (scope_.size() <= lexical::kMaxHintedNames) known = scope_.names();
    for (const Binding& binding : bindings_) known.push_back(binding.name);
    return failure("expression.unknown_symbol", "unknown symbol " + quoted(name),
                   closest_hint(name, known));
  }

  Value negated(const Value& value) {
    if (value.failed) return value;
    // Cannot fail: every coefficient has an opposite.
    return {*product(value.polynomial, Polynomial(Rational(-1)))};
  }

  Value combined(char op, const Value& a, const Value& b) {
    if (a.failed || b.failed) return {{}, true};
    switch (op) {
      case '+':
      case '-': {
        const std::size_t work = a.polynomial.terms().size() + b.polynomial.terms().size();
        if (!affordable(work)) return failure(too_large());
        const bool plus = op == '+';
        return held(plus ? sum(a.polynomial, b.polynomial) : difference(a.polynomial, b.polynomial),
                    work > kMaxTerms);
      }
      case '*':
        return times(a.polynomial, b.polynomial);
      case '/':
        return divided(a.polynomial, b.polynomial);
      default:
        return raised(a.polynomial, b.polynomial);
    }
  }

  Value call(std::string_view function, const std::vector<Value>& arguments) {
    const std::optional<ArgumentRange> range = arguments_of(function);
    if (!range) {
      return failure("expression.unknown_function", "unknown function " + quoted(function),
                     closest_hint(function, kFunctions));
    }
    if (arguments.size() < range->least || arguments.size() > range->most) {
      const std::string wanted = range->least == range->most
                                     ? std::to_string(range->least)
                                     : std::to_string(range->least) + " or more";
      return failure("expression.argument_count", "wrong argument count: " + std::string(function) +
                                                      " takes " + wanted + ", found " +
                                                      std::to_string(arguments.size()));
    }
    std::vector<double> numbers;
    numbers.reserve(arguments.size());
    for (const Value& argument : arguments) {
      if (argument.failed) return argument;
      numbers.push_back(evaluated(argument.polynomial, scope_));
    }
    if (function.ends_with("_mult") && numbers[1] == 0) {
      return failure("expression.division_by_zero",
                     "division by zero: " + std::string(function) + " of a multiple of 0");
    }
    return of_number(applied(function, numbers),
                     std::string(function) + " of " + shortest(numbers[0]));
  }

  Diagnostics problems_;

 private:
  Value failure(std::string code, std::string message, std::string hint = "") {
    return failure(Diagnostic{std::move(code), "", std::move(message), std::move(hint)});
  }
  // Notes a problem, once however often it occurs.
  Value failure(Diagnostic problem) {
    if (problems_.size() < kMaxProblems &&
        std::ranges::find(problems_, problem) == problems_.end()) {
      problems_.push_back(std::move(problem));
    }
    return {{}, true};
  }
  Value held(std::optional<Polynomial> result, bool large) {
    if (result) return {std::move(*result)};
    return failure(large ? too_large() : overflow());
  }
  Value of_number(double value, const std::string& what) {
    if (!std::isfinite(value)) {
      return failure("expression.not_finite", what + " is not a finite number");
    }
    const std::optional<Rational> fraction = rational_of(value);
    if (!fraction) return failure(overflow());
    return {Polynomial(*fraction)};
  }

  bool affordable(std::size_t work) {
    work_ += std::min(work, kMaxWork);
    return work_ <= kMaxWork;
  }

  Value times(const Polynomial& a, const Polynomial& b) {
    if (!affordable(a.terms().size() * b.terms().size())) return failure(too_large());
    Result<Polynomial> result = checked_product(a, b);
    if (result) return {*std::move(result)};
    return failure(result.errors().front());
  }

  Value divided(const Polynomial& a, const Polynomial& b) {
    if (b.is_zero()) return failure("expression.division_by_zero", "division by zero");
    if (!affordable(a.terms().size())) return failure(too_large());
    if (std::optional<Polynomial> exact = quotient(a, b)) return {std::move(*exact)};
    const double numerator = evaluated(a, scope_);
    const double denominator = evaluated(b, scope_);
    if (denominator == 0) {
      return failure("expression.division_by_zero",
                     "division by zero: " + text(b, scope_) + " is 0");
    }
    return of_number(numerator / denominator, "a quotient");
  }

  Value raised(const Polynomial& base, const Polynomial& exponent) {
    const double n = evaluated(exponent, scope_);
    if (!(n >= 0) || n != std::floor(n)) {
      return failure("expression.exponent",
                     "the exponent must be a non-negative integer, found " + shortest(n));
    }
    const bool symbolic = !base.as_constant();
    if (n > kMaxExponent || (symbolic && n * base.degree() > kMaxDegree))
      return failure(too_large());
    if (base.terms().size() <= 1) {
      return held(power(base, static_cast<std::uint32_t>(n)), false);
    }
    Value result{Polynomial(Rational(1))};
    for (double i = 0; i < n && !result.failed; ++i) result = times(result.polynomial, base);
    return result;
  }

  const Scope& scope_;
  std::span<const Binding> bindings_;
  std::size_t work_ = 0;
};

// Precedence climbing. The first syntax error ends the reading.
template <class Actions>
class Parser {
 public:
  using Value = typename Actions::Value;

  Parser(std::string_view text, Actions& actions) : text_(text), actions_(actions) {}

  Value parse() {
    if (text_.size() > kMaxExpressionBytes) {
      stop("expression.too_large", "the expression has " + std::to_string(text_.size()) +
                                       " bytes, at most " + std::to_string(kMaxExpressionBytes) +
                                       " are read");
      return {};
    }
    Value value = operation(kSum);
    if (!stopped_ && !at_end()) unexpected("an operator");
    return value;
  }

 private:
  static constexpr int kSum = 1;
  static constexpr int kProduct = 2;

  static int precedence(char op) {
    return op == '+' || op == '-' ? kSum : op == '*' || op == '/' ? kProduct : 0;
  }

  Value operation(int least) {
    Value left = signed_power();
    while (!stopped_ && !at_end()) {
      const char op = text_[position_];
      if (precedence(op) < least) break;
      ++position_;
      Value right = precedence(op) == kSum ? operation(kProduct) : signed_power();
      if (stopped_) break;
      left = actions_.combined(op, std::move(left), std::move(right));
    }
    return left;
  }

  // -D^2 is -(D^2).
  Value signed_power() {
    bool negative = false;
    while (!at_end() && text_[position_] == '-') {
      negative = !negative;
      ++position_;
    }
    Value value = primary();
    if (!stopped_ && !at_end() && text_[position_] == '^') {
      ++position_;
      if (!enter()) return {};
      Value exponent = signed_power();
      --depth_;
      if (stopped_) return {};
      value = actions_.combined('^', std::move(value), std::move(exponent));
    }
    return negative && !stopped_ ? actions_.negated(std::move(value)) : value;
  }

  Value primary() {
    if (at_end()) return unexpected("a number, a name or \"(\"");
    const std::size_t start = position_;
    const char c = text_[position_];
    if (lexical::at_number(text_, position_)) {
      position_ = lexical::number_end(text_, position_);
      return actions_.number(text_.substr(start, position_ - start), start);
    }
    // "$heads": a composite's argument, where such names are bound.
    const bool reference = c == '$' && position_ + 1 < text_.size() &&
                           lexical::is_name_start(text_[position_ + 1]) &&
                           actions_.takes_references();
    if (lexical::is_name_start(c) || reference) {
      position_ = lexical::name_end(text_, position_ + (reference ? 1 : 0));
      const std::string_view name = text_.substr(start, position_ - start);
      if (at_end() || text_[position_] != '(') return actions_.name(name);
      return call(name);
    }
    if (c != '(') return unexpected("a number, a name or \"(\"");
    ++position_;
    if (!enter()) return {};
    Value value = operation(kSum);
    --depth_;
    if (!stopped_) expect(')');
    return value;
  }

  Value call(std::string_view name) {
    ++position_;
    if (!enter()) return {};
    std::vector<Value> arguments;
    if (at_end() || text_[position_] != ')') {
      for (;;) {
        arguments.push_back(operation(kSum));
        if (stopped_ || at_end() || text_[position_] != ',') break;
        ++position_;
      }
    }
    --depth_;
    if (stopped_ || !expect(')')) return {};
    return actions_.call(name, std::move(arguments));
  }

  bool at_end() {
    position_ = lexical::space_end(text_, position_);
    return position_ == text_.size();
  }

  bool enter() {
    if (++depth_ <= kMaxExpressionDepth) return true;
    stop("expression.too_deep", "more than " + std::to_string(kMaxExpressionDepth) +
                                    " levels of nesting at position " + std::to_string(position_));
    return false;
  }

  bool expect(char wanted) {
    if (!at_end() && text_[position_] == wanted) {
      ++position_;
      return true;
    }
    unexpected(std::string("an operator or \"") + wanted + "\"");
    return false;
  }

  Value unexpected(const std::string& wanted) {
    if (at_end()) {
      stop("expression.unexpected_end",
           "unexpected end at position " + std::to_string(position_) + ", wanted " + wanted);
    } else {
      stop("expression.unexpected_character",
           "unexpected character at position " + std::to_string(position_) + ": found " +
               quoted(lexical::character_at(text_, position_)) + ", wanted " + wanted);
    }
    return {};
  }

  void stop(std::string code, std::string message) {
    stopped_ = true;
    actions_.problems_.push_back({std::move(code), "", std::move(message), ""});
  }

  std::string_view text_;
  Actions& actions_;
  std::size_t position_ = 0;
  int depth_ = 0;
  bool stopped_ = false;
};

}  // namespace

Result<Polynomial> evaluate_expression(std::string_view text, const Scope& scope,
                                       std::span<const Binding> bindings) {
  Evaluation evaluation(scope, bindings);
  Evaluation::Value value = Parser(text, evaluation).parse();
  if (!evaluation.problems_.empty()) return std::move(evaluation.problems_);
  return std::move(value.polynomial);
}

Result<std::vector<std::string>> names_in(std::string_view text) {
  Collection collection;
  Parser(text, collection).parse();
  if (!collection.problems_.empty()) return std::move(collection.problems_);
  return std::move(collection.names_);
}

std::string parenthesised_if_needed(std::string_view expression) {
  const std::string_view bare = trimmed(expression);
  if (is_identifier(bare)) return std::string(bare);
  const auto number_part = [](char c) { return lexical::is_digit(c) || c == '_' || c == '.'; };
  if (!bare.empty() && lexical::is_digit(bare.front()) && std::ranges::all_of(bare, number_part)) {
    return std::string(bare);
  }
  // Wholly in parentheses: the first one closes at the very end.
  if (bare.starts_with('(')) {
    int depth = 0;
    for (std::size_t i = 0; i < bare.size(); ++i) {
      depth += bare[i] == '(' ? 1 : bare[i] == ')' ? -1 : 0;
      if (depth == 0) {
        if (i + 1 == bare.size()) return std::string(bare);
        break;
      }
    }
  }
  return "(" + std::string(bare) + ")";
}

Result<Polynomial> checked_product(const Polynomial& a, const Polynomial& b) {
  if (std::optional<Polynomial> result = product(a, b)) return std::move(*result);
  std::size_t symbols = 0;
  for (const Polynomial* factor : {&a, &b}) {
    std::size_t most = 0;
    for (const Term& term : factor->terms()) most = std::max(most, term.powers.size());
    symbols += most;
  }
  const bool large = a.terms().size() * b.terms().size() > kMaxTerms ||
                     a.degree() + b.degree() > kMaxDegree || symbols > PowerList::kCapacity;
  return large ? too_large() : overflow();
}

}  // namespace roofbeam
