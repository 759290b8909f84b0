#pragma once

#include <string>
#include <string_view>

#include "engine/api/models.h"

namespace roofbeam::api {

// The engine's whole public surface: one JSON request in, one JSON response out
// (presets/schema/request.schema.json and response.schema.json).
//   {"schema_version":1,"command":"analyze","preset":"llama-3-8b","options":{...}}
//   {"ok":true,"result":{...},"notes":[...]} or
//   {"ok":false,"diagnostics":[{code,path,message,hint}]}
// Never throws, never aborts on input, never answers with a number that is not finite.
[[nodiscard]] std::string run(std::string_view request);

// The same for one asker's many questions: remembers the last models it was asked about, so that
// another question about one of them costs only that question. Answers do not depend on it.
class Session {
 public:
  [[nodiscard]] std::string run(std::string_view request);

 private:
  Models models_;
};

// The package's version, "0.1.0".
[[nodiscard]] std::string_view version();

}  // namespace roofbeam::api
