#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/algebra/scope.h"
#include "engine/base/result.h"

// The language of attention's two optional parameters: `mask` (does this pair of query and key
// count) and `score` (what its score becomes). Operators bind as in Python: or ||, and &&, not !,
// one comparison, + -, * / % (floor modulo), unary minus, ** (to the right). Names: positions q and
// kv, head h, batch row b, the number of heads `heads`, `score`, the design's symbols, true, false.
// Functions: tanh exp log sqrt abs floor, min max (two or more), where(condition, a, b),
// t5_bucket(rel, buckets, max_distance, bidirectional). Any other name that is called with two
// indices is a table.
namespace roofbeam {

enum class AttentionOp : std::uint8_t {
  number,
  boolean,
  symbol,  // of the design
  heads,
  query,
  key,
  head,
  batch,
  score,
  table,  // two operands: its indices
  negate,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  floor,
  minimum,  // two operands: min(a, b, c) is min(min(a, b), c)
  maximum,
  where,
  t5_bucket
};

struct AttentionNode {
  AttentionOp op = AttentionOp::number;
  bool is_boolean = false;  // its type; else a number
  std::uint8_t operand_count = 0;
  std::array<std::uint16_t, 4> operands{};  // indices of earlier nodes
  double value = 0;                         // of a number, symbol, `heads`; 1 or 0 of a boolean
  std::uint16_t name = 0;  // of a table or symbol: its index in `tables`, `symbols`
};

// A well-typed expression. Both trees list operands before what uses them, each node once, the root
// last.
struct AttentionExpression {
  std::vector<AttentionNode> source;  // as written
  std::vector<AttentionNode>
      folded;        // what depends on neither position, head, row nor score is a number
  std::string text;  // `source` in one canonical spelling
  std::vector<std::string> tables;   // read, in order of first appearance
  std::vector<std::string> symbols;  // of the design, likewise
};

struct Mask {
  AttentionExpression expression;
};

struct Score {
  AttentionExpression expression;
};

// What an expression may refer to: design symbols of the scope (runtime symbols are refused: their
// values are not known when a kernel is compiled), and the attention's number of query heads.
struct AttentionContext {
  const Scope& scope;
  double heads;
};

// Errors, path empty: attention.unexpected_end, attention.unexpected_character,
// attention.chained_comparison, attention.too_deep, attention.too_large (syntax: the first one ends
// the reading), attention.unknown_name (closest name as hint), attention.argument_count,
// attention.type, attention.not_constant (the last three arguments of t5_bucket), attention.range
// (their values), attention.not_finite (of a constant part), and
// of a mask: attention.constant, attention.reads_score, attention.table (it may read only document
// indices, as doc(b, position));
// of a score: attention.ignores_score.
[[nodiscard]] Result<Mask> parse_mask(std::string_view text, const AttentionContext& context);
[[nodiscard]] Result<Score> parse_score(std::string_view text, const AttentionContext& context);

// The tables an expression reads, in order of first appearance, whatever its names mean: each one
// is a port of the attention. Syntax errors only.
[[nodiscard]] Result<std::vector<std::string>> tables_in(std::string_view text);

// Operations per pair of query and key once constants are folded: tanh 6, exp 4, log 4, sqrt 2,
// t5_bucket 12, every other operator, function and table read 1.
[[nodiscard]] double cost(const AttentionExpression& expression);

// Operations per pair of capping scores, c * tanh(score / c).
inline constexpr double kSoftcapCost = 8;

}  // namespace roofbeam
