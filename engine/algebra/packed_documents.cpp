#include "engine/algebra/packed_documents.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "engine/base/text.h"

namespace roofbeam {
namespace {

constexpr std::int64_t kRows = 1024;
constexpr std::int64_t kFewestDocuments = 1024;
// Keeps drawing under a tenth of a second where tiny documents meet rows of 100,000 tokens.
constexpr std::int64_t kMostDocuments = 65'536;
constexpr std::int64_t kQueries = 16;
constexpr std::int64_t kKeys = 16;
constexpr std::int64_t kBandGrowth = 4;
constexpr std::int64_t kBlock = 128;  // FlexAttention's block of queries, and of keys
constexpr std::int64_t kQueryBlocks = 8;

// ln Gamma(1 + x), x >= 0: Lanczos' approximation with g = 7, to about fifteen digits. The C
// library's differs between platforms and writes to a global.
double log_gamma_of_one_plus(double x) {
  constexpr std::array<double, 8> kCoefficients = {
      676.5203681218851,  -1259.1392167224028,  771.32342877765313,    -176.61502916214059,
      12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7};
  double sum = 0.99999999999980993;
  for (std::size_t i = 0; i < kCoefficients.size(); ++i) {
    sum += kCoefficients[i] / (x + static_cast<double>(i) + 1);
  }
  const double t = x + 7.5;
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  return kHalfLogTwoPi + (x + 0.5) * std::log(t) - t + std::log(sum);
}

// The documents' lengths, rising: the length of rank i is the rounded quantile of a point in the
// i-th of `count` equal parts of [0, 1).
std::vector<std::int64_t> rising_lengths(const Packing& packing, std::int64_t count,
                                         Sampler& sampler) {
  constexpr double kLeastSpread = 0.005;  // changes the mean square by 25 parts in a million
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(count));
  if (packing.spread < kLeastSpread) {
    const auto length = static_cast<std::int64_t>(round_half_up(packing.mean));
    std::ranges::fill(lengths, std::max<std::int64_t>(1, length));
    return lengths;
  }
  const double variance = packing.spread * packing.spread;  // relative to the mean
  const double shape = 1 / variance;
  const double scale = packing.mean * variance;
  // Whether the quantile at p, rounded, is longer than this.
  const auto longer = [&](double p, std::int64_t length) {
    return regularised_lower_gamma(shape, (static_cast<double>(length) + 0.5) / scale) <= p;
  };
  constexpr std::int64_t kLongest = std::int64_t{1} << 53;
  // Quantiles rise with p: each search starts at the one before and widens from there.
  std::int64_t length = 1;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double p = (static_cast<double>(i) + sampler.uniform()) / static_cast<double>(count);
    std::int64_t low = length - 1;  // longer than this, or the shortest
    std::int64_t high = length;
    for (std::int64_t step = 1; longer(p, high) && high < kLongest; step *= 2) {
      low = high;
      high += step;
    }
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (longer(p, middle) ? low : high) = middle;
    }
    length = high;
    lengths[i] = length;
  }
  return lengths;
}

// The blocks of keys, from one to another, that the mask may keep some key of for the queries set.
// Halves that interval arithmetic rules out are not looked into.
std::int64_t kept_blocks(MaskEvaluator& mask, PositionRange keys, std::int64_t first_block,
                         std::int64_t last_block) {
  const std::int64_t first_key = std::max(keys.first, first_block * kBlock);
  const std::int64_t last_key = std::min(keys.last, last_block * kBlock + kBlock - 1);
  const Kept kept = mask.kept(first_key, last_key);
  if (kept == Kept::none) return 0;
  if (kept == Kept::all || first_block == last_block) return last_block - first_block + 1;
  const std::int64_t middle = first_block + (last_block - first_block) / 2;
  return kept_blocks(mask, keys, first_block, middle) +
         kept_blocks(mask, keys, middle + 1, last_block);
}

// The blocks of keys that a kernel works through for one block of queries.
std::int64_t kept_blocks(MaskEvaluator& mask, const AttentionExtent& extent,
                         std::int64_t query_block) {
  const std::int64_t first = query_block * kBlock;
  const std::int64_t last = std::min(first + kBlock, extent.length) - 1;
  const PositionRange keys{keys_of(extent, first).first, keys_of(extent, last).last};
  mask.set_queries(first, last);
  return kept_blocks(mask, keys, keys.first / kBlock, keys.last / kBlock);
}

// An estimate of the keys that the query keeps.
double kept_keys(MaskEvaluator& mask, std::int64_t query, PositionRange keys, Sampler& sampler) {
  mask.set_query(query);
  mask.set_queries(query, query);
  // Bands of keys behind the query, itself included, then ahead of it. Those that interval
  // arithmetic decides need no sampling.
  std::array<PositionRange, 64> bands;
  std::size_t undecided = 0;
  double kept = 0;
  const auto meet = [&](PositionRange band) {
    const Kept part = mask.kept(band.first, band.last);
    if (part == Kept::all) kept += static_cast<double>(band.last - band.first + 1);
    if (part == Kept::some) bands[undecided++] = band;
  };
  std::int64_t width = kBandGrowth;
  for (std::int64_t last = query; last >= keys.first; last -= width, width *= kBandGrowth) {
    meet({std::max(keys.first, last - width + 1), last});
  }
  width = kBandGrowth;
  for (std::int64_t first = query + 1; first <= keys.last; first += width, width *= kBandGrowth) {
    meet({first, std::min(keys.last, first + width - 1)});
  }
  for (const PositionRange& band : std::span(bands.data(), undecided)) {
    const std::int64_t count = band.last - band.first + 1;
    const std::int64_t picks =
        std::min(count, std::max<std::int64_t>(1, kKeys / static_cast<std::int64_t>(undecided)));
    std::int64_t hits = 0;
    sampler.visit_spread(count, picks,
                         [&](std::int64_t pick) { hits += mask.keeps(band.first + pick) ? 1 : 0; });
    kept += static_cast<double>(hits * count) / static_cast<double>(picks);
  }
  return kept;
}

