#include "engine/algebra/attention_expression.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/algebra/attention_evaluate.h"
#include "engine/algebra/attention_parser.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

bool reads(const AttentionExpression& expression, AttentionOp op) {
  return std::ranges::find(expression.source, op, &AttentionNode::op) != expression.source.end();
}

// Computes every part that depends on constants alone. Nothing for parts that vary.
std::vector<std::optional<double>> constants_of(const std::vector<AttentionNode>& nodes) {
  std::vector<std::optional<double>> constants;
  constants.reserve(nodes.size());
  for (const AttentionNode& node : nodes) {
    constants.push_back(std::nullopt);
    switch (node.op) {
      case AttentionOp::number:
      case AttentionOp::boolean:
      case AttentionOp::symbol:
      case AttentionOp::heads:
        constants.back() = node.value;
        continue;
      case AttentionOp::query:
      case AttentionOp::key:
      case AttentionOp::head:
      case AttentionOp::batch:
      case AttentionOp::score:
      case AttentionOp::table:
        continue;
      default:
        break;
    }
    std::array<double, 4> operands{};
    bool constant = true;
    for (std::size_t o = 0; o < node.operand_count; ++o) {
      const std::optional<double>& operand = constants[node.operands[o]];
      constant = constant && operand.has_value();
      operands[o] = operand.value_or(0);
    }
    if (constant)
      constants.back() = applied(node.op, std::span(operands.data(), node.operand_count));
  }
  return constants;
}

// The nodes that vary, each constant operand of theirs as one number.
std::vector<AttentionNode> folded(const std::vector<AttentionNode>& source,
                                  const std::vector<std::optional<double>>& constants) {
  std::vector<AttentionNode> result;
  std::vector<std::uint16_t> moved(source.size());
  const auto add = [&](const AttentionNode& node) {
    result.push_back(node);
    return static_cast<std::uint16_t>(result.size() - 1);
  };
  const auto add_constant = [&](std::size_t i) {
    const AttentionOp op = source[i].is_boolean ? AttentionOp::boolean : AttentionOp::number;
    return add({.op = op, .is_boolean = source[i].is_boolean, .value = *constants[i]});
  };
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (constants[i]) continue;
    AttentionNode node = source[i];
    for (std::size_t o = 0; o < node.operand_count; ++o) {
      const std::uint16_t operand = node.operands[o];
      node.operands[o] = constants[operand] ? add_constant(operand) : moved[operand];
    }
    moved[i] = add(node);
  }
  if (constants.back()) add_constant(source.size() - 1);
  return result;
}

// --- Canonical spelling ---

struct Spelling {
  std::string_view sign;
  int level;
};

constexpr int kNotLevel = 3;
constexpr int kComparisonLevel = 4;
constexpr int kNegationLevel = 7;
constexpr int kPowerLevel = 8;
constexpr int kLeafLevel = 9;

std::optional<Spelling> infix(AttentionOp op) {
  switch (op) {
    case AttentionOp::logical_or:
      return Spelling{" or ", 1};
    case AttentionOp::logical_and:
      return Spelling{" and ", 2};
    case AttentionOp::less:
      return Spelling{" < ", kComparisonLevel};
    case AttentionOp::less_equal:
      return Spelling{" <= ", kComparisonLevel};
    case AttentionOp::greater:
      return Spelling{" > ", kComparisonLevel};
    case AttentionOp::greater_equal:
      return Spelling{" >= ", kComparisonLevel};
    case AttentionOp::equal:
      return Spelling{" == ", kComparisonLevel};
    case AttentionOp::not_equal:
      return Spelling{" != ", kComparisonLevel};
    case AttentionOp::add:
      return Spelling{" + ", 5};
    case AttentionOp::subtract:
      return Spelling{" - ", 5};
    case AttentionOp::multiply:
      return Spelling{" * ", 6};
    case AttentionOp::divide:
      return Spelling{" / ", 6};
    case AttentionOp::modulo:
      return Spelling{" % ", 6};
    case AttentionOp::power:
      return Spelling{" ** ", kPowerLevel};
    default:
      return std::nullopt;
  }
}

