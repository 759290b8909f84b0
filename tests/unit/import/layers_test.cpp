#include "engine/import/layers.h"

#include <gtest/gtest.h>

#include <random>

namespace roofbeam {
namespace {

using Kinds = std::vector<std::size_t>;

Kinds kinds_of(const std::string& letters) {
  Kinds kinds;
  for (const char c : letters) kinds.push_back(static_cast<std::size_t>(c - 'a'));
  return kinds;
}

// "aaab ab ab" as "a*2 ab*3", tails in brackets.
std::string text(const std::vector<LayerRun>& runs) {
  std::string result;
  for (const LayerRun& run : runs) {
    std::string pattern;
    for (const std::size_t kind : run.pattern) pattern += static_cast<char>('a' + kind);
    result += (result.empty() ? "" : " ") +
              (run.tail ? "[" + pattern + "]" : pattern + "*" + std::to_string(run.times));
  }
  return result;
}

struct RunCase {
  const char* layers;
  const char* runs;
};

const RunCase kRuns[] = {
    {"a", "a*1"},
    {"aaaa", "a*4"},
    {"abbbbb", "a*1 b*5"},  // one dense layer before experts
    {"aaabbbb", "a*3 b*4"},
    {"abababab", "ab*4"},  // local, global
    {"abababa", "ab*3 [a]"},
    {"aaabaaabaa", "aaab*2 [aa]"},  // five to one, cut off
    {"caaabaaab", "c*1 aaab*2"},
    {"aabb", "a*2 b*2"},
    {"abcabcd", "abc*2 d*1"},
    {"abc", "a*1 b*1 c*1"},        // nothing repeats
    {"aaaabaaaa", "a*4 b*1 a*4"},  // one dense layer in the middle
};

class Runs : public testing::TestWithParam<RunCase> {};

TEST_P(Runs, AreFew) { EXPECT_EQ(text(layer_runs(kinds_of(GetParam().layers))), GetParam().runs); }

INSTANTIATE_TEST_SUITE_P(Cases, Runs, testing::ValuesIn(kRuns));

TEST(RunsProperty, SpellTheSameLayers) {
  std::mt19937 random(20250101);
  for (int i = 0; i < 2000; ++i) {
    Kinds kinds(1 + random() % 40);
    for (std::size_t& kind : kinds) kind = random() % 3;
    Kinds spelled;
    for (const LayerRun& run : layer_runs(kinds))
      for (std::size_t n = 0; n < run.times; ++n)
        spelled.insert(spelled.end(), run.pattern.begin(), run.pattern.end());
    ASSERT_EQ(spelled, kinds) << "case " << i;
  }
}

TEST(RunsLimit, LongPatternsAreSpelledOut) {
  Kinds kinds;
  for (std::size_t i = 0; i < 4 * (kMaxPattern + 1); ++i) kinds.push_back(i % (kMaxPattern + 1));
  EXPECT_EQ(layer_runs(kinds).size(), kinds.size());
}

}  // namespace
}  // namespace roofbeam
