#include "engine/algebra/packed_documents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace roofbeam {
namespace {

Mask mask(std::string_view text) {
  const Scope scope;
  Result<Mask> read = parse_mask(text, {scope, 32});
  EXPECT_TRUE(read) << text << ": " << read.errors().front().message;
  return *std::move(read);
}

std::vector<std::int64_t> lengths_of(const DocumentStream& stream) {
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < stream.starts.size(); ++i) {
    const bool last = i + 1 == stream.starts.size();
    lengths.push_back((last ? stream.total : stream.starts[i + 1]) - stream.starts[i]);
  }
  return lengths;
}

TEST(LowerGamma, AgreesWithClosedForms) {
  for (const double x : {1e-6, 0.3, 1.0, 1.9, 2.1, 5.0, 30.0}) {
    EXPECT_NEAR(regularised_lower_gamma(1, x), -std::expm1(-x), 1e-14) << x;
    EXPECT_NEAR(regularised_lower_gamma(0.5, x), std::erf(std::sqrt(x)), 1e-14) << x;
    EXPECT_NEAR(regularised_lower_gamma(3, x), 1 - std::exp(-x) * (1 + x + x * x / 2), 1e-14) << x;
  }
  EXPECT_EQ(regularised_lower_gamma(2, 0), 0);
  // The median of a gamma distribution lies a third of its scale below the mean (Ramanujan):
  // median(k) = k - 1/3 + 8/(405 k).
  for (const double k : {10.0, 1000.0, 40'000.0}) {
    EXPECT_NEAR(regularised_lower_gamma(k, k - 1.0 / 3 + 8 / (405 * k)), 0.5, 1e-5) << k;
  }
}

TEST(LowerGamma, RisesFromZeroToOne) {
  for (const double shape : {1e-6, 0.04, 0.7, 1.0, 4.0, 111.1, 40'000.0}) {
    double before = 0;
    for (double x = shape / 64; x < 64 * shape + 64; x *= 1.5) {
      const double p = regularised_lower_gamma(shape, x);
      EXPECT_GE(p, before - 1e-13) << shape << " " << x;
      EXPECT_LE(p, 1);
      before = p;
    }
    EXPECT_NEAR(before, 1, 1e-9) << shape;
  }
}

TEST(DocumentStreams, HaveTheMeanAndSpreadAskedFor) {
  for (const double mean : {100.0, 1024.0, 50'000.0}) {
    for (const double spread : {0.0, 0.1, 0.5, 1.0, 2.0}) {
      Sampler sampler(std::uint64_t{5});
      const std::vector<std::int64_t> lengths =
          lengths_of(draw_documents({mean, spread}, 8192, sampler));
      EXPECT_EQ(lengths.size(), 1024u);  // 4 * 8192 / mean is less
      double sum = 0;
      double squares = 0;
      for (const std::int64_t length : lengths) {
        EXPECT_GE(length, 1);
        sum += static_cast<double>(length);
        squares += static_cast<double>(length) * static_cast<double>(length);
      }
      const double count = static_cast<double>(lengths.size());
      const double drawn = sum / count;
      EXPECT_NEAR(drawn, mean, 0.01 * mean) << spread;
      EXPECT_NEAR(std::sqrt(squares / count - drawn * drawn) / drawn, spread, 0.03 * spread)
          << mean;
    }
  }
}

TEST(DocumentStreams, HoldEnoughDocumentsForLongRows) {
  Sampler sampler(std::uint64_t{5});
  EXPECT_EQ(draw_documents({16, 0}, 8192, sampler).starts.size(), 4u * 8192 / 16);
  EXPECT_EQ(draw_documents({1, 0}, 1'000'000, sampler).starts.size(), 65'536u);
  // Lengths far below one token count as one, however uneven.
  const std::vector<std::int64_t> tiny = lengths_of(draw_documents({1, 300}, 8192, sampler));
  EXPECT_GE(*std::ranges::min_element(tiny), 1);
}

TEST(DocumentStreams, RowsCountTheirOwnStarts) {
  const DocumentStream stream{.starts = {0, 3, 8}, .total = 10};
  for (std::int64_t offset = 0; offset < stream.total; ++offset) {
    for (const std::int64_t length : {1, 4, 25}) {
      const DocumentRow row = stream.row(offset, length);
      std::int64_t document = 0;
      for (std::int64_t position = 0; position < length; ++position) {
        const std::int64_t token = (offset + position) % stream.total;
        if (token == 0 || token == 3 || token == 8) ++document;
        EXPECT_EQ(document_at(row, static_cast<double>(position)), document)
            << offset << " " << length << " " << position;
      }
    }
  }
}

// The reference's figures for llama-3-8b at T = 8192, causal, one mask `doc(b, q) == doc(b, kv)`.
TEST(PackedShare, AgreesWithTheReference) {
  const AttentionExtent extent{.length = 8192, .heads = 32};
  const double causal_keys = 8192.0 / 2;
  for (const char* text : {"doc(b, q) == doc(b, kv)", "documents(b, kv) == documents(b, q)"}) {
    const Mask documents = mask(text);
    const PackedShare fixed = packed_share(documents, extent, {.mean = 1024, .spread = 0});
    const double keys = causal_keys * fixed.kept;
    EXPECT_NEAR(keys, 491.1, 0.005 * 491.1) << text;
    // Attention is an eighth of the forward pass without packing.
    EXPECT_NEAR(0.125 * (1 - fixed.kept), 0.11, 0.002) << text;
    EXPECT_NEAR(fixed.blocks / fixed.kept, 1.37, 0.03) << text;

    const PackedShare short_ones = packed_share(documents, extent, {.mean = 256, .spread = 0});
    EXPECT_NEAR(short_ones.blocks / short_ones.kept, 2.48, 0.03) << text;

    const PackedShare exponential = packed_share(documents, extent, {.mean = 1024, .spread = 1});
    EXPECT_GT(exponential.kept / fixed.kept, 1.75) << text;
    EXPECT_LT(exponential.kept / fixed.kept, 1.9) << text;
  }
}

// A row of T tokens cut at random from documents of L, L dividing T: T/L - 1 whole documents and
// two pieces that make up one, whose squares sum to 2/3 L^2 on average. A query sees half of its
// own piece and itself: (L/2)(1 - L/(3T)) + 1/2 keys.
TEST(PackedShare, FixedLengthsAgreeWithTheClosedForm) {
  for (const std::int64_t length : {1024, 8192, 131'072}) {
    for (const std::int64_t document : {64, 256, 1024}) {
      const double n = static_cast<double>(length);
      const double l = static_cast<double>(document);
      const AttentionExtent extent{.length = length};
      const double pairs = n * (l / 2 * (1 - l / (3 * n)) + 0.5);
      EXPECT_NEAR(packed_share(mask("doc(b, q) == doc(b, kv)"), extent, {l, 0}).kept,
                  pairs / pairs_of(extent), 0.004 * pairs / pairs_of(extent))
          << length << " " << document;
    }
  }
}

TEST(PackedShare, AgreesWithCountingEveryPair) {
  for (const char* text : {"doc(b, q) == doc(b, kv)", "doc(b, q) == doc(b, kv) and q - kv < 40",
                           "doc(b, q) == doc(b, kv) or kv < 16"}) {
    for (const bool causal : {true, false}) {
      const AttentionExtent extent{.length = 256, .causal = causal};
      const Packing packing{.mean = 30, .spread = 0.7};
      const Mask m = mask(text);
      // The same stream, cut into rows once: 1024 * 30 / 256 of them.
      Sampler sampler(m.expression.text);
      const DocumentStream stream = draw_documents(packing, extent.length, sampler);
      MaskEvaluator evaluator(m);
      double kept = 0;
      double blocks = 0;
      constexpr std::int64_t kRows = 120;
      for (std::int64_t row = 0; row < kRows; ++row) {
        evaluator.set_row(0, 0, stream.row(row * stream.total / kRows, extent.length));
        bool block[2][2] = {};
        for (std::int64_t query = 0; query < extent.length; ++query) {
          evaluator.set_query(query);
          const PositionRange keys = keys_of(extent, query);
          for (std::int64_t key = keys.first; key <= keys.last; ++key) {
            if (!evaluator.keeps(key)) continue;
            kept += 1;
            block[query / 128][key / 128] = true;
          }
        }
        blocks += block[0][0] + block[0][1] + block[1][0] + block[1][1];
      }
      const PackedShare share = packed_share(m, extent, packing);
      const double pairs = pairs_of(extent) * kRows;
      EXPECT_NEAR(share.kept, kept / pairs, 0.01 * kept / pairs) << text << causal;
      EXPECT_NEAR(share.blocks, blocks * 128 * 128 / pairs, 0.02 * share.blocks) << text << causal;
    }
  }
}

TEST(PackedShare, IsBoundedForUnreasonableInput) {
  // No block of this mask can be ruled out; rows of a trillion tokens, documents of one.
  const Mask hopeless = mask("doc(b, q) % 7 == doc(b, kv) % 5");
  const PackedShare share = packed_share(hopeless, {.length = 1'000'000'000'000}, {1, 5});
  EXPECT_GT(share.kept, 0);
  EXPECT_GE(share.blocks, 0.99);
  const PackedShare single =
      packed_share(mask("doc(b, q) == doc(b, kv)"), {.length = 1}, {1e15, 0});
  EXPECT_EQ(single.kept, 1);
  EXPECT_EQ(single.blocks, 128 * 128);  // a kernel works through whole blocks
}

TEST(PackedShare, ItsPictureShowsDocumentsAsTriangles) {
  const AttentionExtent extent{.length = 4096};
  const std::vector<double> cells =
      packed_grid(mask("doc(b, q) == doc(b, kv)"), extent, 0, {.mean = 1024, .spread = 0});
  double sum = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_GT(cells[i * 32 + i], 0.3)
        << i;  // 36/64 of a cell, 20/64 where a document ends in its middle
    for (std::size_t j = i + 1; j < 32; ++j) EXPECT_EQ(cells[i * 32 + j], 0);
    for (std::size_t j = 0; j + 9 < i; ++j) EXPECT_EQ(cells[i * 32 + j], 0);  // 8 cells a document
    for (std::size_t j = 0; j < 32; ++j) sum += cells[i * 32 + j];
  }
  EXPECT_GT(sum, 32 * 2);
}

}  // namespace
}  // namespace roofbeam
