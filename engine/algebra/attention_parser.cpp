#include "engine/algebra/attention_parser.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "engine/algebra/lexical.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

// Structural limits, so that hostile text costs a bounded time. Real expressions have 30 nodes.
constexpr std::size_t kMaxBytes = 16u << 10;
constexpr std::size_t kMaxNodes = 1024;
constexpr int kMaxDepth = 100;
constexpr std::size_t kMaxProblems = 16;

// How tightly operators bind.
enum Level : int {
  kOr = 1,
  kAnd,
  kNot,
  kComparison,
  kSum,
  kProduct,
  kNegation,
  kPower,
};

struct Operator {
  std::string_view spelling;
  AttentionOp op;
  int level;
};

// Longer spellings before their beginnings.
constexpr Operator kOperators[] = {
    {"||", AttentionOp::logical_or, kOr},
    {"or", AttentionOp::logical_or, kOr},
    {"&&", AttentionOp::logical_and, kAnd},
    {"and", AttentionOp::logical_and, kAnd},
    {"<=", AttentionOp::less_equal, kComparison},
    {">=", AttentionOp::greater_equal, kComparison},
    {"==", AttentionOp::equal, kComparison},
    {"!=", AttentionOp::not_equal, kComparison},
    {"<", AttentionOp::less, kComparison},
    {">", AttentionOp::greater, kComparison},
    {"+", AttentionOp::add, kSum},
    {"-", AttentionOp::subtract, kSum},
    {"**", AttentionOp::power, kPower},
    {"*", AttentionOp::multiply, kProduct},
    {"/", AttentionOp::divide, kProduct},
    {"%", AttentionOp::modulo, kProduct},
};

struct Function {
  std::string_view name;
  AttentionOp op;
  std::size_t least;
  std::size_t most;
};

constexpr Function kFunctions[] = {
    {"tanh", AttentionOp::tanh, 1, 1},
    {"exp", AttentionOp::exp, 1, 1},
    {"log", AttentionOp::log, 1, 1},
    {"sqrt", AttentionOp::sqrt, 1, 1},
    {"abs", AttentionOp::abs, 1, 1},
    {"floor", AttentionOp::floor, 1, 1},
    {"min", AttentionOp::minimum, 2, std::numeric_limits<std::size_t>::max()},
    {"max", AttentionOp::maximum, 2, std::numeric_limits<std::size_t>::max()},
    {"where", AttentionOp::where, 3, 3},
    {"t5_bucket", AttentionOp::t5_bucket, 4, 4},
};

struct Variable {
  std::string_view name;
  AttentionOp op;
};

constexpr Variable kVariables[] = {
    {"q", AttentionOp::query},      {"kv", AttentionOp::key},        {"h", AttentionOp::head},
    {"b", AttentionOp::batch},      {"heads", AttentionOp::heads},   {"score", AttentionOp::score},
    {"true", AttentionOp::boolean}, {"false", AttentionOp::boolean},
};

bool is_comparison(AttentionOp op) {
  return op >= AttentionOp::less && op <= AttentionOp::not_equal;
}

// A part read: its node and type.
struct Part {
  std::uint16_t node = 0;
  AttentionType type = AttentionType::failed;
};

class Reading {
 public:
  Reading(std::string_view text, const AttentionContext* context)
      : text_(text), context_(context) {}

  AttentionTree read() {
    if (text_.size() > kMaxBytes) {
      stop("attention.too_large", "the expression has " + std::to_string(text_.size()) +
                                      " bytes, at most " + std::to_string(kMaxBytes) + " are read");
      return std::move(tree_);
    }
    const Part root = operation(kOr);
    if (!stopped() && !at_end()) unexpected("an operator");
    tree_.type = stopped() ? AttentionType::failed : root.type;
    return std::move(tree_);
  }

 private:
  // --- Text ---

  bool at_end() {
    position_ = lexical::space_end(text_, position_);
    return position_ == text_.size();
  }

  // The word or sign at the position, if it is this one.
  bool sees(std::string_view spelling) {
    if (at_end() || !text_.substr(position_).starts_with(spelling)) return false;
    const std::size_t end = position_ + spelling.size();
    const bool word = lexical::is_name_start(spelling.front());
    return !word || end == text_.size() || !lexical::is_name_part(text_[end]);
  }

