#include <emscripten/bind.h>

#include <string>

#include "engine/api/run.h"

// Requests and responses are JSON text, described in presets/schema/: this file stays as it is when a
// command or a figure is added.
EMSCRIPTEN_BINDINGS(roofbeam) {
  emscripten::function("run", +[](const std::string& request) { return roofbeam::api::run(request); });
  emscripten::function("version", +[] { return std::string(roofbeam::api::version()); });
}
