#include "engine/json/scan.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "engine/base/text.h"
#include "engine/json/value.h"

namespace roofbeam::json {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// "line 3, column 14", both counted from 1, columns in characters.
std::string place(std::string_view text, std::size_t offset) {
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n")) {
      ++line;
      column = 1;
    } else if (text[i] != '\r' && (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++column;
    }
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

Diagnostic fault_at(std::string_view text, std::size_t offset, std::string code,
                    std::string message, std::string hint) {
  return {.code = std::move(code),
          .path = "",
          .message = place(text, offset) + ": " + std::move(message),
          .hint = std::move(hint)};
}

std::optional<Diagnostic> encoding_fault(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) {
      const std::string byte = quoted(text.substr(i, 1));
      return fault_at(text, i, "json.encoding", "found the byte " + byte + ", wanted UTF-8 text",
                      "save the file as UTF-8; is it a text file at all?");
    }
    i += length;
  }
  return std::nullopt;
}

// What people write where JSON wants a value.
std::string value_hint(std::string_view rest, std::string_view word) {
  struct Row {
    std::string_view word;
    std::string_view hint;
  };
  constexpr Row kRows[] = {
      {"True", "JSON spells it true"},          {"TRUE", "JSON spells it true"},
      {"False", "JSON spells it false"},        {"FALSE", "JSON spells it false"},
      {"None", "JSON spells it null"},          {"undefined", "JSON spells it null"},
      {"nil", "JSON spells it null"},           {"NULL", "JSON spells it null"},
      {"nan", "write NaN, or better a number"}, {"inf", "write Infinity, or better a number"},
  };
  for (const Row& row : kRows)
    if (row.word == word) return std::string(row.hint);
  if (!word.empty()) return "a text needs double quotes around it";
  switch (rest.empty() ? '\0' : rest[0]) {
    case '\'':
      return "JSON puts text in double quotes";
    case '/':
    case '#':
      return "JSON has no comments: remove them";
    case '<':
      return "this looks like a web page: download the file itself";
    case '+':
      return "a JSON number takes no plus sign";
    case '.':
      return "a JSON number needs a digit before the point";
    default:
      return "";
  }
}

// The decimal exponent of a valid number token's first digit that counts, hence 10^result <=
// |value| < 10^(result + 1); nothing for zero.
std::optional<long long> magnitude(std::string_view token) {
  constexpr long long kHuge =
      1'000'000'000'000;  // far beyond what digits of a text can make up for
  const std::size_t e = std::min(token.find_first_of("eE"), token.size());
  const std::string_view digits = token.substr(0, e);
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto exponent = first < point
                            ? static_cast<long long>(point - first) - 1
                            : static_cast<long long>(point) - static_cast<long long>(first);
  if (e == token.size()) return exponent;

  std::string_view written = token.substr(e + 1);
  if (written[0] == '+') written.remove_prefix(1);
  long long shift = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), shift);
  if (error != std::errc()) shift = written[0] == '-' ? -kHuge : kHuge;
  return exponent + std::clamp(shift, -kHuge, kHuge);
}

// 2^1024 - 2^970, half way between the largest double and the next power of two: numbers from here
// on round to infinity.
constexpr std::string_view kFirstInfinite =
    "17976931348623158079372897140530341507993413271003782693617377898044496829276475"
    "09466490179775872070963302864166928879109465555478519404026306574886715058206819"
    "08902000708383676273854845817711531764475730270069855571366959622842914819860834"
    "936475292719074168444365510704342711559699508093042880177904174497792";

bool exceeds_double(std::string_view token) {
  constexpr int kLargest = std::numeric_limits<double>::max_exponent10;  // 308
  static_assert(kFirstInfinite.size() == kLargest + 1);
  const std::optional<long long> exponent = magnitude(token);
  if (!exponent || *exponent != kLargest) return exponent && *exponent > kLargest;

  std::size_t compared = 0;
  for (std::size_t i = token.find_first_of("123456789"); i < token.size(); ++i) {
    if (token[i] == '.') continue;
    if (!is_digit(token[i]) || compared == kFirstInfinite.size()) break;
    const char limit = kFirstInfinite[compared++];
    if (token[i] != limit) return token[i] > limit;
  }
  return compared == kFirstInfinite.size();  // its last digit is not 0
}

bool is_integer_beyond_64_bits(std::string_view token) {
  if (token.find_first_of(".eE") != std::string_view::npos) return false;
  const char* end = token.data() + token.size();
  std::int64_t whole = 0;
  std::uint64_t positive = 0;
  return std::from_chars(token.data(), end, whole).ec != std::errc() &&
         std::from_chars(token.data(), end, positive).ec != std::errc();
}

