#include <algorithm>

#include "engine/api/commands.h"
#include "engine/api/lists.h"
#include "engine/api/measured.h"
#include "engine/base/text.h"
#include "engine/report/plan.h"

namespace roofbeam::api {
namespace {

constexpr std::int64_t kMaxPlansReturned = 100'000;

bool given(const json::Value* options, std::string_view key) {
  const json::Value* value = options == nullptr ? nullptr : options->find(key);
  return value != nullptr && !value->is_null();
}

// The settings named, in the order that breaks ties between plans.
void read_recomputes(json::Reader& in, PlanRequest& request, Diagnostics& problems) {
  const std::vector<std::string> names =
      choices(in.optional_value("recompute"), in.path_of("recompute"), kRecomputes, problems);
  if (!names.empty())
    std::erase_if(request.recomputes, [&](Recompute setting) {
      return std::find(names.begin(), names.end(), name(setting)) == names.end();
    });
}

// A node that is given must be filled, or the devices be an even part of one.
void check_node(json::Reader& in, const PlanRequest& request) {
  const auto [smaller, larger] = std::minmax(request.gpus, request.gpus_per_node);
  if (!in.has("gpus_per_node") || larger % smaller == 0) return;
  in.problem("gpus", "plan.partial_node",
             std::to_string(request.gpus) + " devices do not fill nodes of " +
                 std::to_string(request.gpus_per_node) + ", wanted a multiple or a divisor of " +
                 std::to_string(request.gpus_per_node),
             "a node's size is gpus_per_node");
}

}  // namespace

Result<Answer> plan_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  const json::Value* options = in.optional_value("options");
  PlanRequest request;
  request.gpus = count_up_to(in, "gpus", kMaxDevices).value_or(1);
  if (!in.has("gpus") && !given(options, "gpus"))
    in.problem("gpus", "plan.no_gpus",
               "the number of devices is missing, wanted a whole number of at least 1");
  request.gpus_per_node =
      count_up_to(in, "gpus_per_node", kMaxDevices).value_or(request.gpus_per_node);
  const double headroom = in.optional_number("headroom").value_or(request.headroom);
  if (headroom < 0 || headroom >= 1)
    in.problem("headroom", "json.range",
               "found " + shortest(headroom) + ", wanted a fraction of the memory from 0, below 1",
               headroom > 1 && headroom < 100 ? "10% is written 0.1" : "");
  else
    request.headroom = headroom;
  for (const std::int64_t batch : counts(in, "micro_batch", kMaxLength, problems))
    request.micro_batches.push_back(static_cast<double>(batch));
  read_recomputes(in, request, problems);
  request.limit = static_cast<std::size_t>(count_up_to(in, "limit", kMaxPlansReturned).value_or(8));
  if (given(options, "parallel"))
    problems.push_back({.code = "plan.layout",
                        .path = json::pointer(in.path_of("options"), "parallel"),
                        .message = "a layout is given, but the layout is what a plan looks for",
                        .hint = "leave it out, or ask analyze"});

  const std::optional<Question> question = read_question(in, context.models, problems);
  in.done();
  if (!problems.empty()) return problems;
  // What the operating point fixes needs no second place.
  if (!in.has("gpus")) request.gpus = *question->point.options.gpus;
  if (!in.has("recompute") && given(options, "recompute"))
    request.recomputes = {question->point.options.recompute};
  check_node(in, request);
  if (!problems.empty()) return problems;

  const Elaboration& design = question->model->design;
  const DeviceProfile& device = question->point.device;
  Result<PlanSearch> search = search_plans(design, question->point.options, device, request);
  if (!search) return search.errors();
  const PlanReport report{question->model->document.meta.name, request, *std::move(search)};
  Answer answer;
  answer.notes = warning_notes(question->model->warnings);
  answer.negative = report.search.fits.empty();
  json::Writer out;
  write_json(out, report);
  answer.json = out.take();
  if (context.rendering == Rendering::text) answer.text = plan_text(report);
  return answer;
}

}  // namespace roofbeam::api