  bool accept(std::string_view spelling) {
    if (!sees(spelling)) return false;
    position_ += spelling.size();
    return true;
  }

  const Operator* operator_ahead() {
    for (const Operator& candidate : kOperators) {
      if (sees(candidate.spelling)) return &candidate;
    }
    return nullptr;
  }

  bool negation_ahead() { return sees("not") || (sees("!") && !sees("!=")); }

  // --- Grammar ---

  Part operation(int least) {
    if (!enter()) return {};
    Part left = least <= kNot && negation_ahead() ? negation() : operand();
    while (!stopped()) {
      const Operator* op = operator_ahead();
      // Powers are read with their bases.
      if (op == nullptr || op->level < least || op->level == kPower) break;
      const std::size_t start = position_;
      position_ += op->spelling.size();
      const Part right = operation(op->level + 1);
      if (stopped()) break;
      left = binary(*op, left, right, start);
      if (op->level == kComparison) {
        const Operator* next = operator_ahead();
        if (next != nullptr && next->level == kComparison) {
          stop("attention.chained_comparison",
               "a comparison of a comparison at position " + std::to_string(position_),
               "join two comparisons with `and`");
        }
      }
    }
    --depth_;
    return left;
  }

  Part negation() {
    const std::size_t start = position_;
    if (!accept("not")) accept("!");
    const Part operand = operation(kNot);
    if (stopped()) return {};
    return made(AttentionOp::logical_not, {&operand, 1},
                wants(operand, AttentionType::boolean, "not", start), AttentionType::boolean);
  }

  // Unary minus binds less tightly than the power to its right: -x ** 2 is -(x ** 2).
  Part operand() {
    if (sees("-")) {
      const std::size_t start = position_++;
      const Part operand = nested_operand();
      if (stopped()) return {};
      return made(AttentionOp::negate, {&operand, 1},
                  wants(operand, AttentionType::number, "unary minus", start),
                  AttentionType::number);
    }
    const Part base = primary();
    if (stopped() || !sees("**")) return base;
    const std::size_t start = position_;
    position_ += 2;
    const Part exponent = nested_operand();
    if (stopped()) return {};
    return binary({"**", AttentionOp::power, kPower}, base, exponent, start);
  }

  Part nested_operand() {
    if (!enter()) return {};
    const Part part = operand();
    --depth_;
    return part;
  }

  Part primary() {
    if (at_end()) return unexpected("a number, a name or \"(\"");
    const std::size_t start = position_;
    if (lexical::at_number(text_, position_)) {
      position_ = lexical::number_end(text_, position_);
      const std::string_view digits = text_.substr(start, position_ - start);
      return leaf(
          {.op = AttentionOp::number, .value = lexical::value_of(lexical::decimal_of(digits))});
    }
    if (accept("(")) {
      const Part part = operation(kOr);
      if (!stopped()) expect(")");
      return part;
    }
    const bool keyword = sees("not") || sees("and") || sees("or");
    if (keyword || !lexical::is_name_start(text_[position_])) {
      return unexpected("a number, a name or \"(\"");
    }
    position_ = lexical::name_end(text_, position_);
    const std::string_view name = text_.substr(start, position_ - start);
    return accept("(") ? call(name, start) : variable(name, start);
  }

  Part call(std::string_view name, std::size_t start) {
    const auto function = std::ranges::find(kFunctions, name, &Function::name);
    const bool known = function != std::end(kFunctions);
    const bool variable =
        std::ranges::find(kVariables, name, &Variable::name) != std::end(kVariables);
    // Named before its indices are read, so that tables stand in order of first appearance.
    const std::uint16_t index = known || variable ? 0 : index_of(tree_.expression.tables, name);
    std::vector<Part> arguments;
    if (!sees(")")) {
      do {
        arguments.push_back(operation(kOr));
        if (stopped()) return {};
      } while (accept(","));
    }
    if (!expect(")")) return {};
    if (known) return applied(*function, arguments, start);
    if (variable) {
      return problem("attention.type", quoted(name) + at(start) + " is neither function nor table");
    }
    return table(name, index, arguments, start);
  }

