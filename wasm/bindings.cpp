#include <emscripten/bind.h>

#include <string>

#include "engine/api/run.h"

// Requests and responses are JSON text, described in presets/schema/: this file stays as it is when
// a command or a figure is added.
EMSCRIPTEN_BINDINGS(roofbeam) {
  emscripten::function(
      "run", +[](const std::string& request) {
        static roofbeam::api::Session session;  // one an instance of the module
        return session.run(request);
      });
  emscripten::function(
      "version", +[] { return std::string(roofbeam::api::version()); });
}
