#include <array>

#include "engine/api/commands.h"
#include "engine/api/lists.h"
#include "engine/api/measured.h"
#include "engine/base/text.h"
#include "engine/report/scaling.h"

namespace roofbeam::api {
namespace {

constexpr std::int64_t kMaxWidth = std::int64_t{1} << 24;
constexpr double kMaxParams = 1e15;

std::shared_ptr<const ExpandedModel> model_of(json::Reader& in, const Context& context,
                                              Diagnostics& problems) {
  Result<std::shared_ptr<const ExpandedModel>> model = context.models.read(in);
  problems.insert(problems.end(), model.errors().begin(), model.errors().end());
  return model ? *model : nullptr;
}

// A number of parameters from `least` on.
std::optional<double> read_params(json::Reader& in, std::string_view key, double least) {
  const auto params = in.optional_number(key);
  if (!params || (*params >= least && *params <= kMaxParams)) return params;
  in.problem(key, "json.range",
             "found " + shortest(*params) + ", wanted a number of parameters from " +
                 shortest(least) + " to 1e15");
  return std::nullopt;
}

// The engine's diagnostics name members of the request where they have a path.
Diagnostics at_member(Diagnostics problems, const json::Reader& in, std::string_view fallback) {
  for (Diagnostic& problem : problems)
    problem.path =
        problem.path.empty() && !fallback.empty() ? in.path_of(fallback) : in.path() + problem.path;
  return problems;
}

template <class Report>
Answer answer_of(const Report& report, const Context& context, std::string (*text)(const Report&)) {
  Answer answer;
  json::Writer out;
  write_json(out, report);
  answer.json = out.take();
  if (context.rendering == Rendering::text) answer.text = text(report);
  return answer;
}

}  // namespace

Result<Answer> mup_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  const auto model = model_of(in, context, problems);
  LadderOptions options;
  for (const std::int64_t width : counts(in, "widths", kMaxWidth, problems))
    options.widths.push_back(static_cast<double>(width));
  if (const auto base = count_up_to(in, "base_width", kMaxWidth))
    options.base_width = static_cast<double>(*base);
  options.reference = in.optional_boolean("reference").value_or(false);
  in.done();
  if (!problems.empty()) return problems;

  const Result<Ladder> ladder = width_ladder(model->document, options);
  if (!ladder) return at_member(ladder.errors(), in, "");
  Answer answer;
  answer.notes = warning_notes(model->warnings);
  json::Writer out;
  write_json(out, model->document.meta.name, *ladder);
  answer.json = out.take();
  if (context.rendering == Rendering::text)
    answer.text = ladder_text(model->document.meta.name, *ladder);
  return answer;
}

Result<Answer> scale_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  constexpr std::array<std::string_view, 2> kBases{"total", "non-embedding"};
  const auto model = model_of(in, context, problems);
  ScaleOptions options;
  if (!in.has("target_params"))
    in.problem("target_params", "json.missing", "the number of parameters to scale to is missing");
  options.target_params = read_params(in, "target_params", 1).value_or(0);
  if (in.optional_choice("target_basis", kBases) == kBases[1])
    options.basis = TargetBasis::non_embedding;
  if (const auto vocab = count_up_to(in, "vocab", kMaxWidth))
    options.vocab = static_cast<double>(*vocab);
  options.tie_head = in.optional_boolean("tie_head").value_or(false);
  options.min_heads = static_cast<double>(count_up_to(in, "min_heads", 4096).value_or(4));
  options.keep_depth = in.optional_boolean("keep_depth").value_or(false);
  if (const auto step = count_up_to(in, "width_multiple", kMaxWidth))
    options.width_multiple = static_cast<double>(*step);
  in.done();
  if (!problems.empty()) return problems;

  const Result<Scaled> scaled = scale(model->document, options);
  if (!scaled)
    return at_member(scaled.errors(), in,
                     scaled.errors().front().code == "scale.too_small" ? "target_params" : "");
  Answer answer = answer_of<Scaled>(*scaled, context, scaled_text);
  answer.notes = warning_notes(model->warnings);
  return answer;
}

Result<Answer> new_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  std::vector<std::string_view> names;
  for (const DesignFamily& family : families()) names.push_back(family.name);
  const std::string name = in.choice("family", names);
  const auto params = read_params(in, "params", kSmallestDesign);
  const auto fit = in.optional_string("fit");
  if (in.has("params") == in.has("fit"))
    in.problem("params", "new.size",
               in.has("params") ? "both a size and a device to fill are given" : "no size is given",
               "give params or fit");
  const Result<DeviceProfile> device = device_named(fit.value_or(std::string(kDefaultDevice)));
  if (!device)
    for (const Diagnostic& problem : below(device.errors(), in.path_of("fit")))
      problems.push_back(problem);
  in.done();
  if (!problems.empty()) return problems;

  const DesignFamily* family = nullptr;
  for (const DesignFamily& candidate : families())
    if (candidate.name == name) family = &candidate;
  const Result<Document> preset = preset_named(family->preset);
  if (!preset) return preset.errors();
  const Result<NewDesign> design = fit ? largest_design(*preset, *family, *device)
                                       : new_design(*preset, *family, *params, *device);
  if (!design) return at_member(design.errors(), in, fit ? "fit" : "params");
  return answer_of<NewDesign>(*design, context, new_design_text);
}

}  // namespace roofbeam::api