std::string_view function_name(AttentionOp op) {
  switch (op) {
    case AttentionOp::tanh:
      return "tanh";
    case AttentionOp::exp:
      return "exp";
    case AttentionOp::log:
      return "log";
    case AttentionOp::sqrt:
      return "sqrt";
    case AttentionOp::abs:
      return "abs";
    case AttentionOp::floor:
      return "floor";
    case AttentionOp::minimum:
      return "min";
    case AttentionOp::maximum:
      return "max";
    case AttentionOp::where:
      return "where";
    default:
      return "t5_bucket";
  }
}

std::string canonical_text(const AttentionExpression& expression) {
  struct Part {
    std::string text;
    int level = kLeafLevel;
  };
  std::vector<Part> parts(expression.source.size());
  // The operand, in parentheses if it binds less tightly than this. Each is used once.
  const auto operand = [&](const AttentionNode& node, std::size_t o, int least) {
    Part& part = parts[node.operands[o]];
    return part.level < least ? "(" + part.text + ")" : std::move(part.text);
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const AttentionNode& node = expression.source[i];
    Part& part = parts[i];
    if (const std::optional<Spelling> spelling = infix(node.op)) {
      part.level = spelling->level;
      const bool power = node.op == AttentionOp::power;
      const bool open_left = !power && spelling->level != kComparisonLevel;
      part.text = operand(node, 0, spelling->level + (open_left ? 0 : 1));
      part.text += spelling->sign;
      part.text += operand(node, 1, power ? kNegationLevel : spelling->level + 1);
      continue;
    }
    switch (node.op) {
      case AttentionOp::number:
        part.text = shortest(node.value);
        break;
      case AttentionOp::boolean:
        part.text = node.value != 0 ? "true" : "false";
        break;
      case AttentionOp::symbol:
        part.text = expression.symbols[node.name];
        break;
      case AttentionOp::heads:
        part.text = "heads";
        break;
      case AttentionOp::query:
        part.text = "q";
        break;
      case AttentionOp::key:
        part.text = "kv";
        break;
      case AttentionOp::head:
        part.text = "h";
        break;
      case AttentionOp::batch:
        part.text = "b";
        break;
      case AttentionOp::score:
        part.text = "score";
        break;
      case AttentionOp::negate:
        part = {"-" + operand(node, 0, kNegationLevel), kNegationLevel};
        break;
      case AttentionOp::logical_not:
        part = {"not " + operand(node, 0, kNotLevel), kNotLevel};
        break;
      default:
        part.text = node.op == AttentionOp::table ? expression.tables[node.name]
                                                  : std::string(function_name(node.op));
        for (std::size_t o = 0; o < node.operand_count; ++o) {
          part.text += o == 0 ? "(" : ", ";
          part.text += operand(node, o, 0);
        }
        part.text += ')';
    }
  }
  return std::move(parts.back().text);
}

// --- Rules ---

void check_t5_buckets(const AttentionExpression& expression,
                      const std::vector<std::optional<double>>& constants, Diagnostics& problems) {
  for (const AttentionNode& node : expression.source) {
    if (node.op != AttentionOp::t5_bucket) continue;
    const std::optional<double> buckets = constants[node.operands[1]];
    const std::optional<double> distance = constants[node.operands[2]];
    const std::optional<double> bidirectional = constants[node.operands[3]];
    if (!buckets || !distance || !bidirectional) {
      problems.push_back({"attention.not_constant", "",
                          "t5_bucket's number of buckets, largest distance and direction must be "
                          "constants",
                          "they shape the bias table"});
      continue;
    }
    const double least = *bidirectional != 0 ? 4 : 2;
    const double of_one_sign = std::floor(*buckets / (*bidirectional != 0 ? 2 : 1));
    const bool whole = *buckets == std::floor(*buckets) && std::isfinite(*buckets);
    if (!whole || *buckets < least || !(*distance > std::floor(of_one_sign / 2)) ||
        !std::isfinite(*distance)) {
      problems.push_back(
          {"attention.range", "",
           "t5_bucket needs at least " + shortest(least) +
               " whole buckets and a largest distance beyond the exact ones, found " +
               shortest(*buckets) + " and " + shortest(*distance),
           ""});
    }
  }
}

