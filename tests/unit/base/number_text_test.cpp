#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <random>

#include "engine/base/decimal.h"
#include "engine/base/text.h"

namespace roofbeam {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Shortest, SpelledLikeJavaScript) {
  struct Case {
    double value;
    const char* text;
  };
  constexpr Case kCases[] = {
      {0, "0"},
      {-0.0, "0"},
      {4096, "4096"},
      {-4096, "-4096"},
      {0.1, "0.1"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {-1.5e300, "-1.5e+300"},
      {1e-6, "0.000001"},
      {1e-7, "1e-7"},
      {1.5e-7, "1.5e-7"},
      {5e-324, "5e-324"},
      {9007199254740992.0, "9007199254740992"},
      {9007199254740994.0, "9007199254740994"},
      {18446744073709551616.0, "18446744073709552000"},
      {std::numeric_limits<double>::max(), "1.7976931348623157e+308"},
      {kInfinity, "Infinity"},
      {-kInfinity, "-Infinity"},
      {kNan, "NaN"},
  };
  for (const Case& c : kCases) EXPECT_EQ(shortest(c.value), c.text);
}

TEST(Fixed, RoundsLikeJavaScript) {
  struct Case {
    double value;
    int digits;
    const char* text;
  };
  constexpr Case kCases[] = {
      {0, 0, "0"},
      {-0.0, 2, "0.00"},
      {-1e-9, 2, "-0.00"},
      {0.5, 0, "1"},       // exact ties go away from zero
      {1.5, 0, "2"},       //
      {2.5, 0, "3"},       //
      {-2.5, 0, "-3"},     //
      {0.125, 2, "0.13"},  //
      {9.5, 0, "10"},      // through all digits
      {999.5, 0, "1000"},  //
      {9.96875, 4, "9.9688"},
      {99.5, 0, "100"},
      {9.9999995, 6, "9.999999"},  // lies below the tie
      {1.005, 2, "1.00"},          // below
      {8.345, 2, "8.35"},          // above
      {1.45, 1, "1.4"},            // below
      {1e20, 2, "100000000000000000000.00"},
      {1e21, 2, "1e+21"},
      {1e-10, 2, "0.00"},
      {5e-324, 22, "0.0000000000000000000000"},
      {0.1, 22, "0.1000000000000000055511"},
      {1234567.1, 22, "1234567.1000000000931322574615"},
      {999999999999999868928.0, 22, "999999999999999868928.0000000000000000000000"},
      {0x1p-127, 22, "0.0000000000000000000000"},
      {kInfinity, 2, "Infinity"},
      {-kInfinity, 2, "-Infinity"},
      {kNan, 2, "NaN"},
  };
  for (const Case& c : kCases) EXPECT_EQ(fixed(c.value, c.digits), c.text);
}

TEST(RoundHalfUp, RoundsLikeJavaScript) {
  struct Case {
    double value;
    double rounded;
  };
  constexpr Case kCases[] = {
      {0.5, 1},
      {1.5, 2},
      {2.5, 3},
      {-0.5, 0},
      {-1.5, -1},
      {-2.5, -2},
      {2.4, 2},
      {-2.6, -3},
      {0.49999999999999994, 0},                  // adding 0.5 would give 1
      {4503599627370497.0, 4503599627370497.0},  // adding 0.5 would give the next
      {1e300, 1e300},
      {kInfinity, kInfinity},
  };
  for (const Case& c : kCases) EXPECT_EQ(round_half_up(c.value), c.rounded) << c.value;
  EXPECT_TRUE(std::isnan(round_half_up(kNan)));
}

// Rows written by a JavaScript engine: data/javascript_numbers.mjs.
TEST(Numbers, AgreeWithJavaScript) {
  std::ifstream file(ROOFBEAM_SOURCE_DIR "/tests/unit/base/data/javascript_numbers.tsv");
  std::string line;
  int rows = 0;
  while (std::getline(file, line)) {
    const std::vector<std::string_view> cells = split(line, '\t');
    ASSERT_EQ(cells.size(), 5u) << line;
    const double value = std::bit_cast<double>(
        std::uint64_t{std::strtoull(std::string(cells[0]).c_str(), nullptr, 16)});
    EXPECT_EQ(shortest(value), cells[1]);
    EXPECT_EQ(fixed(value, std::atoi(std::string(cells[2]).c_str())), cells[3]) << line;
    EXPECT_EQ(shortest(round_half_up(value)), cells[4]) << line;
    ++rows;
  }
  EXPECT_GT(rows, 800);
}

// The standard library's digits, found by another algorithm with other tables.
void expect_standard_digits(double value) {
  char text[40];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
  ASSERT_EQ(error, std::errc());
  std::string digits(text, end);
  const std::size_t e = digits.find('e');
  int exponent = std::atoi(digits.c_str() + e + 1);
  digits.resize(e);
  if (digits.size() > 1) {
    digits.erase(1, 1);  // the point
    exponent -= static_cast<int>(digits.size()) - 1;
  }
  const Decimal decimal = shortest_decimal(value);
  EXPECT_EQ(std::to_string(decimal.digits), digits) << value;
  EXPECT_EQ(decimal.exponent, exponent) << value;
}

TEST(ShortestDecimal, AtEveryPowerOfTwo) {
  for (int exponent = -1074; exponent <= 1023; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    expect_standard_digits(power);
    expect_standard_digits(std::nextafter(power, kInfinity));
    if (exponent > -1074) expect_standard_digits(std::nextafter(power, 0));
  }
}

TEST(ShortestDecimal, AnyBits) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 100000; ++round) {
    const double value = std::abs(std::bit_cast<double>(std::uint64_t{random()}));
    if (std::isfinite(value) && value > 0) expect_standard_digits(value);
  }
}

TEST(Shortest, ReadsBackAsTheSameNumber) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 20000; ++round) {
    const double value = std::bit_cast<double>(std::uint64_t{random()});
    if (!std::isfinite(value)) continue;
    const std::string text = shortest(value);
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
  }
}

}  // namespace
}  // namespace roofbeam
