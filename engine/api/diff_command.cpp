#include "engine/api/commands.h"
#include "engine/api/measured.h"
#include "engine/report/diff.h"

namespace roofbeam::api {
namespace {

// One side of the comparison: an object that names a model.
std::optional<Model> read_side(json::Reader& in, std::string_view key, Diagnostics& problems) {
  const std::size_t before = problems.size();
  json::Reader side = in.object(key);
  if (problems.size() > before) return std::nullopt;  // there is no object to look into
  Result<Model> model = read_model(side);
  side.done();
  problems.insert(problems.end(), model.errors().begin(), model.errors().end());
  if (!model) return std::nullopt;
  return *std::move(model);
}

}  // namespace

Result<Answer> diff_command(json::Reader& in, Diagnostics& problems, Rendering rendering) {
  const std::optional<Model> a = read_side(in, "a", problems);
  const std::optional<Model> b = read_side(in, "b", problems);
  const Result<PointRequest> point = read_point(in.optional_value("options"), in.path_of("options"));
  in.done();
  problems.insert(problems.end(), point.errors().begin(), point.errors().end());
  if (!problems.empty()) return problems;

  const Elaboration design_a = elaborate(a->document);
  const Elaboration design_b = elaborate(b->document);
  const OperatingPointOptions shared = shared_point(point->options, design_a, design_b);
  const Analysis analysis_a = analyze(design_a, shared, point->device);
  const Analysis analysis_b = analyze(design_b, shared, point->device);
  DiffReport report{.a = a->document.meta.name,
                    .b = b->document.meta.name,
                    .point = design_a.has_source ? analysis_a.point : analysis_b.point,
                    .structure = structure_difference({a->document, design_a.scope}, {b->document, design_b.scope}),
                    .metrics = metric_differences(analysis_a, analysis_b)};
  Answer answer;
  for (const Model* model : {&*a, &*b})
    for (std::string& note : warning_notes(model->warnings)) answer.notes.push_back(std::move(note));
  json::Writer out;
  write_json(out, report);
  answer.json = out.take();
  if (rendering == Rendering::text) answer.text = diff_text(report);
  return answer;
}

}  // namespace roofbeam::api
