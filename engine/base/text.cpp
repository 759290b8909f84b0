#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace roofbeam {
namespace {

// Nobody mistypes a name this long; it also bounds the work a hostile name can cause.
constexpr std::size_t kLongestName = 200;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment: Levenshtein's distance where a swap of two neighbours counts one. Gives
// limit + 1 for whatever lies beyond the limit.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;

  // Rows of the table of distances between a's first i and b's first j characters.
  using Row = std::array<std::size_t, 2 * kLongestName>;
  Row rows[3];
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    Row& row = rows[i % 3];
    const Row& above = rows[(i + 2) % 3];
    const Row& two_above = rows[(i + 1) % 3];
    row[0] = i;
    std::size_t best = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]);
      const char y = lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y)
        row[j] = std::min(row[j], two_above[j - 2] + 1);
      best = std::min(best, row[j]);
    }
    // Rows grow by at most one, so that a swap, reaching back two rows, ends beyond the limit too.
    if (best > limit) return limit + 1;
  }
  return std::min(rows[a.size() % 3][b.size()], limit + 1);
}

template <class Text>
std::optional<std::string> closest(std::string_view name, std::span<const Text> candidates) {
  if (name.size() > kLongestName) return std::nullopt;
  std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
  const Text* found = nullptr;
  for (const Text& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate, limit);
    const std::size_t longer = std::max(name.size(), std::string_view(candidate).size());
    if (distance > limit || (distance > 0 && distance == longer)) continue;
    found = &candidate;
    if (distance == 0) break;
    limit = distance - 1;
  }
  if (found == nullptr) return std::nullopt;
  return std::string(*found);
}

std::string hint(const std::optional<std::string>& name) {
  return name ? "did you mean " + quoted(*name) + "?" : std::string();
}

template <class Text>
std::string joined(std::span<const Text> parts, std::string_view separator) {
  std::string text;
  for (const Text& part : parts) {
    if (&part != parts.data()) text += separator;
    text += part;
  }
  return text;
}

void append_hex(std::string& text, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    text += "0123456789abcdef"[(value >> shift) & 15];
}

// The code point of one well-formed character.
std::uint32_t code_point(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead;
  std::uint32_t point = lead & (0xFFu >> (character.size() + 1));
  for (const char c : character.substr(1))
    point = point << 6 | (static_cast<unsigned char>(c) & 63);
  return point;
}

// What breaks a line, hides, or turns the writing direction of the rest of a message.
bool is_invisible(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point <= 0x9F) || (point >= 0x200B && point <= 0x200F) ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2060 && point <= 0x206F) ||
         point == 0xFEFF;
}

std::string escaped(std::uint32_t point) {
  switch (point) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default: {
      std::string text = "\\u";
      append_hex(text, point, 4);
      return text;
    }
  }
}

}  // namespace

std::optional<std::string> closest_name(std::string_view name,
                                        std::span<const std::string_view> candidates) {
  return closest(name, candidates);
}

std::optional<std::string> closest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
  return closest(name, candidates);
}

std::string closest_hint(std::string_view name, std::span<const std::string_view> candidates) {
  return hint(closest_name(name, candidates));
}

std::string closest_hint(std::string_view name, std::span<const std::string> candidates) {
  return hint(closest_name(name, candidates));
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  return joined(parts, separator);
}

std::string join(std::span<const std::string_view> parts, std::string_view separator) {
  return joined(parts, separator);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r\f\v";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// Table 3-7 of the Unicode Standard: no overlong forms, no surrogates, nothing beyond U+10FFFF.
std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

std::string quoted(std::string_view text, std::size_t limit) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    std::string piece(text.substr(0, std::max<std::size_t>(length, 1)));
    text.remove_prefix(piece.size());
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(piece[0]);
      piece = "\\x";
      append_hex(piece, byte, 2);
    } else if (const std::uint32_t point = code_point(piece); is_invisible(point)) {
      piece = escaped(point);
    }
    if (result.size() - 1 + piece.size() > limit) {
      result += "…";
      break;
    }
    result += piece;
  }
  result += '"';
  return result;
}

bool is_identifier(std::string_view text) {
  const auto is_letter = [](char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace roofbeam
