#include "engine/api/run.h"

#include <exception>

#include "engine/api/commands.h"
#include "engine/json/writer.h"
#include "engine/report/json_report.h"

namespace roofbeam::api {
namespace {

std::string failure(const Diagnostics& diagnostics) {
  json::Writer out;
  out.begin_object().key("ok").boolean(false).key("diagnostics");
  write_json(out, diagnostics);
  return out.end_object().take();
}

std::string success(const Answer& answer) {
  json::Writer notes;
  notes.begin_array();
  for (const std::string& note : answer.notes) notes.string(note);
  notes.end_array();
  return "{\"ok\":true,\"result\":" + answer.json + ",\"notes\":" + notes.take() + "}";
}

std::string respond(std::string_view text, Models& models) {
  const Result<json::Value> request = json::parse(text);
  if (!request) return failure(request.errors());
  const Result<Answer> result = answer(*request, {.models = models});
  return result ? success(*result) : failure(result.errors());
}

}  // namespace

// The engine's own code does not throw, but libraries and allocation may.
std::string Session::run(std::string_view request) {
  try {
    return respond(request, models_);
  } catch (const std::exception& error) {
    return failure({{.code = "engine.exception",
                     .path = "",
                     .message = std::string("the engine could not finish: ") + error.what(),
                     .hint = "the request may be too large for this machine's memory"}});
  }
}

std::string run(std::string_view request) { return Session().run(request); }

std::string_view version() { return ROOFBEAM_VERSION; }

}  // namespace roofbeam::api