// The offset of the i-th row in the stream.
std::int64_t row_offset(const DocumentStream& stream, std::int64_t i, Sampler& sampler) {
  const double place = (static_cast<double>(i) + sampler.uniform()) / static_cast<double>(kRows);
  return static_cast<std::int64_t>(place * static_cast<double>(stream.total));
}

}  // namespace

double regularised_lower_gamma(double shape, double x) {
  constexpr int kMostSteps = 20'000;
  constexpr double kEnough = 1e-16;
  if (x <= 0) return 0;
  // x^shape * e^-x / Gamma(1 + shape)
  const double factor = std::exp(shape * std::log(x) - x - log_gamma_of_one_plus(shape));
  if (x < shape + 1) {
    // P = factor * (1 + x / (shape + 1) + x^2 / ((shape + 1)(shape + 2)) + ...)
    double term = 1;
    double sum = 1;
    for (int i = 1; i < kMostSteps && term > kEnough * sum; ++i) {
      term *= x / (shape + i);
      sum += term;
    }
    return std::min(1.0, factor * sum);
  }
  // 1 - P = shape * factor * f, f = 1/(x + 1 - shape - 1(1 - shape)/(x + 3 - shape - ...)), by
  // Lentz's method; x >= shape + 1 keeps every denominator positive.
  double b = x + 1 - shape;
  double d = 1 / b;
  double c = 1e300;
  double fraction = d;
  for (int i = 1; i < kMostSteps; ++i) {
    const double a = -i * (i - shape);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    const double change = c * d;
    fraction *= change;
    if (std::abs(change - 1) < kEnough) break;
  }
  return std::max(0.0, 1 - shape * factor * fraction);
}

DocumentRow DocumentStream::row(std::int64_t offset, std::int64_t length) const {
  const auto first = std::ranges::lower_bound(starts, offset);
  const auto end = std::ranges::lower_bound(starts, offset + length);
  return {std::span(first, end), offset};
}

DocumentStream draw_documents(const Packing& packing, std::int64_t row_length, Sampler& sampler) {
  const double wanted = std::ceil(4 * static_cast<double>(row_length) / packing.mean);
  const auto count = static_cast<std::int64_t>(
      std::clamp(wanted, double{kFewestDocuments}, double{kMostDocuments}));
  std::vector<std::int64_t> lengths = rising_lengths(packing, count, sampler);
  for (std::size_t i = lengths.size() - 1; i > 0; --i) {  // Fisher and Yates
    const double pick = sampler.uniform() * static_cast<double>(i + 1);
    std::swap(lengths[i], lengths[std::min(i, static_cast<std::size_t>(pick))]);
  }
  DocumentStream stream;
  for (const std::int64_t length : lengths) stream.total += length;
  std::int64_t start = 0;
  for (std::size_t i = 0; start < stream.total + row_length; i = (i + 1) % lengths.size()) {
    stream.starts.push_back(start);
    start += lengths[i];
  }
  return stream;
}

std::vector<double> packed_grid(const Mask& mask, const AttentionExtent& extent, std::int64_t head,
                                const Packing& packing) {
  Sampler sampler(mask.expression.text);
  const DocumentStream stream = draw_documents(packing, extent.length, sampler);
  const std::int64_t offset = row_offset(stream, 0, sampler);
  return kept_grid(mask, extent, head, stream.row(offset, extent.length));
}

PackedShare packed_share(const Mask& mask, const AttentionExtent& extent, const Packing& packing) {
  Sampler sampler(mask.expression.text);
  MaskEvaluator evaluator(mask);
  const DocumentStream stream = draw_documents(packing, extent.length, sampler);
  const std::int64_t heads = reads_head(mask) ? extent.heads : 1;
  const std::int64_t query_blocks = (extent.length + kBlock - 1) / kBlock;

  double kept = 0;
  double pairs = 0;
  double blocks = 0;  // of a whole row, summed over rows
  for (std::int64_t row = 0; row < kRows; ++row) {
    const std::int64_t offset = row_offset(stream, row, sampler);
    evaluator.set_row(static_cast<double>(row % extent.batch), static_cast<double>(row % heads),
                      stream.row(offset, extent.length));
    sampler.visit_spread(extent.length, kQueries, [&](std::int64_t query) {
      const PositionRange keys = keys_of(extent, query);
      kept += kept_keys(evaluator, query, keys, sampler);
      pairs += static_cast<double>(keys.last - keys.first + 1);
    });
    std::int64_t counted = 0;
    sampler.visit_spread(query_blocks, kQueryBlocks, [&](std::int64_t block) {
      counted += kept_blocks(evaluator, extent, block);
    });
    blocks += static_cast<double>(counted * query_blocks) /
              static_cast<double>(std::min(query_blocks, kQueryBlocks));
  }
  const double block_pairs = blocks / kRows * (kBlock * kBlock);
  return {.kept = kept / pairs, .blocks = block_pairs / pairs_of(extent)};
}

}  // namespace roofbeam
