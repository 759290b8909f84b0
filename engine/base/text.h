#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofbeam {

// The candidate a mistyped name most likely meant: the smallest edit distance (insertions,
// deletions, substitutions and swaps of neighbours, ignoring case), at most a third of the name's
// length and at least one, so long as the two have something in common. Nothing where none is that
// close, or where the name is longer than 200 bytes. The first of equals wins.
[[nodiscard]] std::optional<std::string> closest_name(std::string_view name,
                                                      std::span<const std::string_view> candidates);
[[nodiscard]] std::optional<std::string> closest_name(std::string_view name,
                                                      std::span<const std::string> candidates);

// "did you mean \"heads\"?" for the closest candidate, else the empty string.
[[nodiscard]] std::string closest_hint(std::string_view name,
                                       std::span<const std::string_view> candidates);
[[nodiscard]] std::string closest_hint(std::string_view name,
                                       std::span<const std::string> candidates);

[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);
[[nodiscard]] std::string join(std::span<const std::string_view> parts, std::string_view separator);

// Pieces between separators; "a//b" gives an empty middle piece, "" one empty piece.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

// Without the spaces, tabs and line breaks at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

// Bytes of the well-formed UTF-8 character that `text` starts with; 0 where there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

// Text of anybody's making, made fit for one line of a message: control characters, invisible
// direction marks and stray bytes escaped, cut to `limit` bytes at a character's border with an
// ellipsis, in double quotes.
[[nodiscard]] std::string quoted(std::string_view text, std::size_t limit = 60);

// [A-Za-z_][A-Za-z0-9_]*
[[nodiscard]] bool is_identifier(std::string_view text);

// The shortest decimal text that reads back as the same double, spelled as JavaScript spells
// numbers: 4096, 0.1, 1e+21, 1.5e-7; -0 is 0. "NaN", "Infinity", "-Infinity" for what JSON cannot
// hold.
[[nodiscard]] std::string shortest(double value);

// JavaScript's toFixed: `digits` decimals (0 to 22), exact ties rounded away from zero; from 1e21
// on the same as `shortest`.
[[nodiscard]] std::string fixed(double value, int digits);

// The nearest integer, ties upwards, as JavaScript's Math.round: -2.5 gives -2.
[[nodiscard]] double round_half_up(double value);

}  // namespace roofbeam
