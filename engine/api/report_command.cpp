#include <algorithm>

#include "engine/analysis/analysis.h"
#include "engine/api/commands.h"
#include "engine/base/embedded.h"
#include "engine/report/published.h"

namespace roofbeam::api {
namespace {

PublishedComparison compared(std::string_view name, const Document& document,
                             const Elaboration& design) {
  const Result<DeviceProfile> device = device_named(kDefaultDevice);
  const Analysis analysis = analyze(design, {}, *device);
  const PublishedFigures published = document.meta.published.value_or(PublishedFigures{});
  return {.name = std::string(name),
          .params = {analysis.params.total, published.params},
          .active_params = {analysis.params.active, published.active_params},
          .kv_bytes_per_token = {analysis.cache.per_token.value, published.kv_bytes_per_token},
          .tolerance = published.tolerance.value_or(kDefaultTolerance),
          .source = published.source};
}

}  // namespace

Result<Answer> report_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  in.done();
  if (!problems.empty()) return problems;
  std::vector<PublishedComparison> designs;
  for (const EmbeddedFile& file : embedded_files("designs")) {
    const Result<Document> document = preset_named(file.name);
    ROOFBEAM_CHECK(static_cast<bool>(document));
    designs.push_back(compared(file.name, *document, elaborate(*document)));
  }
  Answer answer;
  answer.negative = !std::ranges::all_of(designs, &PublishedComparison::ok);
  json::Writer out;
  write_json(out, designs);
  answer.json = out.take();
  if (context.rendering == Rendering::text) answer.text = published_text(designs);
  return answer;
}

}  // namespace roofbeam::api
