#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "engine/cli/run.h"

// The native binary: the command line over the real file system.
namespace {

namespace fs = std::filesystem;
using roofbeam::Diagnostic;
using roofbeam::Result;

std::string system_name(int error) {
  switch (error) {
    case ENOENT: return "ENOENT";
    case EACCES: return "EACCES";
    case EPERM: return "EPERM";
    case EISDIR: return "EISDIR";
    case ENOTDIR: return "ENOTDIR";
    case ENOSPC: return "ENOSPC";
    case EROFS: return "EROFS";
    default: return std::generic_category().message(error);
  }
}

Result<std::string> read_file(std::string_view path) {
  const fs::path file(path);
  std::error_code error;
  if (fs::is_directory(file, error)) return roofbeam::cli::unreadable(path, "EISDIR");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) return roofbeam::cli::unreadable(path, system_name(errno));
  std::string text;
  std::array<char, 1 << 16> piece;  // pipes have no length to ask for
  while (in.read(piece.data(), piece.size()) || in.gcount() > 0)
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  if (in.bad()) return roofbeam::cli::unreadable(path, system_name(errno));
  return text;
}

// Beside the file first, then in its place: a reader never sees half a file.
std::optional<Diagnostic> write_file(std::string_view path, std::string_view text) {
  const fs::path file(path);
  std::error_code error;  // set too where nothing is there yet
  if (fs::is_directory(file, error)) return roofbeam::cli::unwritable(path, "EISDIR");
  error.clear();
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (error) return roofbeam::cli::unwritable(path, system_name(error.value()));
  fs::path draft = file;
  draft += ".part";
  errno = 0;
  std::ofstream out(draft, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) {
    const std::string reason = system_name(errno);
    fs::remove(draft, error);
    return roofbeam::cli::unwritable(path, reason);
  }
  fs::rename(draft, file, error);
  if (!error) return std::nullopt;
  const std::string reason = system_name(error.value());
  fs::remove(draft, error);
  return roofbeam::cli::unwritable(path, reason);
}

bool is_directory(std::string_view path) {
  std::error_code error;
  return fs::is_directory(fs::path(path), error);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  const roofbeam::cli::Outcome outcome =
      roofbeam::cli::run(args, {.read = read_file, .write = write_file, .is_directory = is_directory});
  std::fwrite(outcome.out.data(), 1, outcome.out.size(), stdout);
  std::fwrite(outcome.err.data(), 1, outcome.err.size(), stderr);
  return outcome.exit_code;
}
