#include "engine/api/measured.h"

namespace roofbeam::api {

std::optional<Question> read_question(json::Reader& in, Models& models, Diagnostics& problems) {
  Result<std::shared_ptr<const ExpandedModel>> model = models.read(in);
  Result<PointRequest> point = read_point(in.optional_value("options"), in.path_of("options"));
  for (const Diagnostics& errors : {model.errors(), point.errors()})
    problems.insert(problems.end(), errors.begin(), errors.end());
  if (!model || !point) return std::nullopt;
  return Question{*std::move(model), *std::move(point)};
}

Measured measure(const Question& question) {
  const Elaboration& design = question.model->design;
  return {design, analyze(design, question.point.options, question.point.device)};
}

std::vector<std::string> warning_notes(const Diagnostics& warnings) {
  std::vector<std::string> notes;
  for (const Diagnostic& warning : warnings) {
    std::string note = warning.message;
    if (!warning.hint.empty()) note += " (" + warning.hint + ")";
    notes.push_back(std::move(note));
  }
  return notes;
}

void note_unused(const Elaboration& design, const PointRequest& point,
                 std::vector<std::string>& notes) {
  if (point.options.S && !design.has_source)
    notes.push_back("S is given, but the design has no source stream: it changes nothing.");
  const ParallelLayout& layout = point.options.parallel;
  const std::int64_t needed = layout.dp * layout.tp * layout.pp;
  if (point.options.gpus && *point.options.gpus < needed)
    notes.push_back("The layout needs " + std::to_string(needed) + " devices, more than the " +
                    std::to_string(*point.options.gpus) +
                    " given; wall-clock time counts the devices given.");
}

}  // namespace roofbeam::api