  // --- Meaning ---

  Part variable(std::string_view name, std::size_t start) {
    const auto known = std::ranges::find(kVariables, name, &Variable::name);
    if (known != std::end(kVariables)) {
      AttentionNode node{.op = known->op};
      if (node.op == AttentionOp::boolean) {
        node.is_boolean = true;
        node.value = name == "true" ? 1 : 0;
      } else if (node.op == AttentionOp::heads && context_ != nullptr) {
        node.value = context_->heads;
      }
      return leaf(node);
    }
    if (context_ == nullptr) return leaf({.op = AttentionOp::number});
    const Scope& scope = context_->scope;
    const std::optional<SymbolId> id = scope.find(name);
    if (id && !scope.is_runtime(*id)) {
      return leaf({.op = AttentionOp::symbol,
                   .value = scope.value(*id),
                   .name = index_of(tree_.expression.symbols, name)});
    }
    if (id) {
      return problem("attention.unknown_name",
                     quoted(name) + at(start) + " is known only at run time",
                     "expressions see positions, heads and the design's own symbols");
    }
    std::vector<std::string_view> candidates;
    for (const Variable& candidate : kVariables) candidates.push_back(candidate.name);
    if (scope.size() <= lexical::kMaxHintedNames) {
      for (const std::string_view symbol : scope.names()) {
        if (!scope.is_runtime(*scope.find(symbol))) candidates.push_back(symbol);
      }
    }
    return problem("attention.unknown_name", "unknown name " + quoted(name) + at(start),
                   closest_hint(name, candidates));
  }

  Part binary(const Operator& op, Part a, Part b, std::size_t start) {
    const Part operands[] = {a, b};
    const std::string name = quoted(op.spelling);
    if (op.op == AttentionOp::equal || op.op == AttentionOp::not_equal) {
      const bool failed = a.type == AttentionType::failed || b.type == AttentionType::failed;
      if (!failed && a.type != b.type) {
        return problem("attention.type", name + at(start) + " compares a number with a condition");
      }
      return made(op.op, operands, !failed, AttentionType::boolean);
    }
    const bool logical = op.op == AttentionOp::logical_and || op.op == AttentionOp::logical_or;
    const AttentionType wanted = logical ? AttentionType::boolean : AttentionType::number;
    const bool left = wants(a, wanted, name, start);
    const bool right = wants(b, wanted, name, start);
    return made(op.op, operands, left && right,
                logical || is_comparison(op.op) ? AttentionType::boolean : AttentionType::number);
  }

