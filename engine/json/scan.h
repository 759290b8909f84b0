#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace roofbeam::json {

// A number of a text that simdjson refuses.
struct SpecialNumber {
  std::size_t index;       // among all numbers of the text, counted from 0
  std::string_view token;  // as the text spells it
  double value;            // not finite
};

// What a character-by-character pass makes of a text that simdjson refused without saying where.
struct Scan {
  std::optional<Diagnostic> fault;      // the first reason why the text is no JSON, with its place
  std::string text;                     // the same document for simdjson: integers beyond 64 bits
                                        // got an exponent, the numbers below became 0
  std::vector<SpecialNumber> specials;  // NaN, infinities, and numbers beyond a double's range
};

// Takes time linear in the text, and a few bytes of stack however deep it nests. `text` starts
// behind a byte order mark and must outlive the result. Codes: json.encoding, json.syntax,
// json.too_deep.
[[nodiscard]] Scan scan(std::string_view text);

}  // namespace roofbeam::json
