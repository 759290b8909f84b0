#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/json/value.h"

namespace roofbeam::cli {

// A command line taken apart. Values are not judged here: they become a request, and the request's
// reader judges them for every door alike.
struct Arguments {
  std::string command;
  std::vector<std::string> models;  // presets or files, as given
  json::Object options;             // the operating point, by request key
  json::Object members;             // other members of the request, by key
  std::optional<std::string> family;  // new
  std::optional<std::string> name;  // import: the design's name
  std::optional<std::string> out;   // where to write
  std::optional<std::string> path;  // explain: the block
  std::optional<std::string> head;  // explain: whose mask is drawn
  std::optional<std::string> device_file;  // devices of the user's own
  std::optional<json::Value> device_profile;  // what that file holds
  std::optional<std::string> trace_file;   // text-generate: where the timeline goes
  bool expand = false;              // show: open composites
  bool json = false;
};

// Either arguments, or text to print and leave: help (exit code 0) or a usage error (2).
struct ParsedArguments {
  Arguments arguments;
  bool stop = false;
  std::string out;
  std::string err;
  int exit_code = 0;
};

[[nodiscard]] ParsedArguments parse_arguments(std::span<const std::string> args);

// A flag's text as the JSON value it spells: a number, or text for the request's reader to judge.
[[nodiscard]] json::Value value_of(const std::string& text);

// The flag a request's JSON Pointer came from: "/options/parallel/tp" -> "--tp"; "" for others.
[[nodiscard]] std::string flag_of(std::string_view pointer);

// Where a command's usage is found, as the last line of a usage error; "" for the program itself.
[[nodiscard]] std::string usage_line(std::string_view command);

}  // namespace roofbeam::cli