  Part applied(const Function& function, const std::vector<Part>& arguments, std::size_t start) {
    if (arguments.size() < function.least || arguments.size() > function.most) {
      const bool open = function.most > function.least;
      return problem("attention.argument_count",
                     std::string(function.name) + at(start) + " takes " +
                         std::to_string(function.least) + (open ? " or more" : "") +
                         " arguments, found " + std::to_string(arguments.size()));
    }
    bool fits = true;
    if (function.op == AttentionOp::where) {
      fits = wants(arguments[0], AttentionType::boolean, "where", start);
      const bool failed =
          arguments[1].type == AttentionType::failed || arguments[2].type == AttentionType::failed;
      if (!failed && arguments[1].type != arguments[2].type) {
        return problem("attention.type",
                       "where" + at(start) + " chooses between a number and a condition");
      }
      return made(function.op, arguments, fits && !failed, arguments[1].type);
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool flag = function.op == AttentionOp::t5_bucket && i == 3;
      const AttentionType wanted = flag ? AttentionType::boolean : AttentionType::number;
      fits = wants(arguments[i], wanted, function.name, start) && fits;
    }
    if (arguments.size() <= 2 || function.op == AttentionOp::t5_bucket) {
      return made(function.op, arguments, fits, AttentionType::number);
    }
    Part so_far = arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const Part pair[] = {so_far, arguments[i]};
      so_far = made(function.op, pair, fits, AttentionType::number);
    }
    return so_far;
  }

  Part table(std::string_view name, std::uint16_t index, const std::vector<Part>& indices,
             std::size_t start) {
    if (indices.size() != 2) {
      std::vector<std::string_view> functions;
      for (const Function& function : kFunctions) functions.push_back(function.name);
      return problem("attention.argument_count",
                     quoted(name) + at(start) +
                         " is no function, and a table takes 2 indices, found " +
                         std::to_string(indices.size()),
                     closest_hint(name, functions));
    }
    const bool first = wants(indices[0], AttentionType::number, quoted(name), start);
    const bool second = wants(indices[1], AttentionType::number, quoted(name), start);
    const Part part = made(AttentionOp::table, indices, first && second, AttentionType::number);
    if (!stopped()) tree_.expression.source[part.node].name = index;
    return part;
  }

  // Notes a part of the wrong type.
  bool wants(Part part, AttentionType wanted, std::string_view what, std::size_t start) {
    if (part.type == AttentionType::failed) return false;
    if (part.type == wanted) return true;
    const bool number = wanted == AttentionType::number;
    problem(
        "attention.type",
        std::string(what) + at(start) +
            (number ? " needs a number, found a condition" : " needs a condition, found a number"),
        number ? "where(condition, 1, 0) makes a number of a condition"
               : "compare the number with something");
    return false;
  }

  // --- Nodes and problems ---

  static std::uint16_t index_of(std::vector<std::string>& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    const auto index = static_cast<std::uint16_t>(found - names.begin());
    if (found == names.end()) names.emplace_back(name);
    return index;
  }

  Part leaf(const AttentionNode& node) {
    std::vector<AttentionNode>& nodes = tree_.expression.source;
    if (nodes.size() == kMaxNodes) {
      stop("attention.too_large", "the expression has more than " + std::to_string(kMaxNodes) +
                                      " operations and operands");
      return {};
    }
    nodes.push_back(node);
    return {static_cast<std::uint16_t>(nodes.size() - 1),
            node.is_boolean ? AttentionType::boolean : AttentionType::number};
  }

  Part made(AttentionOp op, std::span<const Part> operands, bool fits, AttentionType type) {
    AttentionNode node{.op = op, .is_boolean = type == AttentionType::boolean};
    for (const Part& operand : operands) node.operands[node.operand_count++] = operand.node;
    Part part = leaf(node);
    if (!fits) part.type = AttentionType::failed;
    return part;
  }

  static std::string at(std::size_t position) { return " at position " + std::to_string(position); }

  Part problem(std::string code, std::string message, std::string hint = "") {
    if (tree_.problems.size() < kMaxProblems) {
      tree_.problems.push_back({std::move(code), "", std::move(message), std::move(hint)});
    }
    return {};
  }

  bool stopped() const { return tree_.syntax_error; }

  void stop(std::string code, std::string message, std::string hint = "") {
    if (stopped()) return;
    tree_.syntax_error = true;
    tree_.problems.push_back({std::move(code), "", std::move(message), std::move(hint)});
  }

  bool enter() {
    if (++depth_ <= kMaxDepth) return true;
    stop("attention.too_deep",
         "more than " + std::to_string(kMaxDepth) + " levels of nesting" + at(position_));
    return false;
  }

  bool expect(std::string_view wanted) {
    if (accept(wanted)) return true;
    unexpected("an operator or " + quoted(wanted));
    return false;
  }

  Part unexpected(const std::string& wanted) {
    if (at_end()) {
      stop("attention.unexpected_end", "unexpected end" + at(position_) + ", wanted " + wanted);
    } else {
      stop("attention.unexpected_character", "unexpected character" + at(position_) + ": found " +
                                                 quoted(lexical::character_at(text_, position_)) +
                                                 ", wanted " + wanted);
    }
    return {};
  }

  std::string_view text_;
  const AttentionContext* context_;
  std::size_t position_ = 0;
  int depth_ = 0;
  AttentionTree tree_;
};

}  // namespace

AttentionTree read_attention(std::string_view text, const AttentionContext* context) {
  return Reading(text, context).read();
}

}  // namespace roofbeam
