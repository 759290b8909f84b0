// Any bytes are a JSON value that survives being written, or are refused with diagnostics fit to
// show.
#include <cstddef>
#include <cstdint>

#include "engine/base/check.h"
#include "engine/base/text.h"
#include "engine/json/reader.h"
#include "engine/json/value.h"
#include "engine/json/writer.h"

namespace roofbeam::json {
namespace {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void check_problems(const Diagnostics& problems) {
  for (const Diagnostic& problem : problems) {
    ROOFBEAM_CHECK(problem.code.starts_with("json.") && !problem.message.empty());
    ROOFBEAM_CHECK(is_utf8(problem.path) && is_utf8(problem.message) && is_utf8(problem.hint));
    ROOFBEAM_CHECK(problem.message.find('\n') == std::string::npos);
  }
}

void check_text(std::string_view text) {
  const Result<Value> value = parse(text);
  if (!value) {
    check_problems(value.errors());
    ROOFBEAM_CHECK(value.errors().front().message !=
                   "found a text that is no JSON, wanted one JSON value");
    return;
  }
  const std::string compact = write(*value, Layout::compact);
  for (const Layout layout : {Layout::compact, Layout::readable}) {
    const Result<Value> again = parse(write(*value, layout));
    ROOFBEAM_CHECK(again && write(*again, Layout::compact) == compact);
  }

  Diagnostics problems;
  Reader reader(*value, "", problems);
  reader.count("count");
  reader.optional_positive_number("number");
  reader.object("object").string("string");
  reader.done();
  check_problems(problems);
}

}  // namespace
}  // namespace roofbeam::json

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  roofbeam::json::check_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
