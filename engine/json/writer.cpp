#include "engine/json/writer.h"

#include <cmath>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/text.h"

namespace roofbeam::json {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kIndent = 2;

void append_control(std::string& text, unsigned char c) {
  switch (c) {
    case '\b':
      text += "\\b";
      break;
    case '\f':
      text += "\\f";
      break;
    case '\n':
      text += "\\n";
      break;
    case '\r':
      text += "\\r";
      break;
    case '\t':
      text += "\\t";
      break;
    default:
      text += "\\u00";
      text += "0123456789abcdef"[c >> 4];
      text += "0123456789abcdef"[c & 15];
  }
}

// Bytes that are no UTF-8 become U+FFFD: what is written must be JSON whatever the text was.
void append_string(std::string& text, std::string_view value) {
  text += '"';
  std::size_t copied = 0;
  std::size_t i = 0;
  while (i < value.size()) {
    const auto c = static_cast<unsigned char>(value[i]);
    const bool ascii = c < 0x80;
    if (ascii && c >= 0x20 && c != '"' && c != '\\') {  // nearly every character
      ++i;
      continue;
    }
    const std::size_t length = ascii ? 1 : utf8_length(value.substr(i));
    if (length > 0 && !ascii) {
      i += length;
      continue;
    }
    text += value.substr(copied, i - copied);
    if (length == 0)
      text += "\uFFFD";
    else if (c < 0x20)
      append_control(text, c);
    else
      (text += '\\') += value[i];
    copied = ++i;
  }
  text += value.substr(copied);
  text += '"';
}

void append_number(std::string& text, double value) {
  text += std::isfinite(value) ? shortest(value) : "null";
}

void append_scalar(std::string& text, const Value& value) {
  if (value.is_null())
    text += "null";
  else if (value.is_bool())
    text += value.boolean() ? "true" : "false";
  else if (value.is_integer())
    text += std::to_string(value.integer());
  else if (value.is_number())
    append_number(text, value.number());
  else
    append_string(text, value.string());
}

bool is_container(const Value& value) { return value.is_object() || value.is_array(); }

std::size_t size_of(const Value& container) {
  return container.is_object() ? container.object().size() : container.array().size();
}

const Value& child_of(const Value& container, std::size_t index) {
  return container.is_object() ? container.object()[index].second : container.array()[index];
}

// Characters, of which each takes one column.
std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

// Lays a value out in two passes over its nodes, parents before children: the first writes out
// every key and scalar and adds up how wide each container is on one line, the second puts these
// pieces together. Without recursion, however deep the value.
class Printer {
 public:
  explicit Printer(const Value& value) : root_(value) {
    measure();
    print();
    text_ += '\n';
  }

  std::string take() && { return std::move(text_); }

 private:
  struct Open {
    const Value* container;
    std::size_t next = 0;    // child
    std::size_t node = 0;    // its index in widths_
    bool is_broken = false;  // over several lines
  };

  void measure() {
    std::vector<Open> open;
    const auto visit = [&](const Value& value) {
      widths_.push_back(0);
      if (is_container(value)) {
        open.push_back({.container = &value, .node = widths_.size() - 1});
        return;
      }
      const std::size_t start = spellings_.size();
      append_scalar(spellings_, value);
      widths_.back() = columns(std::string_view(spellings_).substr(start));
      ends_.push_back(spellings_.size());
      if (!open.empty()) widths_[open.back().node] += widths_.back();
    };
    visit(root_);
    while (!open.empty()) {
      Open& level = open.back();
      const Value& container = *level.container;
      const std::size_t size = size_of(container);
      if (level.next == size) {
        // "{ " and " }", or "[" and "]", and ", " between children
        std::size_t& width = widths_[level.node];
        width += container.is_object() && size > 0 ? 4 : 2;
        if (size > 1) width += 2 * (size - 1);
        const std::size_t complete = width;
        open.pop_back();
        if (!open.empty()) widths_[open.back().node] += complete;
        continue;
      }
      const std::size_t index = level.next++;
      if (container.is_object()) {
        const std::size_t start = spellings_.size();
        append_string(spellings_, container.object()[index].first);
        spellings_ += ": ";
        widths_[level.node] += columns(std::string_view(spellings_).substr(start));
        ends_.push_back(spellings_.size());
      }
      visit(child_of(container, index));
    }
  }

