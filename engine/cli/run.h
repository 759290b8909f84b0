#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace roofbeam::cli {

// The files a command line sees; the engine itself knows none. Paths and contents are bytes.
struct FileSystem {
  std::function<Result<std::string>(std::string_view path)> read;
  // Creates the folders above the file, and replaces it whole or not at all.
  std::function<std::optional<Diagnostic>(std::string_view path, std::string_view text)> write;
  std::function<bool(std::string_view path)> is_directory;
};

// What a command line leaves behind. exit_code: 0 answered; 1 the answer is "no" or the input is
// unreadable; 2 wrong usage.
struct Outcome {
  std::string out;
  std::string err;
  int exit_code = 0;
};

// Runs one command line, without the program's name: {"analyze", "llama-3-8b", "--json"}. The
// native binary and the npm package's bin are this function and print the same bytes.
[[nodiscard]] Outcome run(std::span<const std::string> args, const FileSystem& files);

// A file that cannot be read or written, for `reason` as the system names it ("ENOENT").
[[nodiscard]] Diagnostic unreadable(std::string_view path, std::string_view reason);
[[nodiscard]] Diagnostic unwritable(std::string_view path, std::string_view reason);

}  // namespace roofbeam::cli
