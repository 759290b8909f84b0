#include <vector>

#include "engine/api/commands.h"
#include "engine/api/measured.h"
#include "engine/base/text.h"
#include "engine/report/explain.h"

namespace roofbeam::api {
namespace {

Diagnostic unknown_path(const Elaboration& design, const std::string& path, std::string pointer) {
  std::vector<std::string_view> paths;
  for (const Instance& instance : design.instances) paths.push_back(instance.path);
  std::string hint = closest_hint(path, paths);
  if (hint.empty()) hint = "`show` lists the blocks";
  return {.code = "explain.unknown_path",
          .path = std::move(pointer),
          .message = "no block has the path " + quoted(path),
          .hint = std::move(hint)};
}

Diagnostic unknown_head(std::int64_t head, std::int64_t heads, std::string pointer) {
  return {.code = "json.range",
          .path = std::move(pointer),
          .message = "found " + std::to_string(head) + ", wanted a head from 0 to " +
                     std::to_string(heads - 1),
          .hint = ""};
}

}  // namespace

Result<Answer> explain_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  const std::optional<Question> question = read_question(in, context.models, problems);
  const std::optional<std::string> path = in.optional_string("path");
  const std::optional<std::int64_t> head = in.optional_whole("head");
  in.done();
  if (!problems.empty()) return problems;

  const Measured measured = measure(*question);
  const Elaboration& design = measured.design;
  const Contributions contributions(design, measured.analysis);
  const ExplainReport report{design, contributions};
  const std::string& name = question->model->document.meta.name;
  Answer answer;
  answer.notes = warning_notes(question->model->warnings);
  note_unused(design, question->point, answer.notes);
  json::Writer out;
  if (!path) {
    const std::vector<InstanceId> blocks = blocks_by_size(design, contributions);
    write_explanations(out, name, report, blocks);
    answer.json = out.take();
    if (context.rendering == Rendering::text) answer.text = explanations_text(name, report, blocks);
    return answer;
  }
  const Instance* instance = design.find(*path);
  if (instance == nullptr) return unknown_path(design, *path, in.path_of("path"));
  const auto id = static_cast<InstanceId>(instance - design.instances.data());
  const std::optional<MaskView> mask =
      mask_view(design, measured.analysis.point, id, head.value_or(0));
  if (mask && head && *head >= mask->heads)
    return unknown_head(*head, mask->heads, in.path_of("head"));
  write_explanation(out, report, id, mask);
  answer.json = out.take();
  if (context.rendering == Rendering::text) answer.text = explanation_text(report, id, mask);
  return answer;
}

}  // namespace roofbeam::api
