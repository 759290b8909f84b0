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
constexpr std::int64_t kMostLooks = 1'000'000;

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

// Counts the blocks of keys that a kernel works through.
class BlockCount {
 public:
  BlockCount(MaskEvaluator& mask, const AttentionExtent& extent) : mask_(mask), extent_(extent) {}

  // For one block of queries.
  double of(std::int64_t query_block) {
    const std::int64_t first = query_block * kBlock;
    const std::int64_t last = std::min(first + kBlock, extent_.length) - 1;
    const PositionRange keys{keys_of(extent_, first).first, keys_of(extent_, last).last};
    mask_.set_queries(first, last);
    return static_cast<double>(among(keys, keys.first / kBlock, keys.last / kBlock));
  }

 private:
  // Halves that interval arithmetic decides are not looked into.
  std::int64_t among(PositionRange keys, std::int64_t first, std::int64_t last) {
    const Kept kept = mask_.kept(std::max(keys.first, first * kBlock),
                                 std::min(keys.last, last * kBlock + kBlock - 1));
    if (kept == Kept::none) return 0;
    if (kept == Kept::all || first == last || ++looks_ > kMostLooks) return last - first + 1;
    const std::int64_t middle = first + (last - first) / 2;
    return among(keys, first, middle) + among(keys, middle + 1, last);
  }

  MaskEvaluator& mask_;
  const AttentionExtent& extent_;
  std::int64_t looks_ = 0;
};

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

// Places within strata, one after the other, as multiples of an irrational number: they fill [0, 1)
// more evenly than independent ones. Documents of one length repeat within rows and streams, and
// independent places would meet some of their phases often and others seldom.
class EvenPlaces {
 public:
  EvenPlaces(Sampler& sampler, double step) : place_(sampler.uniform()), step_(step) {}

  double next() {
    place_ += step_;
    if (place_ >= 1) place_ -= 1;
    return place_;
  }

 private:
  double place_;
  double step_;
};

constexpr double kRowStep = 0.7548776662466927;    // 1/g, g^3 = g + 1
constexpr double kQueryStep = 0.6180339887498949;  // (sqrt 5 - 1)/2
constexpr double kBlockStep = 0.4142135623730950;  // sqrt 2 - 1

// Where in the stream a row begins.
std::int64_t row_offset(const DocumentStream& stream, std::int64_t row, EvenPlaces& places) {
  const double place = (static_cast<double>(row) + places.next()) / static_cast<double>(kRows);
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
  if (offset + length > total) {
    return {.starts = starts, .offset = offset, .lap = total, .before = first - starts.begin()};
  }
  // A row within one lap is looked up among its own starts alone.
  const auto end = std::lower_bound(first, starts.end(), offset + length);
  return {.starts = std::span(first, end), .offset = offset};
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
  stream.starts.reserve(lengths.size());
  for (const std::int64_t length : lengths) {
    stream.starts.push_back(stream.total);
    stream.total += length;
  }
  return stream;
}

std::vector<double> packed_grid(const Mask& mask, const AttentionExtent& extent, std::int64_t head,
                                const Packing& packing) {
  Sampler sampler(mask.expression.text);
  const DocumentStream stream = draw_documents(packing, extent.length, sampler);
  EvenPlaces row_places(sampler, kRowStep);
  const std::int64_t offset = row_offset(stream, 0, row_places);
  return kept_grid(mask, extent, head, stream.row(offset, extent.length));
}

PackedShare packed_share(const Mask& mask, const AttentionExtent& extent, const Packing& packing) {
  Sampler sampler(mask.expression.text);
  MaskEvaluator evaluator(mask);
  BlockCount block_count(evaluator, extent);
  const DocumentStream stream = draw_documents(packing, extent.length, sampler);
  const std::int64_t heads = reads_head(mask) ? extent.heads : 1;
  const std::int64_t query_blocks = (extent.length + kBlock - 1) / kBlock;

  EvenPlaces row_places(sampler, kRowStep);
  EvenPlaces query_places(sampler, kQueryStep);
  EvenPlaces block_places(sampler, kBlockStep);
  const auto query_place = [&] { return query_places.next(); };
  const auto block_place = [&] { return block_places.next(); };

  double kept = 0;
  double pairs = 0;
  double blocks = 0;  // of a whole row, summed over rows
  for (std::int64_t row = 0; row < kRows; ++row) {
    const std::int64_t offset = row_offset(stream, row, row_places);
    evaluator.set_row(static_cast<double>(row % extent.batch), static_cast<double>(row % heads),
                      stream.row(offset, extent.length));
    visit_strata(extent.length, kQueries, query_place, [&](std::int64_t query) {
      const PositionRange keys = keys_of(extent, query);
      kept += kept_keys(evaluator, query, keys, sampler);
      pairs += static_cast<double>(keys.last - keys.first + 1);
    });
    double counted = 0;
    visit_strata(query_blocks, kQueryBlocks, block_place,
                 [&](std::int64_t block) { counted += block_count.of(block); });
    blocks += counted * (static_cast<double>(query_blocks) /
                         static_cast<double>(std::min(query_blocks, kQueryBlocks)));
  }
  const double block_pairs = blocks / kRows * (kBlock * kBlock);
  return {.kept = kept / pairs, .blocks = block_pairs / pairs_of(extent)};
}

}  // namespace roofbeam
