#include "engine/algebra/attention_evaluate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "engine/base/check.h"

namespace roofbeam {
namespace {

// Positions are whole numbers that doubles hold exactly; an interval may reach beyond.
constexpr double kFarthest = 0x1p53;

// To forty significant bits.
double rounded(double value) {
  constexpr std::uint64_t kDropped = (1u << 13) - 1;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  return std::bit_cast<double>((bits + (kDropped + 1) / 2) & ~kDropped);
}

double floor_modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double power(double base, double exponent) {
  constexpr double kMultiplied = 64;
  if (exponent != std::floor(exponent) || std::abs(exponent) > kMultiplied) {
    return rounded(std::pow(base, exponent));
  }
  double result = 1;
  for (double i = std::abs(exponent); i > 0; --i) result *= base;
  return exponent < 0 ? 1 / result : result;
}

constexpr Interval kAnything{-std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::infinity()};
constexpr Interval kMaybe{0, 1};

Interval condition(bool possible, bool certain) {
  return {certain ? 1.0 : 0.0, possible ? 1.0 : 0.0};
}

// The smallest interval around these; anything where one of them is no number.
template <class... Values>
Interval around(Values... values) {
  if ((std::isnan(values) || ...)) return kAnything;
  return {std::min({values...}), std::max({values...})};
}

Interval modulo(Interval a, Interval b) {
  if (!b.is_point() || b.low == 0 || !std::isfinite(a.low) || !std::isfinite(a.high)) {
    return kAnything;
  }
  // Within one period the remainder rises with the number.
  if (std::floor(a.low / b.low) == std::floor(a.high / b.low)) {
    return around(floor_modulo(a.low, b.low), floor_modulo(a.high, b.low));
  }
  return around(0.0, b.low);
}

Interval power(Interval base, Interval exponent) {
  if (base.low > 0) {  // monotone in both
    return around(power(base.low, exponent.low), power(base.low, exponent.high),
                  power(base.high, exponent.low), power(base.high, exponent.high));
  }
  if (base.is_point() && exponent.is_point()) return around(power(base.low, exponent.low));
  return kAnything;
}

// Every value that the operator can take over its operands' intervals lies in the result.
Interval applied(AttentionOp op, std::span<const Interval> operands) {
  const Interval a = operands[0];
  const Interval b = operands.size() > 1 ? operands[1] : a;
  // Of functions that never fall.
  const auto rising = [&] {
    const double low = roofbeam::applied(op, std::span(&a.low, 1));
    const double high = roofbeam::applied(op, std::span(&a.high, 1));
    return around(low, high);
  };
  switch (op) {
    case AttentionOp::negate:
      return {-a.high, -a.low};
    case AttentionOp::add:
      return around(a.low + b.low, a.high + b.high);
    case AttentionOp::subtract:
      return around(a.low - b.high, a.high - b.low);
    case AttentionOp::multiply:
      return around(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
    case AttentionOp::divide:
      if (b.low <= 0 && b.high >= 0) return kAnything;
      return around(a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high);
    case AttentionOp::modulo:
      return modulo(a, b);
    case AttentionOp::power:
      return power(a, b);
    case AttentionOp::less:
      return condition(a.low < b.high, a.high < b.low);
    case AttentionOp::less_equal:
      return condition(a.low <= b.high, a.high <= b.low);
    case AttentionOp::greater:
      return condition(a.high > b.low, a.low > b.high);
    case AttentionOp::greater_equal:
      return condition(a.high >= b.low, a.low >= b.high);
    case AttentionOp::equal:
      return condition(a.low <= b.high && b.low <= a.high,
                       a.is_point() && b.is_point() && a.low == b.low);
    case AttentionOp::not_equal:
      return condition(!(a.is_point() && b.is_point() && a.low == b.low),
                       a.high < b.low || b.high < a.low);
    case AttentionOp::logical_and:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case AttentionOp::logical_or:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case AttentionOp::logical_not:
      return {1 - a.high, 1 - a.low};
    case AttentionOp::minimum:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case AttentionOp::maximum:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case AttentionOp::tanh:
    case AttentionOp::exp:
    case AttentionOp::floor:
      return rising();
    case AttentionOp::log:
    case AttentionOp::sqrt:
      return a.low < 0 ? kAnything : rising();
    case AttentionOp::abs:
      if (a.low >= 0) return a;
      if (a.high <= 0) return {-a.high, -a.low};
      return {0, std::max(-a.low, a.high)};
    case AttentionOp::where: {
      const Interval c = operands[2];
      if (a.low == 1) return b;
      if (a.high == 0) return c;
      return around(b.low, b.high, c.low, c.high);
    }
    case AttentionOp::t5_bucket:
      return {0, operands[1].high - 1};
    default:
      ROOFBEAM_CHECK(false);  // a leaf has no operands to be applied to
      return kMaybe;
  }
}

}  // namespace

std::int64_t document_at(const DocumentRow& row, double position) {
  const std::span<const std::int64_t> starts = row.starts;
  double place = position + static_cast<double>(row.offset);
  std::int64_t index = -row.before;
  const auto lap = static_cast<double>(row.lap);
  if (row.lap > 0 && place >= lap && place < kFarthest) {
    const double laps = std::floor(place / lap);
    place -= laps * lap;
    index += static_cast<std::int64_t>(laps) * std::ssize(starts);
  }
  if (starts.empty() || !(place >= static_cast<double>(starts.front()))) return index;
  if (place >= static_cast<double>(starts.back())) return index + std::ssize(starts);
  return index +
         (std::ranges::upper_bound(starts, static_cast<std::int64_t>(place)) - starts.begin());
}

double t5_bucket(double rel, double buckets, double max_distance, bool bidirectional) {
  double first = 0;  // of the buckets of this sign
  double distance = -rel;
  if (bidirectional) {
    buckets = std::floor(buckets / 2);
    if (rel > 0) first = buckets;
    distance = std::abs(rel);
  }
  distance = std::max(distance, 0.0);
  const double exact = std::floor(buckets / 2);
  if (distance < exact) return first + distance;
  // Rounded before it is cut: at a bucket's border the quotient is a whole number.
  const double spaced =
      rounded(std::log(distance / exact) / std::log(max_distance / exact) * (buckets - exact));
  return first + std::min(exact + std::floor(spaced), buckets - 1);
}

double applied(AttentionOp op, std::span<const double> operands) {
  const double a = operands[0];
  const double b = operands.size() > 1 ? operands[1] : 0;
  const auto number = [](bool condition) { return condition ? 1.0 : 0.0; };
  switch (op) {
    case AttentionOp::negate:
      return -a;
    case AttentionOp::add:
      return a + b;
    case AttentionOp::subtract:
      return a - b;
    case AttentionOp::multiply:
      return a * b;
    case AttentionOp::divide:
      return a / b;
    case AttentionOp::modulo:
      return floor_modulo(a, b);
    case AttentionOp::power:
      return power(a, b);
    case AttentionOp::less:
      return number(a < b);
    case AttentionOp::less_equal:
      return number(a <= b);
    case AttentionOp::greater:
      return number(a > b);
    case AttentionOp::greater_equal:
      return number(a >= b);
    case AttentionOp::equal:
      return number(a == b);
    case AttentionOp::not_equal:
      return number(a != b);
    case AttentionOp::logical_and:
      return number(a != 0 && b != 0);
    case AttentionOp::logical_or:
      return number(a != 0 || b != 0);
    case AttentionOp::logical_not:
      return number(a == 0);
    case AttentionOp::tanh:
      return rounded(std::tanh(a));
    case AttentionOp::exp:
      return rounded(std::exp(a));
    case AttentionOp::log:
      return rounded(std::log(a));
    case AttentionOp::sqrt:
      return std::sqrt(a);
    case AttentionOp::abs:
      return std::abs(a);
    case AttentionOp::floor:
      return std::floor(a);
    case AttentionOp::minimum:
      return std::min(a, b);
    case AttentionOp::maximum:
      return std::max(a, b);
    case AttentionOp::where:
      return a != 0 ? b : operands[2];
    case AttentionOp::t5_bucket:
      return t5_bucket(a, b, operands[2], operands[3] != 0);
    default:
      ROOFBEAM_CHECK(false);  // a leaf has no operands to be applied to
      return 0;
  }
}

double evaluate(const AttentionExpression& expression, const AttentionPair& pair,
                const TableReader& table) {
  const std::vector<AttentionNode>& nodes = expression.folded;
  std::vector<double> values(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const AttentionNode& node = nodes[i];
    std::array<double, 4> operands{};
    for (std::size_t o = 0; o < node.operand_count; ++o) operands[o] = values[node.operands[o]];
    switch (node.op) {
      case AttentionOp::number:
      case AttentionOp::boolean:
      case AttentionOp::symbol:
      case AttentionOp::heads:
        values[i] = node.value;
        break;
      case AttentionOp::query:
        values[i] = pair.query;
        break;
      case AttentionOp::key:
        values[i] = pair.key;
        break;
      case AttentionOp::head:
        values[i] = pair.head;
        break;
      case AttentionOp::batch:
        values[i] = pair.batch;
        break;
      case AttentionOp::score:
        values[i] = pair.score;
        break;
      case AttentionOp::table:
        values[i] = table(node.name, operands[0], operands[1]);
        break;
      default:
        values[i] = applied(node.op, std::span(operands.data(), node.operand_count));
    }
  }
  return values.back();
}

MaskEvaluator::MaskEvaluator(const Mask& mask)
    : nodes_(mask.expression.folded), values_(nodes_.size()), intervals_(nodes_.size()) {
  std::vector<bool> varies(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const AttentionNode& node = nodes_[i];
    varies[i] = node.op == AttentionOp::key;
    for (std::size_t o = 0; o < node.operand_count; ++o) {
      varies[i] = varies[i] || varies[node.operands[o]];
    }
    (varies[i] ? by_key_ : by_query_).push_back(static_cast<std::uint16_t>(i));
  }
}

void MaskEvaluator::set_row(double batch, double head, const DocumentRow& documents) {
  batch_ = batch;
  head_ = head;
  documents_ = documents;
}

void MaskEvaluator::set_query(std::int64_t query) {
  query_ = static_cast<double>(query);
  for (const std::uint16_t node : by_query_) values_[node] = value_of(nodes_[node]);
}

void MaskEvaluator::set_queries(std::int64_t first, std::int64_t last) {
  queries_ = {static_cast<double>(first), static_cast<double>(last)};
  for (const std::uint16_t node : by_query_) intervals_[node] = interval_of(nodes_[node]);
}

bool MaskEvaluator::keeps(std::int64_t key) {
  key_ = static_cast<double>(key);
  for (const std::uint16_t node : by_key_) values_[node] = value_of(nodes_[node]);
  return values_.back() != 0;
}

Kept MaskEvaluator::kept(std::int64_t first_key, std::int64_t last_key) {
  keys_ = {static_cast<double>(first_key), static_cast<double>(last_key)};
  for (const std::uint16_t node : by_key_) intervals_[node] = interval_of(nodes_[node]);
  const Interval& root = intervals_.back();
  return root.high == 0 ? Kept::none : root.low == 1 ? Kept::all : Kept::some;
}

double MaskEvaluator::value_of(const AttentionNode& node) const {
  switch (node.op) {
    case AttentionOp::number:
    case AttentionOp::boolean:
      return node.value;
    case AttentionOp::query:
      return query_;
    case AttentionOp::key:
      return key_;
    case AttentionOp::head:
      return head_;
    case AttentionOp::batch:
      return batch_;
    case AttentionOp::table:  // doc(b, position)
      return static_cast<double>(document_at(documents_, values_[node.operands[1]]));
    default:
      break;
  }
  std::array<double, 4> operands;
  for (std::size_t o = 0; o < node.operand_count; ++o) operands[o] = values_[node.operands[o]];
  return applied(node.op, std::span(operands.data(), node.operand_count));
}

Interval MaskEvaluator::interval_of(const AttentionNode& node) const {
  switch (node.op) {
    case AttentionOp::number:
    case AttentionOp::boolean:
      return {node.value, node.value};
    case AttentionOp::query:
      return queries_;
    case AttentionOp::key:
      return keys_;
    case AttentionOp::head:
      return {head_, head_};
    case AttentionOp::batch:
      return {batch_, batch_};
    case AttentionOp::table: {  // never falls from one position to the next
      const Interval& position = intervals_[node.operands[1]];
      return {static_cast<double>(document_at(documents_, position.low)),
              static_cast<double>(document_at(documents_, position.high))};
    }
    default:
      break;
  }
  std::array<Interval, 4> operands;
  for (std::size_t o = 0; o < node.operand_count; ++o) operands[o] = intervals_[node.operands[o]];
  return applied(node.op, std::span<const Interval>(operands.data(), node.operand_count));
}

}  // namespace roofbeam