// What the grammar allows next.
enum class Next { value, value_or_end, key, key_or_end, colon, comma_or_end, nothing };

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Scan run() && {
    scan_.fault = encoding_fault(text_);
    while (!scan_.fault) {
      at_ = std::min(text_.find_first_not_of(" \t\n\r", at_), text_.size());
      if (at_ == text_.size() && next_ == Next::nothing) break;
      step();
    }
    scan_.text += text_.substr(copied_);
    return std::move(scan_);
  }

 private:
  struct Open {
    char bracket;
    std::size_t offset;
  };

  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  // The word that starts at an offset: what a message calls the thing found there.
  std::string_view word_at(std::size_t offset) const {
    std::size_t end = offset;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return text_.substr(offset, end - offset);
  }

  void fail(std::size_t offset, std::string message, std::string hint = "",
            std::string code = "json.syntax") {
    scan_.fault = fault_at(text_, offset, std::move(code), std::move(message), std::move(hint));
  }

  void fail_expecting(std::string_view wanted, std::string hint) {
    const std::string_view rest = text_.substr(at_);
    std::string found = "the end of the text";
    if (!rest.empty()) {
      const std::string_view word = word_at(at_);
      found = quoted(word.empty() ? rest.substr(0, utf8_length(rest)) : word);
    } else if (!open_.empty()) {
      hint = std::string("the ") + (open_.back().bracket == '{' ? "object" : "array") +
             " opened at " + place(text_, open_.back().offset) +
             " is not closed; is the text cut off?";
    }
    fail(at_, "found " + found + ", wanted " + std::string(wanted), std::move(hint));
  }

  void step() {
    const char c = here();
    switch (next_) {
      case Next::nothing:
        return fail_expecting("nothing after the value",
                              c == '{' || c == '[' ? "give one JSON value, not several" : "");
      case Next::colon:
        if (c != ':') return fail_expecting("a colon after the key", "");
        ++at_;
        next_ = Next::value;
        return;
      case Next::comma_or_end:
        if (c == ',') {
          ++at_;
          next_ = open_.back().bracket == '{' ? Next::key : Next::value;
          return;
        }
        if (c == closing()) return close();
        return fail_expecting(std::string("a comma or \"") + closing() + '"',
                              c == '/' || c == '#' ? value_hint(text_.substr(at_), "") : "");
      case Next::key_or_end:
        if (c == '}') return close();
        [[fallthrough]];
      case Next::key:
        if (c == '"') {
          string();
          next_ = Next::colon;
          return;
        }
        return fail_expecting(
            next_ == Next::key ? "a key in double quotes" : "a key in double quotes or \"}\"",
            c == '}' ? "remove the comma before it" : value_hint(text_.substr(at_), word_at(at_)));
      case Next::value_or_end:
        if (c == ']') return close();
        [[fallthrough]];
      case Next::value:
        return value();
    }
  }

  void value() {
    const char c = here();
    if (c == '"') {
      string();
      return done();
    }
    if (c == '{' || c == '[') return open();
    if (is_digit(c) || c == '-') return number();
    const std::string_view word = word_at(at_);
    if (word == "NaN") return special(word, std::numeric_limits<double>::quiet_NaN());
    if (word == "Infinity") return special(word, std::numeric_limits<double>::infinity());
    if (word == "true" || word == "false" || word == "null") {
      at_ += word.size();
      return done();
    }
    const bool trailing_comma =
        c == ']' && next_ == Next::value && !open_.empty() && closing() == c;
    fail_expecting(
        next_ == Next::value_or_end ? "a value or \"]\"" : "a value",
        trailing_comma ? "remove the comma before it" : value_hint(text_.substr(at_), word));
  }

  void open() {
    if (open_.size() == kMaxDepth)
      return fail(at_,
                  "found more than " + std::to_string(kMaxDepth) + " nested levels, wanted fewer",
                  "", "json.too_deep");
    open_.push_back({here(), at_});
    next_ = here() == '{' ? Next::key_or_end : Next::value_or_end;
    ++at_;
  }

  char closing() const { return open_.back().bracket == '{' ? '}' : ']'; }

  void close() {
    open_.pop_back();
    ++at_;
    done();
  }

  // A value is complete.
  void done() { next_ = open_.empty() ? Next::nothing : Next::comma_or_end; }

  void string() {
    const std::size_t start = at_++;
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_];
      if (c == '\\') {
        if (!escape()) return;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        const bool line_break = c == '\n' || c == '\r';
        return fail(at_,
                    (line_break ? "found a line break"
                                : "found the control character " + quoted(text_.substr(at_, 1))) +
                        " inside a text, wanted " +
                        (line_break ? "its closing quote" : "it escaped"),
                    line_break ? "a line break inside a text is written \\n"
                               : "a control character is written as \\t or \\u00XX");
      } else {
        ++at_;
      }
    }
    if (at_ == text_.size())
      return fail(at_, "found the end of the text, wanted a closing quote",
                  "the quote at " + place(text_, start) + " is not closed; is the text cut off?");
    ++at_;
  }

  // The four hexadecimal digits of \uXXXX at an offset, or nothing.
  std::optional<unsigned> unicode_escape(std::size_t offset) const {
    const std::string_view token = text_.substr(offset, 6);
    if (token.size() < 6 || token[0] != '\\' || token[1] != 'u' ||
        !std::ranges::all_of(token.substr(2), is_hex))
      return std::nullopt;
    unsigned value = 0;
    std::from_chars(token.data() + 2, token.data() + 6, value, 16);
    return value;
  }

  bool escape() {
    const std::size_t start = at_;
    const char kind = start + 1 < text_.size() ? text_[start + 1] : '\0';
    if (kind != 'u') {
      if (std::string_view("\"\\/bfnrt").find(kind) != std::string_view::npos) {
        at_ += 2;
        return true;
      }
      const std::size_t length = utf8_length(text_.substr(std::min(start + 1, text_.size())));
      fail(start,
           "found the escape " + quoted(text_.substr(start, 1 + length)) +
               ", wanted one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u",
           "a backslash itself is written \\\\");
      return false;
    }
    const std::optional<unsigned> unit = unicode_escape(start);
    if (!unit) {
      fail(start, "found the escape " + quoted(text_.substr(start, 2)) +
                      ", wanted four hexadecimal digits after it");
      return false;
    }
    const bool high = *unit >= 0xD800 && *unit < 0xDC00;
    const bool low = *unit >= 0xDC00 && *unit < 0xE000;
    const unsigned second = high ? unicode_escape(start + 6).value_or(0) : 0;
    if (low || (high && (second < 0xDC00 || second >= 0xE000))) {
      fail(start, "found the escape " + quoted(text_.substr(start, 6)) +
                      ", half of a surrogate pair, wanted both halves");
      return false;
    }
    at_ += high ? 12 : 6;
    return true;
  }

  void number() {
    std::size_t end = at_;
    while (end < text_.size() && (is_word(text_[end]) || std::string_view("+-.").find(text_[end]) !=
                                                             std::string_view::npos))
      ++end;
    const std::string_view token = text_.substr(at_, end - at_);
    if (token == "-Infinity") return special(token, -std::numeric_limits<double>::infinity());
    if (const std::string_view wanted = number_fault(token); !wanted.empty())
      return fail(at_, "found " + quoted(token) + ", wanted " + std::string(wanted));

    if (exceeds_double(token)) {
      const double infinity = std::numeric_limits<double>::infinity();
      return special(token, token[0] == '-' ? -infinity : infinity);
    }
    at_ = end;
    ++numbers_;
    if (is_integer_beyond_64_bits(token)) replace(token, std::string(token) + "e0");
    done();
  }

  // What a token lacks of being a number; empty for a number.
  static std::string_view number_fault(std::string_view token) {
    std::size_t i = token[0] == '-' ? 1 : 0;
    const auto digits = [&] {
      const std::size_t first = i;
      while (i < token.size() && is_digit(token[i])) ++i;
      return i - first;
    };
    const std::size_t first = i;
    const std::size_t whole = digits();
    if (whole == 0) return "a digit after the minus sign";
    if (whole > 1 && token[first] == '0') return "a number without leading zeros";
    if (i < token.size() && token[i] == '.') {
      ++i;
      if (digits() == 0) return "a digit after the decimal point";
    }
    if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
      ++i;
      if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
      if (digits() == 0) return "a digit in the exponent";
    }
    return i == token.size() ? "" : "a number";
  }

  void special(std::string_view token, double number) {
    scan_.specials.push_back({.index = numbers_++, .token = token, .value = number});
    at_ += token.size();
    replace(token, "0");
    done();
  }

  void replace(std::string_view token, std::string_view spelling) {
    const auto offset = static_cast<std::size_t>(token.data() - text_.data());
    scan_.text += text_.substr(copied_, offset - copied_);
    scan_.text += spelling;
    copied_ = offset + token.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Next next_ = Next::value;
  std::vector<Open> open_;
  std::size_t numbers_ = 0;  // numbers passed
  std::size_t copied_ = 0;   // how much of the text is in scan_.text
  Scan scan_;
};

}  // namespace

Scan scan(std::string_view text) { return Scanner(text).run(); }

}  // namespace roofbeam::json
