#include "engine/api/commands.h"
#include "engine/api/measured.h"
#include "engine/report/diff.h"

namespace roofbeam::api {
namespace {

// One side of the comparison: an object that names a model.
std::shared_ptr<const ExpandedModel> read_side(json::Reader& in, std::string_view key,
                                               Models& models, Diagnostics& problems) {
  const std::size_t before = problems.size();
  json::Reader side = in.object(key);
  if (problems.size() > before) return nullptr;  // there is no object to look into
  Result<std::shared_ptr<const ExpandedModel>> model = models.read(side);
  side.done();
  problems.insert(problems.end(), model.errors().begin(), model.errors().end());
  return model ? *model : nullptr;
}

}  // namespace

Result<Answer> diff_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  const std::shared_ptr<const ExpandedModel> a = read_side(in, "a", context.models, problems);
  const std::shared_ptr<const ExpandedModel> b = read_side(in, "b", context.models, problems);
  const Result<PointRequest> point =
      read_point(in.optional_value("options"), in.path_of("options"));
  in.done();
  problems.insert(problems.end(), point.errors().begin(), point.errors().end());
  if (!problems.empty()) return problems;

  const Elaboration& design_a = a->design;
  const Elaboration& design_b = b->design;
  const OperatingPointOptions shared = shared_point(point->options, design_a, design_b);
  const Analysis analysis_a = analyze(design_a, shared, point->device);
  const Analysis analysis_b = analyze(design_b, shared, point->device);
  DiffReport report{.a = a->document.meta.name,
                    .b = b->document.meta.name,
                    .point = design_a.has_source ? analysis_a.point : analysis_b.point,
                    .structure = structure_difference({a->document, design_a.scope},
                                                      {b->document, design_b.scope}),
                    .metrics = metric_differences(analysis_a, analysis_b)};
  Answer answer;
  for (const ExpandedModel* model : {a.get(), b.get()})
    for (std::string& note : warning_notes(model->warnings))
      answer.notes.push_back(std::move(note));
  json::Writer out;
  write_json(out, report);
  answer.json = out.take();
  if (context.rendering == Rendering::text) answer.text = diff_text(report);
  return answer;
}

}  // namespace roofbeam::api