  void print() {
    std::vector<Open> open;
    std::size_t node = 0;
    std::size_t start_of_line = 0;  // in text_
    const auto visit = [&](const Value& value) {
      const std::size_t width = widths_[node++];
      if (!is_container(value)) return copy_piece();
      bool is_broken = false;
      if (size_of(value) > 0 && (open.empty() || open.back().is_broken)) {
        const bool comma_follows =
            !open.empty() && open.back().next < size_of(*open.back().container);
        const std::size_t used = columns(std::string_view(text_).substr(start_of_line));
        is_broken = used + width + (comma_follows ? 1 : 0) > kColumns;
      }
      open.push_back({.container = &value, .is_broken = is_broken});
      text_ += value.is_object() ? '{' : '[';
    };
    const auto new_line = [&](std::size_t depth) {
      text_ += '\n';
      start_of_line = text_.size();
      text_.append(kIndent * depth, ' ');
    };
    visit(root_);
    while (!open.empty()) {
      Open& level = open.back();
      const Value& container = *level.container;
      const std::size_t size = size_of(container);
      const bool is_object = container.is_object();
      if (level.next == size) {
        if (level.is_broken)
          new_line(open.size() - 1);
        else if (is_object && size > 0)
          text_ += ' ';
        text_ += is_object ? '}' : ']';
        open.pop_back();
        continue;
      }
      if (level.next > 0) text_ += level.is_broken ? "," : ", ";
      if (level.is_broken)
        new_line(open.size());
      else if (is_object && level.next == 0)
        text_ += ' ';
      if (is_object) copy_piece();
      visit(child_of(container, level.next++));
    }
  }

  void copy_piece() {
    const std::size_t end = ends_[piece_++];
    text_ += std::string_view(spellings_).substr(copied_, end - copied_);
    copied_ = end;
  }

  const Value& root_;
  std::vector<std::size_t> widths_;  // of each node on one line, in columns
  std::string spellings_;            // of all keys and scalars
  std::vector<std::size_t> ends_;    // of each spelling; it starts where the one before ends
  std::size_t piece_ = 0;            // spellings printed
  std::size_t copied_ = 0;           // bytes of spellings_ printed
  std::string text_;
};

}  // namespace

std::string write(const Value& value, Layout layout) {
  if (layout == Layout::readable) return Printer(value).take();
  Writer writer;
  writer.value(value);
  return writer.take();
}

Writer& Writer::begin_object() { return begin('{'); }
Writer& Writer::end_object() { return end('{', '}'); }
Writer& Writer::begin_array() { return begin('['); }
Writer& Writer::end_array() { return end('[', ']'); }

Writer& Writer::key(std::string_view name) {
  ROOFBEAM_CHECK(!open_.empty() && open_.back() == '{' && !after_key_);
  separate();
  append_string(text_, name);
  text_ += ':';
  after_key_ = true;
  return *this;
}

Writer& Writer::string(std::string_view text) {
  before_value();
  append_string(text_, text);
  return *this;
}

Writer& Writer::number(double value) {
  before_value();
  append_number(text_, value);
  return *this;
}

Writer& Writer::integer(std::int64_t value) {
  before_value();
  text_ += std::to_string(value);
  return *this;
}

Writer& Writer::boolean(bool value) {
  before_value();
  text_ += value ? "true" : "false";
  return *this;
}

Writer& Writer::null() {
  before_value();
  text_ += "null";
  return *this;
}

Writer& Writer::value(const Value& value) {
  struct Open {
    const Value* container;
    std::size_t next = 0;  // child
  };
  std::vector<Open> open;
  const auto visit = [&](const Value& node) {
    if (!is_container(node)) {
      before_value();
      append_scalar(text_, node);
      return;
    }
    begin(node.is_object() ? '{' : '[');
    open.push_back({.container = &node});
  };
  visit(value);
  while (!open.empty()) {
    const Value& container = *open.back().container;
    if (open.back().next == size_of(container)) {
      container.is_object() ? end_object() : end_array();
      open.pop_back();
      continue;
    }
    const std::size_t index = open.back().next++;
    if (container.is_object()) key(container.object()[index].first);
    visit(child_of(container, index));
  }
  return *this;
}

std::string Writer::take() {
  ROOFBEAM_CHECK(open_.empty() && !text_.empty());
  first_ = true;
  return std::exchange(text_, {});
}

Writer& Writer::begin(char bracket) {
  before_value();
  text_ += bracket;
  open_ += bracket;
  first_ = true;
  return *this;
}

Writer& Writer::end(char bracket, char closing) {
  ROOFBEAM_CHECK(!open_.empty() && open_.back() == bracket && !after_key_);
  open_.pop_back();
  text_ += closing;
  first_ = false;
  return *this;
}

void Writer::before_value() {
  const bool in_object = !open_.empty() && open_.back() == '{';
  ROOFBEAM_CHECK(in_object == after_key_ && (!open_.empty() || text_.empty()));
  if (!in_object) separate();
  after_key_ = false;
}

void Writer::separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

}  // namespace roofbeam::json
