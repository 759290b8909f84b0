#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/algebra/attention_expression.h"

namespace roofbeam {

// A row of tokens as a piece of a stream of documents. The first document need not begin with it.
struct DocumentRow {
  std::span<const std::int64_t> starts;  // where in the stream documents begin, rising
  std::int64_t offset = 0;               // of the row's first token in the stream
  std::int64_t lap = 0;                  // tokens after which the stream repeats; 0: never
  std::int64_t before = 0;               // starts of the stream that lie before the row
};

// The document a position of the row belongs to: the number of the row's starts at or before it.
[[nodiscard]] std::int64_t document_at(const DocumentRow& row, double position);

// What an operator or function makes of its operands, conditions as 1 and 0. `op` has operands.
// exp, log, tanh and fractional powers are rounded to forty bits: C libraries differ in the last
// bit, and no comparison may hang on that.
[[nodiscard]] double applied(AttentionOp op, std::span<const double> operands);

// The bucket of T5's relative position bias (Raffel et al. 2020; `rel` is key minus query): half of
// the buckets for each sign if bidirectional, otherwise keys after the query count as the query;
// half of those exact, the rest spaced logarithmically up to `max_distance`.
[[nodiscard]] double t5_bucket(double rel, double buckets, double max_distance, bool bidirectional);

// One pair of query and key, and its score.
struct AttentionPair {
  double batch = 0;
  double head = 0;
  double query = 0;
  double key = 0;
  double score = 0;
};

// The value of a table (by its index in `tables`) at two indices.
using TableReader = std::function<double(std::size_t table, double first, double second)>;

// The expression's value, conditions as 1 and 0.
[[nodiscard]] double evaluate(const AttentionExpression& expression, const AttentionPair& pair,
                              const TableReader& table);

// What is known of a mask over a range of pairs.
enum class Kept : std::uint8_t { none, some, all };

// The numbers from low to high; of conditions, {0, 0}, {1, 1} or {0, 1}.
struct Interval {
  double low = 0;
  double high = 0;
  [[nodiscard]] bool is_point() const { return low == high; }
};

// Asks one mask about many pairs. What does not depend on the key is computed once a query.
class MaskEvaluator {
 public:
  explicit MaskEvaluator(const Mask& mask);

  // The batch row and head that follow-up questions are about. Every document table is the row's
  // one division into documents, whose starts must outlive the questions.
  void set_row(double batch, double head, const DocumentRow& documents = {});

  // The query, or the range of queries (both ends included), that follow-up questions are about.
  void set_query(std::int64_t query);
  void set_queries(std::int64_t first, std::int64_t last);

  // Whether the pair of the query set and this key counts.
  [[nodiscard]] bool keeps(std::int64_t key);

  // What interval arithmetic can tell of the pairs of the queries set with these keys (both ends
  // included): `none` and `all` are certain.
  [[nodiscard]] Kept kept(std::int64_t first_key, std::int64_t last_key);

 private:
  [[nodiscard]] double value_of(const AttentionNode& node) const;
  [[nodiscard]] Interval interval_of(const AttentionNode& node) const;

  std::vector<AttentionNode> nodes_;
  std::vector<std::uint16_t> by_query_;  // nodes to compute once a query
  std::vector<std::uint16_t> by_key_;    // nodes to compute for every key
  std::vector<double> values_;           // of each node, for the query and key
  std::vector<Interval> intervals_;      // likewise, for the ranges of queries and keys
  DocumentRow documents_;
  double batch_ = 0;
  double head_ = 0;
  double query_ = 0;
  double key_ = 0;
  Interval queries_;
  Interval keys_;
};

}  // namespace roofbeam
