#include "engine/blocks/attention.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/algebra/attention_evaluate.h"
#include "engine/algebra/attention_expression.h"

namespace roofbeam {
namespace {

// What is tried of a mask: the first positions of the first few heads.
constexpr std::int64_t kTriedPositions = 128;
constexpr int kTriedHeads = 8;
constexpr std::size_t kListedRanges = 4;

// A composite that holds an attention may write these parameters, too.
std::string_view expression_of(const Arguments& arguments, std::string_view name) {
  return arguments.find(name) != nullptr ? arguments.text(name) : std::string_view();
}

bool reads_head(const Mask& mask) {
  return std::ranges::any_of(mask.expression.folded, [](const AttentionNode& node) {
    return node.op == AttentionOp::head;
  });
}

// Whether the query, of those tried, keeps any key that causality and the window leave it.
bool keeps_any(MaskEvaluator& mask, std::int64_t query, bool causal, std::int64_t window) {
  const std::int64_t first = window > 0 ? std::max<std::int64_t>(0, query - window + 1) : 0;
  const std::int64_t last = causal ? query : kTriedPositions - 1;
  // Interval arithmetic settles most queries at once.
  mask.set_queries(query, query);
  if (const Kept kept = mask.kept(first, last); kept != Kept::some) return kept == Kept::all;
  mask.set_query(query);
  for (std::int64_t key = first; key <= last; ++key)
    if (mask.keeps(key)) return true;
  return false;
}

// How a row of queries fares under a mask.
struct TriedMask {
  bool keeps_nothing = true;          // no query of any head
  std::vector<std::int64_t> without;  // queries that in some head keep no key, rising
};

TriedMask tried(const Mask& mask, const Arguments& a) {
  const double heads = a.number("heads");
  const int head_count =
      heads > 1 && reads_head(mask) ? static_cast<int>(std::min<double>(heads, kTriedHeads)) : 1;
  const double wide = a.number("window");
  const std::int64_t window =
      wide > 0 ? static_cast<std::int64_t>(std::min<double>(wide, kTriedPositions)) : 0;
  MaskEvaluator evaluator(mask);
  std::array<bool, kTriedPositions> without{};
  TriedMask result;
  for (int head = 0; head < head_count; ++head) {
    evaluator.set_row(0, head, {});
    for (std::int64_t query = 0; query < kTriedPositions; ++query) {
      const bool keeps = keeps_any(evaluator, query, a.flag("causal"), window);
      if (keeps) result.keeps_nothing = false;
      if (!keeps) without[static_cast<std::size_t>(query)] = true;
    }
  }
  for (std::int64_t query = 0; query < kTriedPositions; ++query)
    if (without[static_cast<std::size_t>(query)]) result.without.push_back(query);
  return result;
}

// "0-3, 8": runs of neighbours, the first few of them.
std::string ranges_of(const std::vector<std::int64_t>& rising) {
  std::vector<std::pair<std::int64_t, std::int64_t>> runs;
  for (const std::int64_t position : rising) {
    if (!runs.empty() && runs.back().second + 1 == position)
      runs.back().second = position;
    else
      runs.emplace_back(position, position);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(runs.size(), kListedRanges); ++i) {
    const auto [first, last] = runs[i];
    text += (i == 0 ? "" : ", ") + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
  }
  if (runs.size() > kListedRanges)
    text += " and " + std::to_string(runs.size() - kListedRanges) + " more ranges";
  return text;
}

void append_errors(const Diagnostics& errors, std::string_view param, std::vector<Issue>& issues) {
  for (const Diagnostic& error : errors)
    issues.push_back({.rule = "expression",
                      .param = std::string(param),
                      .message = error.message,
                      .hint = error.hint});
}

void check_mask(const Mask& mask, const Arguments& a, std::vector<Issue>& issues) {
  const TriedMask result = tried(mask, a);
  const std::string positions = "the first " + std::to_string(kTriedPositions) + " positions";
  if (result.keeps_nothing)
    issues.push_back({.rule = "SDPA-04",
                      .param = "mask",
                      .message = "the mask keeps no pair of " + positions,
                      .hint = "a mask is true where a query may read a key"});
  else if (!result.without.empty())
    issues.push_back({.rule = "SDPA-05",
                      .severity = Severity::warning,
                      .param = "mask",
                      .message = "the mask leaves queries without any key, of " + positions + ": " +
                                 ranges_of(result.without),
                      .hint = "let every query read at least itself: ... or q == kv"});
}

}  // namespace

double keys_per_query(const KeySpan& span) {
  if (span.cross) return span.source;
  const double length = span.length;
  const double window = span.window;
  const bool windowed = window > 0 && window < length;
  if (!span.causal) return windowed ? window : length;
  return windowed ? window - window * window / (2 * length) : length / 2;
}

double score_cost(const Arguments& a, const Scope& scope) {
  double operations = a.number("logit_softcap") > 0 ? kSoftcapCost : 0;
  const std::string_view written = a.text("score");
  if (written.empty()) return operations;
  const Result<Score> score = parse_score(written, {.scope = scope, .heads = a.number("heads")});
  if (score) operations += cost(score->expression);  // else reported by the block's check
  return operations;
}

std::vector<std::string> attention_tables(const Arguments& a, const Scope&) {
  std::vector<std::string> tables;
  for (const std::string_view name : {"mask", "score"}) {
    const std::string_view written = expression_of(a, name);
    if (written.empty()) continue;
    const Result<std::vector<std::string>> read = tables_in(written);
    if (!read) continue;  // reported by the block's check
    for (const std::string& table : *read)
      if (std::ranges::find(tables, table) == tables.end()) tables.push_back(table);
  }
  return tables;
}

void add_table_ports(const Arguments& a, const Scope& scope, Ports& ports) {
  for (std::string& table : attention_tables(a, scope))
    ports.inputs.push_back({.name = std::move(table),
                            .shape = "*",
                            .side = true,
                            .doc = "read by the mask or score expression"});
}

std::vector<Issue> check_attention_expressions(const Arguments& a, const Scope& scope) {
  std::vector<Issue> issues;
  const AttentionContext context{.scope = scope, .heads = a.number("heads")};
  if (const std::string_view written = a.text("mask"); !written.empty()) {
    const Result<Mask> mask = parse_mask(written, context);
    if (mask)
      check_mask(*mask, a, issues);
    else
      append_errors(mask.errors(), "mask", issues);
  }
  if (const std::string_view written = a.text("score"); !written.empty())
    if (const Result<Score> score = parse_score(written, context); !score)
      append_errors(score.errors(), "score", issues);
  return issues;
}

Operator cache_write(const LoweringContext& context, const std::vector<std::vector<Extent>>& step) {
  Operator write{.name = "reshape_and_cache"};
  for (const std::vector<Extent>& shape : step) {
    write.reads.push_back(activation_tensor(context, shape));
    write.writes.push_back(cache_tensor(context, shape));
  }
  const std::vector<Extent>& first = step.front();
  write.reads.push_back(index_tensor({first.front() * first[first.size() - 2]}));
  return write;
}

std::vector<Tensor> page_tables(const LoweringContext& context, Extent keys) {
  const Extent sequences = context.workload.batch;
  const Extent pages = (keys + kCachePageTokens - 1) / kCachePageTokens;
  return {index_tensor({sequences, pages}), index_tensor({sequences + 1}),
          index_tensor({sequences}), index_tensor({sequences})};
}

}  // namespace roofbeam
