#include "engine/algebra/lexical.h"

#include <algorithm>
#include <limits>

namespace roofbeam::lexical {
namespace {

bool digit_at(std::string_view text, std::size_t position) {
  return position < text.size() && is_digit(text[position]);
}

std::size_t digits_end(std::string_view text, std::size_t position) {
  while (digit_at(text, position) ||
         (position > 0 && position < text.size() && text[position] == '_' &&
          is_digit(text[position - 1]) && digit_at(text, position + 1))) {
    ++position;
  }
  return position;
}

}  // namespace

std::size_t space_end(std::string_view text, std::size_t position) {
  while (position < text.size() && is_space(text[position])) ++position;
  return position;
}

std::size_t name_end(std::string_view text, std::size_t position) {
  while (position < text.size() && is_name_part(text[position])) ++position;
  return position;
}

bool at_number(std::string_view text, std::size_t position) {
  return digit_at(text, position) ||
         (position < text.size() && text[position] == '.' && digit_at(text, position + 1));
}

std::size_t number_end(std::string_view text, std::size_t position) {
  position = digits_end(text, position);
  if (position < text.size() && text[position] == '.') position = digits_end(text, position + 1);
  if (position < text.size() && (text[position] == 'e' || text[position] == 'E')) {
    std::size_t exponent = position + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (digit_at(text, exponent)) position = digits_end(text, exponent);
  }
  return position;
}

std::string_view character_at(std::string_view text, std::size_t position) {
  std::size_t length = 1;
  while (position + length < text.size() && (text[position + length] & 0xC0) == 0x80) ++length;
  return text.substr(position, length);
}

Decimal decimal_of(std::string_view number) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kFar = 999;
  Decimal decimal;
  bool after_point = false;
  std::size_t i = 0;
  for (; i < number.size() && number[i] != 'e' && number[i] != 'E'; ++i) {
    if (number[i] == '.') {
      after_point = true;
    } else if (number[i] != '_') {
      const std::int64_t digit = number[i] - '0';
      const bool fits = decimal.mantissa <= (kLargest - digit) / 10;
      if (fits) decimal.mantissa = decimal.mantissa * 10 + digit;
      if (fits && after_point) ++decimal.places;
      if (!fits && !after_point) --decimal.places;
    }
  }
  if (i < number.size()) {
    const bool negative = number[++i] == '-';
    if (number[i] == '-' || number[i] == '+') ++i;
    std::int64_t exponent = 0;
    for (; i < number.size(); ++i) {
      if (number[i] != '_') exponent = std::min(exponent * 10 + number[i] - '0', kFar);
    }
    decimal.places -= negative ? -exponent : exponent;
  }
  decimal.places = std::clamp(decimal.places, -kFar, kFar);
  return decimal;
}

double value_of(Decimal decimal) {
  constexpr std::int64_t kExactPlaces = 22;  // 10^22 is the last power of ten that a double holds
  auto value = static_cast<double>(decimal.mantissa);
  std::int64_t left = decimal.places < 0 ? -decimal.places : decimal.places;
  while (left > 0 && value != 0) {
    double power = 1;
    const std::int64_t step = std::min(left, kExactPlaces);
    for (std::int64_t i = 0; i < step; ++i) power *= 10;
    value = decimal.places < 0 ? value * power : value / power;
    left -= step;
  }
  return value;
}

}  // namespace roofbeam::lexical
