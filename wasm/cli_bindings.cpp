#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cli/run.h"

namespace {

using emscripten::val;
using roofbeam::Diagnostic;
using roofbeam::Result;

val js_string(std::string_view text) { return val::u8string(std::string(text).c_str()); }

// The command line reads and writes files through the functions of a JavaScript object, the interface Files of
// wasm/src/cli.ts. Contents are bytes in both directions, since a file that is not UTF-8 must arrive as it is.
// Where a function fails it returns the name of the system's error instead ("ENOENT").
roofbeam::cli::FileSystem through(const val& files) {
  return {
      .read = [files](std::string_view path) -> Result<std::string> {
        const val contents = files.call<val>("read", js_string(path));
        if (contents.isString()) return roofbeam::cli::unreadable(path, contents.as<std::string>());
        return contents.as<std::string>();
      },
      .write = [files](std::string_view path, std::string_view text) -> std::optional<Diagnostic> {
        const val bytes(emscripten::typed_memory_view(text.size(), reinterpret_cast<const unsigned char*>(text.data())));
        const val error = files.call<val>("write", js_string(path), bytes);
        if (error.isString()) return roofbeam::cli::unwritable(path, error.as<std::string>());
        return std::nullopt;
      },
      .is_directory = [files](std::string_view path) { return files.call<bool>("isDirectory", js_string(path)); },
  };
}

val run(const val& args, const val& files) {
  const auto arguments = emscripten::vecFromJSArray<std::string>(args);
  const roofbeam::cli::Outcome outcome = roofbeam::cli::run(arguments, through(files));
  val result = val::object();
  result.set("stdout", outcome.out);
  result.set("stderr", outcome.err);
  result.set("exitCode", outcome.exit_code);
  return result;
}

}  // namespace

EMSCRIPTEN_BINDINGS(roofbeam_cli) { emscripten::function("cli", &run); }
