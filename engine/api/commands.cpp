#include "engine/api/commands.h"

#include <array>

#include "engine/api/measured.h"
#include "engine/base/embedded.h"
#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/import/import.h"
#include "engine/json/writer.h"
#include "engine/report/json_report.h"
#include "engine/report/text_report.h"
#include "engine/rules/check_rules.h"

namespace roofbeam::api {
namespace {

struct CommandEntry {
  std::string_view name;
  Result<Answer> (*run)(json::Reader&, Diagnostics&, const Context&);
};

constexpr std::array kCommands{
    CommandEntry{"analyze", analyze_command}, CommandEntry{"validate", validate_command},
    CommandEntry{"show", show_command},       CommandEntry{"explain", explain_command},
    CommandEntry{"diff", diff_command},       CommandEntry{"plan", plan_command},
    CommandEntry{"mup", mup_command},
    CommandEntry{"scale", scale_command},
    CommandEntry{"new", new_command},
    CommandEntry{"import", import_command},
    CommandEntry{"list", list_command},       CommandEntry{"report", report_command},
    CommandEntry{"text-generate", text_generate_command},
    CommandEntry{"devices", devices_command},
    CommandEntry{"parse", parse_command},
};

}  // namespace

Result<Answer> analyze_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  const std::optional<Question> question = read_question(in, context.models, problems);
  in.done();
  if (!problems.empty()) return problems;

  const Document& document = question->model->document;
  Measured measured = measure(*question);
  note_unused(measured.design, question->point, measured.analysis.notes);
  const Findings findings = check_rules(document, measured.design, measured.analysis).findings;
  Answer answer;
  answer.notes = warning_notes(question->model->warnings);
  json::Writer out;
  write_analysis(out, document.meta.name, measured.design, measured.analysis, findings);
  answer.json = out.take();
  if (context.rendering == Rendering::text)
    answer.text = analysis_text(document.meta.name, measured.analysis, findings);
  return answer;
}

Result<Answer> import_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  const std::string config = in.string("config");
  const std::optional<std::string> name = in.optional_string("name");
  in.done();
  if (!problems.empty()) return problems;
  const Result<Import> import = import_config(config, {.name = name});
  if (!import) return below(import.errors(), in.path_of("config"));

  const Elaboration design = elaborate(import->document);
  const ParameterCount params = count_parameters(design);
  const Result<DeviceProfile> device = device_named(kDefaultDevice);
  const OperatingPoint point = resolve({}, design, *device, params.non_embedding_active());
  const CacheCount cache = count_cache(design, point);
  Answer answer;
  json::Writer out;
  out.begin_object().key("doc").value(to_json(import->document)).key("warnings");
  write_json(out, import->warnings);
  out.key("params");
  write_params(out, params);
  out.key("kv");
  write_cache(out, cache, point);
  out.end_object();
  answer.json = out.take();
  if (context.rendering == Rendering::text) {
    const std::vector<std::vector<std::string>> rows{
        {"parameters", grouped_text(params.total), count_text(params.total)},
        {"active", grouped_text(params.active), count_text(params.active)},
        {"non-embedding", grouped_text(params.non_embedding()), count_text(params.non_embedding())},
        {"cache per token", grouped_text(cache.per_token.value) + " B",
         bytes_text(cache.per_token) + " in bf16"},
        {"cache per sequence, fixed", grouped_text(cache.per_sequence_fixed.value) + " B",
         bytes_text(cache.per_sequence_fixed)}};
    answer.text =
        one_line(import->document.meta.name) + " (" + import->model_type + ")\n" + table(rows);
  }
  answer.notes = warning_notes(import->warnings);
  return answer;
}

Result<Answer> parse_command(json::Reader& in, Diagnostics& problems, const Context&) {
  const Result<Model> model = read_model(in);
  in.done();
  problems.insert(problems.end(), model.errors().begin(), model.errors().end());
  if (!problems.empty()) return problems;
  Answer answer;
  const json::Value document = to_json(model->document);
  json::Writer out;
  out.begin_object().key("doc").value(document).end_object();
  answer.json = out.take();
  answer.text = json::write(document, json::Layout::readable);
  answer.notes = warning_notes(model->warnings);
  return answer;
}

Result<Answer> list_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  in.done();
  if (!problems.empty()) return problems;
  Answer answer;
  json::Writer out;
  std::vector<std::vector<std::string>> presets;
  out.begin_object().key("presets").begin_array();
  for (const EmbeddedFile& file : embedded_files("designs")) {
    const Result<Document> document = preset_named(file.name);
    ROOFBEAM_CHECK(static_cast<bool>(document));
    const Meta& meta = document->meta;
    const auto text_or_null = [&](std::string_view key, const std::optional<std::string>& text) {
      out.key(key);
      if (text)
        out.string(*text);
      else
        out.null();
    };
    const bool published = meta.published && meta.published->params;
    out.begin_object().key("name").string(file.name);
    out.key("title").string(meta.name);
    text_or_null("family", meta.family);
    out.key("published_params");
    if (published)
      out.number(*meta.published->params);
    else
      out.null();
    text_or_null("notes", meta.notes);
    out.end_object();
    presets.push_back({std::string(file.name), published ? count_text(*meta.published->params) : "",
                       meta.family.value_or("")});
  }
  out.end_array().key("hardware").begin_array();
  std::vector<std::vector<std::string>> devices;
  for (const DeviceProfile& device : built_in_devices()) {
    write_json(out, device);
    devices.push_back({device.id, bytes_text(device.memory),
                       grouped_text(device.bandwidth.value / 1e9) + " GB/s",
                       fixed(matrix_peak(device, Dtype::bf16).value / 1e12, 0) + " TFLOP/s bf16",
                       device.price_per_gpu_hour_dollars ? "$" + fixed(*device.price_per_gpu_hour_dollars, 2) + "/h" : "",
                       device.name});
  }
  out.end_array().key("model_types").begin_array();
  const std::vector<std::string> types = importable_model_types();
  for (const std::string& type : types) out.string(type);
  out.end_array().end_object();
  answer.json = out.take();
  if (context.rendering == Rendering::text) {
    constexpr std::size_t kLeft[] = {2, 5};
    answer.text = "Presets\n" + table(presets, kLeft) + "\nDevices\n" + table(devices, kLeft) +
                  "\nModel types that import reads\n  " + join(types, ", ") + "\n";
  }
  return answer;
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const CommandEntry& command : kCommands) names.push_back(command.name);
  return names;
}

Result<Answer> answer(const json::Value& request, const Context& context) {
  Diagnostics problems;
  json::Reader in(request, "", problems);
  if (!request.is_object()) return problems;
  if (in.count("schema_version") > kSchemaVersion)
    in.problem(
        "schema_version", "request.version",
        "the request is of a newer version than this engine's " + std::to_string(kSchemaVersion),
        "update roofbeam");
  const std::string command = in.string("command");
  for (const CommandEntry& entry : kCommands)
    if (entry.name == command) return entry.run(in, problems, context);
  if (!command.empty()) {
    const std::vector<std::string_view> names = command_names();
    std::string hint = closest_hint(command, names);
    hint += (hint.empty() ? "known: " : "; known: ") + join(names, ", ");
    in.problem("command", "request.unknown_command", "no command is called " + quoted(command),
               hint);
  }
  return problems;
}

}  // namespace roofbeam::api
