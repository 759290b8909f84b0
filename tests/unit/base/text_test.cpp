#include "engine/base/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace roofbeam {
namespace {

using std::string_view_literals::operator""sv;

TEST(ClosestName, FindsTheTypo) {
  constexpr std::array kNames{"heads"sv, "kv_heads"sv, "head_dim"sv, "hidden_size"sv, "bias"sv};
  struct Case {
    std::string_view name;
    std::optional<std::string> closest;
  };
  const Case kCases[] = {
      {"heads", "heads"},              // itself
      {"haeds", "heads"},              // swap
      {"head", "heads"},               // insertion
      {"headss", "heads"},             // deletion
      {"heeds", "heads"},              // substitution
      {"HEADS", "heads"},              // case is no distance
      {"hiden_size", "hidden_size"},   //
      {"hdidne_sise", "hidden_size"},  // two swaps and a substitution: 3 <= 11 / 3
      {"hdidne_sixs", std::nullopt},   // one more substitution: 4 > 11 / 3
      {"kvheads", "kv_heads"},         //
      {"bais", "bias"},                // a swap counts one: 4 / 3 = 1
      {"bsai", std::nullopt},          //
      {"vocab_size", std::nullopt},    //
      {"", std::nullopt},              //
      {"x", std::nullopt},             // one letter for another has nothing in common
  };
  for (const Case& c : kCases) EXPECT_EQ(closest_name(c.name, kNames), c.closest) << c.name;
}

TEST(ClosestName, ShortNames) {
  constexpr std::array kNames{"T"sv, "dp"sv, ""sv};
  EXPECT_EQ(closest_name("t", kNames), "T");
  EXPECT_EQ(closest_name("B", kNames), std::nullopt);
  EXPECT_EQ(closest_name("pp", kNames), "dp");
  EXPECT_EQ(closest_name("pd", kNames), "dp");
  EXPECT_EQ(closest_name("", kNames), "");
}

TEST(ClosestName, TheFirstOfEqualsAndTheSmallestDistance) {
  const std::vector<std::string> names{"layer_a", "layer_b", "layers_c"};
  EXPECT_EQ(closest_name("layer_x", names), "layer_a");
  EXPECT_EQ(closest_name("layers_d", names), "layers_c");
  EXPECT_EQ(closest_name("layer_b", names), "layer_b");
  EXPECT_EQ(closest_name("layer", std::vector<std::string>()), std::nullopt);
}

TEST(ClosestName, HostileLengths) {
  const std::string long_name(1 << 20, 'a');
  const std::vector<std::string> names{long_name, std::string(200, 'a'), "a"};
  EXPECT_EQ(closest_name(long_name, names), std::nullopt);
  EXPECT_EQ(closest_name(std::string(200, 'a'), names), std::string(200, 'a'));
  EXPECT_EQ(closest_name(std::string(201, 'a'), names), std::nullopt);
  // The longest candidate still considered is a third longer than the longest name.
  EXPECT_EQ(closest_name(std::string(200, 'a'), std::vector{std::string(266, 'a')}),
            std::string(266, 'a'));
  EXPECT_EQ(closest_name(std::string(200, 'a'), std::vector{std::string(267, 'a')}), std::nullopt);
}

// The full table without shortcuts.
std::size_t plain_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

TEST(ClosestName, AgreesWithThePlainDistance) {
  std::mt19937 random(7);
  const auto word = [&] {
    std::string text(1 + random() % 12, ' ');
    for (char& c : text) c = static_cast<char>('a' + random() % 3);
    return text;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::string name = word();
    const std::vector<std::string> candidates{word(), word(), word(), word()};
    const std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
    std::optional<std::string> expected;
    std::size_t best = limit + 1;
    for (const std::string& candidate : candidates) {
      const std::size_t distance = plain_distance(name, candidate);
      if (distance == std::max(name.size(), candidate.size())) continue;
      if (distance < best) {
        best = distance;
        expected = candidate;
      }
    }
    EXPECT_EQ(closest_name(name, candidates), expected) << name << ": " << join(candidates, " ");
  }
}

TEST(ClosestHint, AsksOrStaysSilent) {
  constexpr std::array kNames{"heads"sv};
  EXPECT_EQ(closest_hint("head", kNames), "did you mean \"heads\"?");
  EXPECT_EQ(closest_hint("layers", kNames), "");
  EXPECT_EQ(closest_hint("head", std::vector<std::string>{"heads"}), "did you mean \"heads\"?");
}

TEST(Text, Join) {
  EXPECT_EQ(join(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(join(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(join(std::vector<std::string>{"a", "", "c"}, ", "), "a, , c");
  EXPECT_EQ(join(std::array{"a"sv, "b"sv}, "/"), "a/b");
}

TEST(Text, Split) {
  EXPECT_EQ(split("a//b", '/'), (std::vector{"a"sv, ""sv, "b"sv}));
  EXPECT_EQ(split("", '/'), std::vector{""sv});
  EXPECT_EQ(split("/", '/'), (std::vector{""sv, ""sv}));
  EXPECT_EQ(split("abc", '/'), std::vector{"abc"sv});
}

TEST(Text, Trimmed) {
  EXPECT_EQ(trimmed("  a b\t\r\n"), "a b");
  EXPECT_EQ(trimmed(" \v\f "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("a"), "a");
}

TEST(Text, Utf8Length) {
  struct Case {
    std::string_view text;
    std::size_t length;
  };
  constexpr Case kCases[] = {
      {"", 0},
      {"a", 1},
      {"\0"sv, 1},
      {"é", 2},
      {"€ and more", 3},
      {"😀", 4},
      {"\x80", 0},              // a continuation alone
      {"\xC3", 0},              // cut off
      {"\xE2\x82", 0},          //
      {"\xF0\x9F\x98", 0},      //
      {"\xC3z", 0},             //
      {"\xC0\x80", 0},          // overlong forms
      {"\xC1\xBF", 0},          //
      {"\xE0\x9F\xBF", 0},      //
      {"\xF0\x8F\xBF\xBF", 0},  //
      {"\xED\xA0\x80", 0},      // a surrogate
      {"\xED\x9F\xBF", 3},      // the last character before them
      {"\xEE\x80\x80", 3},      // the first after them
      {"\xF4\x8F\xBF\xBF", 4},  // U+10FFFF
      {"\xF4\x90\x80\x80", 0},  // beyond it
      {"\xF5\x80\x80\x80", 0},  //
      {"\xFF", 0},              //
  };
  for (const Case& c : kCases) EXPECT_EQ(utf8_length(c.text), c.length) << roofbeam::quoted(c.text);
}

TEST(Text, Quoted) {
  struct Case {
    std::string_view text;
    std::size_t limit;
    std::string_view quoted;
  };
  constexpr Case kCases[] = {
      {"abc", 60, "\"abc\""},
      {"", 60, "\"\""},
      {"two\nlines\tand \x1B[31m", 60, "\"two\\nlines\\tand \\u001b[31m\""},
      {"\0"sv, 60, "\"\\u0000\""},
      {"<script>é😀", 60, "\"<script>é😀\""},
      {"abcdef", 6, "\"abcdef\""},
      {"abcdefg", 6, "\"abcdef…\""},
      {"aéé", 4, "\"aé…\""},        // never half a character
      {"ab\ncd", 3, "\"ab…\""},     // nor half an escape
      {"\xFFz", 60, "\"\\xffz\""},  // bytes that are no UTF-8
      {"a\xE2\x80\xAE"
       "b",
       60, "\"a\\u202eb\""},  // turns the direction of what follows
      {"\xC2\x9B"
       "1m",
       60, "\"\\u009b1m\""},  // starts a terminal's command
      {"\x7F", 60, "\"\\u007f\""},
  };
  for (const Case& c : kCases) EXPECT_EQ(roofbeam::quoted(c.text, c.limit), c.quoted);
}

TEST(Text, IsIdentifier) {
  for (const char* yes : {"a", "_", "Z9", "kv_heads", "_1"}) EXPECT_TRUE(is_identifier(yes)) << yes;
  for (const char* no : {"", "9a", "a-b", "a b", "é", "a.b"}) EXPECT_FALSE(is_identifier(no)) << no;
}

}  // namespace
}  // namespace roofbeam