// Everything that holds for masks and scores alike.
Result<AttentionExpression> read(std::string_view text, const AttentionContext& context,
                                 AttentionType wanted, std::string_view parameter) {
  AttentionTree tree = read_attention(text, &context);
  AttentionExpression& expression = tree.expression;
  if (tree.type != AttentionType::failed && tree.type != wanted) {
    const bool mask = wanted == AttentionType::boolean;
    tree.problems.push_back({"attention.type", "",
                             std::string("a ") + std::string(parameter) +
                                 (mask ? " must be a condition, found a number"
                                       : " must be a number, found a condition"),
                             mask ? "compare it with something, as in q - kv < 512"
                                  : "choose with where(condition, a, b)"});
  }
  if (!tree.problems.empty()) return std::move(tree.problems);

  const std::vector<std::optional<double>> constants = constants_of(expression.source);
  check_t5_buckets(expression, constants, tree.problems);
  expression.folded = folded(expression.source, constants);
  const bool finite = std::ranges::all_of(
      expression.folded, [](const AttentionNode& node) { return std::isfinite(node.value); });
  if (!finite && tree.problems.empty()) {
    tree.problems.push_back({"attention.not_finite", "",
                             "a constant part of the expression is not a finite number", ""});
  }
  if (!tree.problems.empty()) return std::move(tree.problems);
  expression.text = canonical_text(expression);
  return std::move(expression);
}

void check_document_tables(const AttentionExpression& expression, Diagnostics& problems) {
  for (const AttentionNode& node : expression.source) {
    if (node.op != AttentionOp::table) continue;
    if (expression.source[node.operands[0]].op == AttentionOp::batch) continue;
    const std::string name = quoted(expression.tables[node.name]);
    problems.push_back(
        {"attention.table", "",
         "a mask may read only tables of document indices, by batch row and position; "
         "found " +
             name + " indexed by something else first",
         "index it by b first, as in doc(b, q) and doc(b, kv)"});
  }
}

}  // namespace

Result<Mask> parse_mask(std::string_view text, const AttentionContext& context) {
  Result<AttentionExpression> expression = read(text, context, AttentionType::boolean, "mask");
  if (!expression) return expression.errors();
  Diagnostics problems;
  if (reads(*expression, AttentionOp::score)) {
    problems.push_back({"attention.reads_score", "", "a mask must not read the score",
                        "masks are decided before scores are known"});
  }
  check_document_tables(*expression, problems);
  const AttentionNode& root = expression->folded.back();
  if (problems.empty() && root.op == AttentionOp::boolean) {
    const bool keeps = root.value != 0;
    problems.push_back({"attention.constant", "",
                        std::string("the mask is always ") + (keeps ? "true" : "false"),
                        keeps ? "leave it out" : "it would keep no pair at all"});
  }
  if (!problems.empty()) return problems;
  return Mask{*std::move(expression)};
}

Result<Score> parse_score(std::string_view text, const AttentionContext& context) {
  Result<AttentionExpression> expression = read(text, context, AttentionType::number, "score");
  if (!expression) return expression.errors();
  if (!reads(*expression, AttentionOp::score)) {
    return Diagnostic{"attention.ignores_score", "", "the score expression does not read `score`",
                      "as it stands, queries and keys would not matter"};
  }
  return Score{*std::move(expression)};
}

Result<std::vector<std::string>> tables_in(std::string_view text) {
  AttentionTree tree = read_attention(text, nullptr);
  if (tree.syntax_error) return std::move(tree.problems);
  return std::move(tree.expression.tables);
}

double cost(const AttentionExpression& expression) {
  double total = 0;
  for (const AttentionNode& node : expression.folded) {
    switch (node.op) {
      case AttentionOp::tanh:
        total += 6;
        break;
      case AttentionOp::exp:
      case AttentionOp::log:
        total += 4;
        break;
      case AttentionOp::sqrt:
        total += 2;
        break;
      case AttentionOp::t5_bucket:
        total += 12;
        break;
      default:
        total += node.operand_count > 0 ? 1 : 0;
    }
  }
  return total;
}

}  // namespace roofbeam
