#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// What the readers of shape expressions and of attention expressions share.
namespace roofbeam::lexical {

// The closest of more names than this is not looked for: real designs have thirty symbols, and one
// with ten thousand may have as many mistakes.
inline constexpr std::size_t kMaxHintedNames = 200;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The position behind the whitespace that starts at `position`.
[[nodiscard]] std::size_t space_end(std::string_view text, std::size_t position);

// The position behind the name that starts at `position`.
[[nodiscard]] std::size_t name_end(std::string_view text, std::size_t position);

// Whether a decimal number starts at `position`: a digit, or a point and a digit.
[[nodiscard]] bool at_number(std::string_view text, std::size_t position);

// The position behind the number that starts at `position`: digits with single underscores between
// them, a point, an exponent. "2e" is 2 and a name.
[[nodiscard]] std::size_t number_end(std::string_view text, std::size_t position);

// The whole character at `position`, which may take several bytes.
[[nodiscard]] std::string_view character_at(std::string_view text, std::size_t position);

// mantissa * 10^-places. Digits beyond the nineteenth count as zeros; places are cut at +-999, far
// beyond what a double can tell from zero or infinity.
struct Decimal {
  std::int64_t mantissa = 0;
  std::int64_t places = 0;
};
[[nodiscard]] Decimal decimal_of(std::string_view number);

// To the nearest double where the number has at most fifteen digits and twenty-two places, else
// within a few units of the last place, the same on every platform.
[[nodiscard]] double value_of(Decimal decimal);

}  // namespace roofbeam::lexical
