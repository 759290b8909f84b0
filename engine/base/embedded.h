#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace roofbeam {

// A JSON file of presets/ that the build put into the binary.
struct EmbeddedFile {
  std::string_view folder;  // of presets/: "designs", "devices", ...
  std::string_view name;    // "llama-3-8b": the file's name without .tensorcad.json or .json
  std::string_view text;    // minified JSON, numbers spelled as in the file
};

// Every embedded file, ordered by folder, then by name. Defined by the build (library roofbeam_presets).
std::span<const EmbeddedFile> embedded_files();

// The files of one folder, ordered by name; empty if there is no such folder.
inline std::span<const EmbeddedFile> embedded_files(std::string_view folder) {
  const auto [first, last] =
      std::ranges::equal_range(embedded_files(), folder, {}, &EmbeddedFile::folder);
  return {first, last};
}

// One file, or nullptr.
inline const EmbeddedFile* embedded_file(std::string_view folder, std::string_view name) {
  const std::span<const EmbeddedFile> files = embedded_files(folder);
  const auto found = std::ranges::lower_bound(files, name, {}, &EmbeddedFile::name);
  return found != files.end() && found->name == name ? &*found : nullptr;
}

}  // namespace roofbeam
