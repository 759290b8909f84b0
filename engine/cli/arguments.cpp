#include "engine/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "engine/api/run.h"
#include "engine/base/text.h"
#include "engine/cli/step_flags.h"

namespace roofbeam::cli {
namespace {

struct PointFlag {
  const char* flag;
  const char* key;    // of the request's options
  const char* group;  // the object within the options that holds the key; "" for none
  const char* type;
  const char* help;
};

constexpr std::array kPointFlags{
    PointFlag{"--T", "T", "", "TOKENS", "target length (the design's own by default)"},
    PointFlag{"--B", "B", "", "N", "sequences of a training batch"},
    PointFlag{"--S", "S", "", "TOKENS", "source length, for designs with an encoder"},
    PointFlag{"--dtype", "dtype", "", "NAME", "fp32, bf16, fp16 or fp8"},
    PointFlag{"--inference-dtype", "inference_dtype", "", "NAME", "of the weights while serving (--dtype's by default)"},
    PointFlag{"--kv-dtype", "kv_dtype", "", "NAME", "of the cache (--inference-dtype's by default)"},
    PointFlag{"--precision", "precision", "", "NAME", "mixed or autocast"},
    PointFlag{"--hardware", "hardware", "", "ID", "device, see `roofbeam list`"},
    PointFlag{"--gpus", "gpus", "", "N", "devices (dp x tp x pp by default)"},
    PointFlag{"--dp", "dp", "parallel", "N", "data parallel degree"},
    PointFlag{"--tp", "tp", "parallel", "N", "tensor parallel degree"},
    PointFlag{"--pp", "pp", "parallel", "N", "pipeline stages"},
    PointFlag{"--ep", "ep", "parallel", "N", "expert parallel degree"},
    PointFlag{"--zero", "zero", "parallel", "0-3", "ZeRO stage"},
    PointFlag{"--optimizer", "optimizer", "", "NAME", "adamw, adamw8bit, muon, sgd_momentum, sgd or bf16_adam"},
    PointFlag{"--recompute", "recompute", "", "NAME", "none, selective or full"},
    PointFlag{"--tokens", "tokens", "", "N", "training budget (20 per active parameter by default)"},
    PointFlag{"--mfu", "mfu", "", "FRACTION", "share of the peak that training reaches"},
    PointFlag{"--decode-efficiency", "decode_efficiency", "", "FRACTION", "share of the peak that decoding reaches"},
    PointFlag{"--concurrency", "concurrency", "", "N", "sequences served at once"},
    PointFlag{"--pack", "mean", "packing", "MEAN", "pack documents of this mean length"},
    PointFlag{"--pack-spread", "spread", "packing", "CV", "spread of document lengths, a coefficient of variation"},
};

// How the text of a flag becomes a member of the request.
enum class FlagKind : std::uint8_t { value, list, on };

// A flag of one command, outside the operating point.
struct CommandFlag {
  const char* command;
  const char* flag;
  const char* key;  // of the request
  FlagKind kind;
  const char* type;
  const char* help;
};

constexpr std::array kCommandFlags{
    CommandFlag{"plan", "--gpus", "gpus", FlagKind::value, "N", "devices to split the training over; required"},
    CommandFlag{"plan", "--gpus-per-node", "gpus_per_node", FlagKind::value, "N", "bounds tensor parallelism (8 by default)"},
    CommandFlag{"plan", "--headroom", "headroom", FlagKind::value, "FRACTION", "memory left free on each device (0.1 by default)"},
    CommandFlag{"plan", "--micro-batch", "micro_batch", FlagKind::list, "N,...", "micro-batches to try (--B by default)"},
    CommandFlag{"plan", "--recompute", "recompute", FlagKind::list, "NAME,...", "settings to try (none,selective,full by default)"},
    CommandFlag{"plan", "--limit", "limit", FlagKind::value, "N", "plans to print (8 by default)"},
    CommandFlag{"mup", "--widths", "widths", FlagKind::list, "N,...", "rungs (the width and its halves by default)"},
    CommandFlag{"mup", "--base-width", "base_width", FlagKind::value, "N", "where settings are tuned (the narrowest rung by default)"},
    CommandFlag{"mup", "--reference", "reference", FlagKind::on, "", "width / head width heads, whatever the design's own ratio"},
    CommandFlag{"scale", "--params", "target_params", FlagKind::value, "N", "parameters to scale to; required"},
    CommandFlag{"scale", "--basis", "target_basis", FlagKind::value, "NAME", "total (by default) or non-embedding"},
    CommandFlag{"scale", "--vocab", "vocab", FlagKind::value, "N", "another vocabulary"},
    CommandFlag{"scale", "--tie-head", "tie_head", FlagKind::on, "", "share the embedding's weights"},
    CommandFlag{"scale", "--min-heads", "min_heads", FlagKind::value, "N", "below this, heads narrow to 64 (4 by default)"},
    CommandFlag{"scale", "--keep-depth", "keep_depth", FlagKind::on, "", "change the width alone"},
    CommandFlag{"scale", "--width-multiple", "width_multiple", FlagKind::value, "N", "steps of the width (a head by default)"},
    CommandFlag{"new", "--params", "params", FlagKind::value, "N", "parameters, from 1e6"},
    CommandFlag{"new", "--fit", "fit", FlagKind::value, "ID", "the largest whose training fits this device"},
};

// Whether a command has a flag of its own under the name of an operating point's.
bool overridden(std::string_view command, std::string_view flag) {
  return std::any_of(kCommandFlags.begin(), kCommandFlags.end(), [&](const CommandFlag& own) {
    return command == own.command && flag == own.flag;
  });
}

void set(json::Object& options, const std::string& group, const std::string& key, json::Value value) {
  if (group.empty()) {
    options.emplace_back(key, std::move(value));
    return;
  }
  for (auto& [name, member] : options)
    if (name == group) {
      member.object().emplace_back(key, std::move(value));
      return;
    }
  options.emplace_back(group, json::Value(json::Object{{key, std::move(value)}}));
}

// "--tp-size" -> "tp_size".
std::string step_key(std::string_view flag) {
  std::string key(flag.substr(2));
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

// The parser and what it fills; CLI11 keeps pointers into it.
class Parser {
 public:
  Parser() : app_("What a neural network costs: parameters, FLOPs, memory, time and money.", "roofbeam") {
    app_.require_subcommand(0, 1);
    app_.set_version_flag("--version", std::string(api::version()));
    app_.set_help_flag("-h,--help", "print this help");
    app_.get_formatter()->column_width(36);
    app_.footer("MODEL is a preset's name, a design (*.tensorcad.json), a config.json or a folder that holds one.");
    add_analyze();
    add_validate();
    add_show();
    add_explain();
    add_diff();
    add_plan();
    add_mup();
    add_scale();
    add_new();
    add_import();
    add_list();
    add_report();
    add_text_generate();
    add_devices();
    add_parse();
  }

  ParsedArguments parse(std::span<const std::string> args) {
    // CLI11 takes the arguments last first.
    std::vector<std::string> reversed(args.rbegin(), args.rend());
    ParsedArguments result;
    try {
      app_.parse(reversed);
    } catch (const CLI::ParseError& error) {
      return stopped(error, args);
    }
    const std::vector<CLI::App*> chosen = app_.get_subcommands();
    if (chosen.empty()) {
      result.stop = true;
      result.out = app_.help();
      return result;
    }
    arguments_.command = chosen.front()->get_name();
    for (const PointFlag& flag : kPointFlags)
      if (const std::string& text = values_[static_cast<std::size_t>(&flag - kPointFlags.data())]; !text.empty())
        set(arguments_.options, flag.group, flag.key, value_of(text));
    for (const CommandFlag& flag : kCommandFlags)
      if (const std::string& text = own_values_[static_cast<std::size_t>(&flag - kCommandFlags.data())];
          arguments_.command == flag.command && !text.empty())
        arguments_.members.emplace_back(flag.key, member_of(flag, text));
    for (std::size_t i = 0; i < step_flags().size(); ++i) {
      if (!step_texts_[i].empty()) set(arguments_.options, "", step_key(step_flags()[i].flag), value_of(step_texts_[i]));
      if (step_switches_[i]) set(arguments_.options, "", step_key(step_flags()[i].flag), json::Value(true));
    }
    if (sequence_parallel_) set(arguments_.options, "parallel", "sequence_parallel", json::Value(true));
    if (no_flash_) set(arguments_.options, "", "flash", json::Value(false));
    result.arguments = std::move(arguments_);
    return result;
  }

 private:
  CLI::App* command(const char* name, const char* help) {
    CLI::App* sub = app_.add_subcommand(name, help);
    sub->add_flag("--json", arguments_.json, "machine-readable output");
    return sub;
  }

  // One value, not a list that would swallow the argument after it.
  void add_one_model(CLI::App* sub, const char* name, const char* help) {
    sub->add_option_function<std::string>(
           name, [this](const std::string& model) { arguments_.models = {model}; }, help)
        ->required();
  }

  void add_model(CLI::App* sub) {
    add_one_model(sub, "MODEL", "preset, design or config.json");
  }

  void add_point(CLI::App* sub) {
    for (const PointFlag& flag : kPointFlags)
      if (!overridden(sub->get_name(), flag.flag))
        sub->add_option(flag.flag, values_[static_cast<std::size_t>(&flag - kPointFlags.data())], flag.help)
            ->type_name(flag.type)
            ->group("Operating point");
    sub->add_flag("--sequence-parallel", sequence_parallel_, "shard norms and residuals over TP")->group("Operating point");
    sub->add_flag("--no-flash", no_flash_, "attention that stores its scores")->group("Operating point");
  }

  void add_own(CLI::App* sub) {
    for (const CommandFlag& flag : kCommandFlags) {
      if (sub->get_name() != flag.command) continue;
      std::string& text = own_values_[static_cast<std::size_t>(&flag - kCommandFlags.data())];
      if (flag.kind == FlagKind::on)
        sub->add_flag_callback(flag.flag, [&text] { text = "true"; }, flag.help);
      else
        sub->add_option(flag.flag, text, flag.help)->type_name(flag.type);
    }
  }

  void add_analyze() {
    CLI::App* sub = command("analyze", "parameters, FLOPs, cache, memory, throughput and cost");
    add_model(sub);
    add_point(sub);
  }

  void add_validate() {
    CLI::App* sub = command("validate", "what the design rules find; exit code 1 if there are errors");
    add_model(sub);
    add_point(sub);
  }

  void add_show() {
    CLI::App* sub = command("show", "the blocks as a tree, with shapes");
    add_model(sub);
    sub->add_flag("--expand", arguments_.expand, "open blocks that are made of others");
  }

  void add_explain() {
    CLI::App* sub = command("explain", "what a block is and what it costs; every block, largest first, without PATH");
    add_model(sub);
    sub->add_option("PATH", arguments_.path, "the block, such as layers/block/attn");
    sub->add_option("--head", arguments_.head, "head whose mask is drawn (0 by default)")->type_name("N");
    add_point(sub);
  }

  void add_diff() {
    CLI::App* sub = command("diff", "what differs between two models, in structure and in figures");
    sub->add_option("MODEL", arguments_.models, "presets, designs or config.json files")->required()->expected(2);
    add_point(sub);
  }

  void add_plan() {
    CLI::App* sub = command("plan", "ways of splitting the training over devices that fit; exit code 1 if none does");
    add_model(sub);
    add_own(sub);
    add_point(sub);
  }

  void add_mup() {
    CLI::App* sub = command("mup", "the design at several widths, and what to multiply init and learning rate by");
    add_model(sub);
    add_own(sub);
  }

  void add_scale() {
    CLI::App* sub = command("scale", "a design of the same kind with another number of parameters");
    add_model(sub);
    add_own(sub);
    sub->add_option("--out", arguments_.out, "file to write the design to")->type_name("FILE");
  }

  void add_new() {
    CLI::App* sub = command("new", "a new design of a family, to size or to fit a device");
    sub->add_option("FAMILY", arguments_.family, "dense, classic, moe, hybrid, encoder-decoder or vision")->required();
    add_own(sub);
    sub->add_option("--out", arguments_.out, "file to write the design to")->type_name("FILE");
  }

  void add_import() {
    CLI::App* sub = command("import", "read a Hugging Face config.json into a design");
    add_one_model(sub, "CONFIG", "config.json, or a folder that holds one");
    sub->add_option("--name", arguments_.name, "the design's name")->type_name("NAME");
    sub->add_option("--out", arguments_.out, "file to write (out/<name>.tensorcad.json by default)")->type_name("FILE");
  }

  void add_list() { command("list", "presets, devices and the model types that can be imported"); }

  void add_text_generate() {
    CLI::App* sub = command("text-generate", "one prefill or decode step, operator by operator, on a device");
    add_model(sub);
    for (std::size_t i = 0; i < step_flags().size(); ++i) {
      const StepFlag& flag = step_flags()[i];
      if (flag.type == nullptr)
        sub->add_flag(flag.flag, step_switches_[i], flag.help)->group(flag.group);
      else
        sub->add_option(flag.flag, step_texts_[i], flag.help)->type_name(flag.type)->group(flag.group);
    }
    add_device_file(sub);
    sub->add_option("--chrome-trace-file", arguments_.trace_file, "write a timeline for Perfetto")
        ->type_name("FILE")
        ->group("Output");
  }

  void add_device_file(CLI::App* sub) {
    sub->add_option("--device-file", arguments_.device_file, "JSON file with a device profile, or a list of them")
        ->type_name("FILE");
  }

  void add_devices() { add_device_file(command("devices", "the devices a step can be simulated on")); }

  void add_report() { command("report", "every preset's counts against what was published; exit code 1 if one is off"); }

  void add_parse() {
    CLI::App* sub = command("parse", "print a design in its canonical form");
    add_model(sub);
  }

  static json::Value member_of(const CommandFlag& flag, const std::string& text) {
    if (flag.kind == FlagKind::on) return json::Value(true);
    if (flag.kind == FlagKind::value) return value_of(text);
    json::Array items;
    for (const std::string_view item : split(text, ',')) items.push_back(value_of(std::string(trimmed(item))));
    return json::Value(std::move(items));
  }

  // Help, the version, or what is wrong with the arguments, with the closest flag or command.
  ParsedArguments stopped(const CLI::ParseError& error, std::span<const std::string> args) {
    ParsedArguments result;
    result.stop = true;
    std::ostringstream out;
    std::ostringstream err;
    const int code = app_.exit(error, out, err);
    result.out = out.str();
    if (code == 0) return result;
    result.exit_code = 2;
    const CLI::App* active = &app_;
    for (const CLI::App* sub : app_.get_subcommands()) active = sub;
    const std::string unknown = unknown_words(*active, args);
    result.err = unknown.empty() ? "error: " + std::string(error.what()) + "\n" : unknown;
    result.err += "\n" + usage_line(active->get_parent() == nullptr ? "" : active->get_name());
    return result;
  }

  // Flags that the command does not have, or the command that the program does not have, each with
  // the closest one that is.
  static std::string unknown_words(const CLI::App& active, std::span<const std::string> args) {
    const bool in_command = active.get_parent() != nullptr;
    std::vector<std::string> known;
    for (const CLI::Option* option : active.get_options()) {
      const std::string names = option->get_name(false, true);
      for (const std::string_view name : split(names, ',')) known.emplace_back(name);
    }
    for (const CLI::App* sub : active.get_subcommands([](const CLI::App*) { return true; }))
      known.push_back(sub->get_name());
    std::string text;
    for (const std::string& arg : args) {
      if (arg == "--") break;
      const std::string word = arg.substr(0, arg.find('='));
      const bool flag = word.size() > 1 && word.starts_with("-") && !json_number(word);
      if (!flag && in_command) continue;
      if (std::find(known.begin(), known.end(), word) != known.end()) continue;
      text += std::string("error: unknown ") + (flag ? "flag " : "command ") + roofbeam::quoted(word) + "\n";
      if (const std::string hint = closest_hint(word, known); !hint.empty()) text += "  " + hint + "\n";
      if (!in_command) break;
    }
    return text;
  }

  static bool json_number(const std::string& word) {
    const Result<json::Value> value = json::parse(word);
    return value && value->is_number();
  }

  CLI::App app_;
  Arguments arguments_;
  std::array<std::string, kPointFlags.size()> values_;
  std::array<std::string, kCommandFlags.size()> own_values_;
  std::vector<std::string> step_texts_ = std::vector<std::string>(step_flags().size());
  std::array<bool, 64> step_switches_ = {};
  bool sequence_parallel_ = false;
  bool no_flash_ = false;
};

}  // namespace

json::Value value_of(const std::string& text) {
  const Result<json::Value> value = json::parse(text);
  return value && value->is_number() ? *value : json::Value(text);
}

ParsedArguments parse_arguments(std::span<const std::string> args) { return Parser().parse(args); }

std::string usage_line(std::string_view command) {
  if (command.empty()) return "`roofbeam --help` lists the commands.\n";
  return "`roofbeam " + std::string(command) + " --help` lists its flags.\n";
}

std::string flag_of(std::string_view pointer) {
  for (const PointFlag& flag : kPointFlags) {
    std::string path = "/options/";
    if (*flag.group != '\0') path += std::string(flag.group) + "/";
    if (path + flag.key == pointer) return flag.flag;
  }
  for (const CommandFlag& flag : kCommandFlags) {
    const std::string path = std::string("/") + flag.key;
    if (pointer == path || pointer.starts_with(path + "/")) return flag.flag;
  }
  for (const StepFlag& flag : step_flags())
    if (pointer == "/options/" + step_key(flag.flag)) return flag.flag;
  if (pointer == "/options/parallel/sequence_parallel") return "--sequence-parallel";
  if (pointer == "/options/flash") return "--no-flash";
  if (pointer == "/family") return "FAMILY";
  if (pointer == "/name") return "--name";
  if (pointer == "/head") return "--head";
  return "";
}

}  // namespace roofbeam::cli
