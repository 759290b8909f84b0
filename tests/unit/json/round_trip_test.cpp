// Laws of reading and writing, on seeded random values and on damaged texts.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "engine/base/text.h"
#include "engine/json/value.h"
#include "engine/json/writer.h"

namespace roofbeam::json {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  Value value(int depth) {
    switch (below(depth > 0 ? 9 : 6)) {
      case 0:
        return {};
      case 1:
        return below(2) == 0;
      case 2:
        return integer();
      case 3:
        return number();
      case 4:
      case 5:
        return text();
      case 6:
      case 7:
        return object(depth);
      default:
        return array(depth);
    }
  }

  std::string text() {
    static const char* const kPieces[] = {
        "a", "Z", "0", " ", "\"", "\\", "/",    "\n",  "\t",  "\x01", "é", "€",
        "😀", "~", "{", "]", ":",  ",",  "\x7F", "NaN", "\\u", "'",    "<", "-Infinity"};
    std::string text;
    for (std::uint64_t i = below(12); i > 0; --i) text += kPieces[below(std::size(kPieces))];
    if (below(8) == 0) text += '\0';
    return text;
  }

 private:
  std::int64_t integer() { return static_cast<std::int64_t>(random_()) >> below(64); }

  // Not a whole number below 2^63: its text would read back as an integer.
  double number() {
    while (true) {
      const double value = std::bit_cast<double>(random_());
      if (std::isfinite(value) && (value != std::floor(value) || std::abs(value) >= 0x1p63))
        return value;
    }
  }

  Value array(int depth) {
    Array items;
    for (std::uint64_t i = below(5); i > 0; --i) items.push_back(value(depth - 1));
    return items;
  }

  Value object(int depth) {
    Value object = Object{};
    for (std::uint64_t i = below(5); i > 0; --i) object.set(text(), value(depth - 1));
    return object;
  }

  std::mt19937_64 random_;
};

TEST(RoundTrip, WhatIsWrittenReadsBack) {
  Generator generator(1);
  for (int round = 0; round < 3000; ++round) {
    const Value value = generator.value(6);
    for (const Layout layout : {Layout::compact, Layout::readable}) {
      const std::string text = write(value, layout);
      const Result<Value> read = parse(text);
      ASSERT_TRUE(read) << text << '\n' << read.errors().front().message;
      ASSERT_EQ(*read, value) << text;
      ASSERT_EQ(write(*read, layout), text);
    }
  }
}

TEST(RoundTrip, BothLayoutsDifferInSpaceOnly) {
  const auto without_space = [](std::string_view text) {
    std::string packed;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (in_string && text[i] == '\\')
        packed += text[i++];
      else if (text[i] == '"')
        in_string = !in_string;
      if (in_string || (text[i] != ' ' && text[i] != '\n')) packed += text[i];
    }
    return packed;
  };
  Generator generator(2);
  for (int round = 0; round < 1000; ++round) {
    const Value value = generator.value(6);
    ASSERT_EQ(without_space(write(value, Layout::readable)), write(value, Layout::compact));
  }
}

TEST(RoundTrip, ReadableLinesFitUnlessOneScalarDoesNot) {
  Generator generator(3);
  for (int round = 0; round < 500; ++round) {
    const std::string text = write(generator.value(7), Layout::readable);
    for (const std::string_view line : split(text, '\n')) {
      std::size_t columns = 0;
      for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      ASSERT_LE(columns, 100u) << line;  // keys and texts of the generator are short
    }
  }
}

TEST(RoundTrip, TheStreamWritesWhatTheTreeWrites) {
  Generator generator(4);
  for (int round = 0; round < 500; ++round) {
    const Value value = generator.value(5);
    Writer writer;
    writer.begin_array().value(value).null().end_array();
    ASSERT_EQ(writer.take(), "[" + write(value, Layout::compact) + ",null]");
  }
}

// Whatever bytes come, the answer is a value or diagnostics fit to be shown, and both passes over
// the text agree: a text that is refused has a fault with a place.
TEST(RoundTrip, DamagedTexts) {
  Generator generator(5);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = write(generator.value(4), Layout::compact);
    for (std::uint64_t i = 1 + generator.below(3); i > 0; --i) {
      const auto at = static_cast<std::size_t>(generator.below(text.size()));
      switch (generator.below(4)) {
        case 0:
          text.erase(at, 1);
          break;
        case 1:
          text.insert(at, 1, "{}[]\",:\\01e.-+NIut \n"[generator.below(20)]);
          break;
        case 2:
          text[at] = static_cast<char>(generator.below(256));
          break;
        default:
          text.resize(at);
          break;
      }
      if (text.empty()) break;
    }
    const Result<Value> result = parse(text);
    if (result) {
      const Result<Value> again = parse(write(*result, Layout::compact));
      ASSERT_TRUE(again) << text;
      continue;
    }
    ++refused;
    for (const Diagnostic& error : result.errors()) {
      ASSERT_NE(error.message, "found a text that is no JSON, wanted one JSON value") << text;
      ASSERT_FALSE(error.message.empty());
      ASSERT_TRUE(parse(write(Value(error.message), Layout::compact)));
      const bool has_place = error.message.starts_with("line ");
      ASSERT_TRUE(has_place || error.code != "json.syntax") << error.message;
    }
  }
  EXPECT_GT(refused, 5000);
}

}  // namespace
}  // namespace roofbeam::json
