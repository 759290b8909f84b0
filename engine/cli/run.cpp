#include "engine/cli/run.h"

#include <algorithm>
#include <exception>

#include "engine/api/commands.h"
#include "engine/base/embedded.h"
#include "engine/base/text.h"
#include "engine/cli/arguments.h"
#include "engine/json/writer.h"
#include "engine/report/json_report.h"
#include "engine/report/text_report.h"

namespace roofbeam::cli {
namespace {

constexpr int kAnsweredNo = 1;
constexpr int kUsage = 2;

// A model named on the command line, as the request's member for it.
struct ModelMember {
  std::string key;  // "preset", "design" or "config"
  json::Value value;
  std::string file;  // where it was read from; empty for a preset
};

// What stopped a command, and which exit code that is.
struct Failure {
  Diagnostics diagnostics;
  int exit_code = kAnsweredNo;
};

std::string file_of(const std::string& model, const FileSystem& files) {
  return files.is_directory(model) ? model + "/config.json" : model;
}

// The preset of a model on the Hugging Face hub: "Qwen/Qwen3-32B" is "qwen3-32b".
std::optional<std::string> preset_of_hugging_face(std::string_view id) {
  const EmbeddedFile* file = embedded_file("models", "hugging-face");
  if (file == nullptr) return std::nullopt;
  const Result<json::Value> models = json::parse(file->text);
  const json::Value* preset = models ? models->find(id) : nullptr;
  return preset != nullptr ? std::optional(preset->string()) : std::nullopt;
}

std::variant<ModelMember, Failure> find_model(const std::string& model, const FileSystem& files) {
  if (embedded_file("designs", model) != nullptr) return ModelMember{"preset", json::Value(model), ""};
  if (const std::optional<std::string> preset = preset_of_hugging_face(model))
    return ModelMember{"preset", json::Value(*preset), ""};
  const std::string file = file_of(model, files);
  const Result<std::string> text = files.read(file);
  if (!text) {
    std::vector<std::string_view> names;
    for (const EmbeddedFile& preset : embedded_files("designs")) names.push_back(preset.name);
    std::string hint = closest_hint(model, names);
    if (hint.empty()) hint = "`roofbeam list` names the presets";
    return Failure{{{.code = "model.not_found",
                     .path = "",
                     .message = quoted(model) + " is neither a preset nor a readable file",
                     .hint = hint}},
                   kUsage};
  }
  Result<json::Value> value = json::parse(*text);
  if (!value) return Failure{value.errors(), kAnsweredNo};
  const bool design = value->find("graph") != nullptr ||
                      (value->find("version") != nullptr && value->find("meta") != nullptr);
  if (design) return ModelMember{"design", *std::move(value), file};
  return ModelMember{"config", json::Value(*text), file};
}

// Diagnostics as the user sees them: flags instead of the request's pointers, and pointers into the
// file that was read instead of into the request.
Failure as_typed(Diagnostics diagnostics, const std::vector<ModelMember>& models) {
  Failure failure{std::move(diagnostics), kAnsweredNo};
  constexpr std::string_view kProfile = "/device_profile";
  for (Diagnostic& diagnostic : failure.diagnostics) {
    const std::size_t profile = diagnostic.path.find(kProfile);
    if (profile == 0 || (profile == 8 && diagnostic.path.starts_with("/options"))) {
      failure.exit_code = kUsage;
      diagnostic.path = diagnostic.path.substr(profile + kProfile.size());
      diagnostic.message = "--device-file: " + diagnostic.message;
      continue;
    }
    const std::string flag = flag_of(diagnostic.path);
    if (!flag.empty() || diagnostic.path.starts_with("/options")) {
      // A plan without a number of devices is a question without an answer, not a wrong flag.
      if (diagnostic.code != "plan.no_gpus") failure.exit_code = kUsage;
      if (!flag.empty()) {
        diagnostic.message = flag + ": " + diagnostic.message;
        diagnostic.path.clear();
      }
      continue;
    }
    if (diagnostic.code == "mup.no_heads" || diagnostic.code == "scale.no_width") failure.exit_code = kUsage;
    for (std::size_t i = 0; i < models.size(); ++i) {
      const std::string prefix = (models.size() == 1 ? "/" : i == 0 ? "/a/" : "/b/") + models[i].key;
      if (models[i].file.empty() || !diagnostic.path.starts_with(prefix)) continue;
      diagnostic.path = diagnostic.path.substr(prefix.size());
      if (models.size() > 1) diagnostic.message = models[i].file + ": " + diagnostic.message;
      break;
    }
  }
  return failure;
}

Outcome failed(const Failure& failure, const Arguments& arguments) {
  Outcome outcome;
  outcome.exit_code = failure.exit_code;
  if (arguments.json) {
    json::Writer out;
    out.begin_object().key("ok").boolean(false).key("diagnostics");
    write_json(out, failure.diagnostics);
    outcome.out = out.end_object().take() + "\n";
    return outcome;
  }
  outcome.err = text_of(failure.diagnostics);
  if (failure.exit_code == kUsage) outcome.err += "\n" + usage_line(arguments.command);
  return outcome;
}

// A file name made of anybody's design name.
std::string file_name(std::string_view name) {
  std::string safe;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.';
    if (plain)
      safe += c;
    else if (!safe.empty() && safe.back() != '-')
      safe += '-';
  }
  const std::size_t first = safe.find_first_not_of(".-");
  safe = first == std::string::npos ? "design" : safe.substr(first, 100);
  while (!safe.empty() && safe.back() == '-') safe.pop_back();
  return safe;
}

// Takes the models' values: a design may hold a hundred thousand blocks.
json::Value request_for(const Arguments& arguments, std::vector<ModelMember>& models) {
  json::Object request{{"schema_version", json::Value(api::kSchemaVersion)},
                       {"command", json::Value(arguments.command)}};
  if (models.size() == 1) {
    request.emplace_back(models[0].key, std::move(models[0].value));
  } else if (models.size() == 2) {
    const auto side = [](ModelMember& model) {
      json::Object object;
      object.emplace_back(model.key, std::move(model.value));
      return json::Value(std::move(object));
    };
    request.emplace_back("a", side(models[0]));
    request.emplace_back("b", side(models[1]));
  }
  for (const auto& [key, value] : arguments.members) request.emplace_back(key, value);
  json::Object options = arguments.options;
  if (arguments.device_profile)
    (arguments.command == "devices" ? request : options).emplace_back("device_profile", *arguments.device_profile);
  if (!options.empty()) request.emplace_back("options", json::Value(std::move(options)));
  if (arguments.family) request.emplace_back("family", json::Value(*arguments.family));
  if (arguments.name) request.emplace_back("name", json::Value(*arguments.name));
  if (arguments.path) request.emplace_back("path", json::Value(*arguments.path));
  if (arguments.head) request.emplace_back("head", value_of(*arguments.head));
  if (arguments.expand) request.emplace_back("expand", json::Value(true));
  return json::Value(std::move(request));
}

// Writes an answer's design where it belongs, and says so.
void write_design(const api::Answer& answer, const Arguments& arguments, const FileSystem& files,
                  Outcome& outcome) {
  const Result<json::Value> result = json::parse(answer.json);
  const json::Value& document = *result->find("doc");
  const std::string& name = document.find("meta")->find("name")->string();
  const std::string path = arguments.out.value_or("out/" + file_name(name) + ".tensorcad.json");
  if (const auto problem = files.write(path, json::write(document, json::Layout::readable))) {
    outcome.err += text_of({*problem});
    outcome.exit_code = kAnsweredNo;
    return;
  }
  outcome.out += "\nwritten to " + one_line(path) + "\n";
}

// Writes the timeline of a step that has been answered.
void write_trace(Arguments arguments, const json::Value& request, api::Models& expanded, const FileSystem& files,
                 Outcome& outcome) {
  json::Value traced = request;
  for (auto& [key, member] : traced.object())
    if (key == "options") member.set("chrome_trace", json::Value(true));
  const Result<api::Answer> trace = api::answer(traced, {.models = expanded, .rendering = api::Rendering::json});
  const std::optional<Diagnostic> problem =
      trace ? files.write(*arguments.trace_file, trace->json) : std::optional(trace.errors().front());
  if (!problem) return;
  outcome.err += text_of({*problem});
  outcome.exit_code = kAnsweredNo;
}

Outcome carry_out(Arguments arguments, const FileSystem& files) {
  std::vector<ModelMember> models;
  if (arguments.device_file) {
    const Result<std::string> text = files.read(*arguments.device_file);
    if (!text) return failed({text.errors(), kUsage}, arguments);
    Result<json::Value> profile = json::parse(*text);
    if (!profile) return failed({profile.errors(), kUsage}, arguments);
    arguments.device_profile = *std::move(profile);
  }
  for (const std::string& model : arguments.models) {
    if (arguments.command == "import") {
      const std::string file = file_of(model, files);
      const Result<std::string> text = files.read(file);
      if (!text) return failed({text.errors(), kAnsweredNo}, arguments);
      models.push_back({"config", json::Value(*text), file});
      continue;
    }
    auto found = find_model(model, files);
    if (const Failure* failure = std::get_if<Failure>(&found)) return failed(*failure, arguments);
    models.push_back(std::get<ModelMember>(std::move(found)));
  }
  api::Models expanded;
  const json::Value request = request_for(arguments, models);
  const Result<api::Answer> answer = api::answer(
      request,
      {.models = expanded, .rendering = arguments.json ? api::Rendering::json : api::Rendering::text});
  if (!answer) return failed(as_typed(answer.errors(), models), arguments);

  Outcome outcome;
  outcome.exit_code = answer->negative ? kAnsweredNo : 0;
  if (arguments.trace_file) write_trace(arguments, request, expanded, files, outcome);
  if (arguments.json) {
    outcome.out = answer->json + "\n";
    return outcome;
  }
  outcome.out = answer->text;
  for (const std::string& note : answer->notes) outcome.err += "warning: " + one_line(note) + "\n";
  const bool scaled = arguments.command == "scale" || arguments.command == "new";
  if (arguments.command == "import" || (scaled && arguments.out))
    write_design(*answer, arguments, files, outcome);
  return outcome;
}

std::string reason_text(std::string_view reason) {
  if (reason == "ENOENT") return "no such file or directory";
  if (reason == "EACCES" || reason == "EPERM") return "permission denied";
  if (reason == "EISDIR") return "it is a directory";
  if (reason == "ENOTDIR") return "a part of the path is no directory";
  if (reason == "ENOSPC") return "no space left on the device";
  if (reason == "EROFS") return "the file system is read-only";
  return std::string(reason);
}

}  // namespace

Diagnostic unreadable(std::string_view path, std::string_view reason) {
  return {.code = "file.unreadable",
          .path = "",
          .message = "cannot read " + quoted(path, 200) + ": " + reason_text(reason),
          .hint = ""};
}

Diagnostic unwritable(std::string_view path, std::string_view reason) {
  return {.code = "file.unwritable",
          .path = "",
          .message = "cannot write " + quoted(path, 200) + ": " + reason_text(reason),
          .hint = ""};
}

Outcome run(std::span<const std::string> args, const FileSystem& files) {
  try {
    ParsedArguments parsed = parse_arguments(args);
    if (parsed.stop) return {std::move(parsed.out), std::move(parsed.err), parsed.exit_code};
    return carry_out(parsed.arguments, files);
  } catch (const std::exception& error) {
    return {"", std::string("error: roofbeam could not finish: ") + error.what() + "\n", kAnsweredNo};
  }
}

}  // namespace roofbeam::cli
