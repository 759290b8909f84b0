#include <array>

#include "engine/api/commands.h"
#include "engine/base/text.h"
#include "engine/report/simulation.h"
#include "engine/report/text_report.h"

namespace roofbeam::api {
namespace {

// No machine holds as many tokens or ranks, and products with a model's sizes still count exactly.
constexpr std::int64_t kMostTokens = std::int64_t{1} << 32;
constexpr std::int64_t kMostDevices = std::int64_t{1} << 20;
constexpr std::array<std::string_view, 2> kWordEmbeddings{"col", "row"};
constexpr std::string_view kSimulatedDevice = "TEST_DEVICE";

std::optional<std::int64_t> whole(json::Reader& in, std::string_view key, std::int64_t minimum,
                                  std::int64_t maximum) {
  const auto value = in.optional_whole(key, minimum);
  if (!value || *value <= maximum) return value;
  in.problem(key, "json.range",
             "found " + std::to_string(*value) + ", wanted at most " + std::to_string(maximum));
  return std::nullopt;
}

std::optional<std::int64_t> size(json::Reader& in, std::string_view key) {
  return whole(in, key, 1, kMostDevices);
}

bool flag(json::Reader& in, std::string_view key) {
  return in.optional_boolean(key).value_or(false);
}

// Everything of `options`.
struct Options {
  TextWorkload workload;
  SimulationView view;
  bool csv = false;
  bool trace = false;
};

void read_layout(json::Reader& in, TextWorkload& workload) {
  workload.devices = size(in, "num_devices").value_or(1);
  workload.tp = size(in, "tp_size").value_or(1);
  workload.dp = size(in, "dp_size");
  workload.pp = size(in, "pp_size").value_or(1);
  workload.dcp = size(in, "dcp_size").value_or(1);
  workload.ep = size(in, "ep_size").value_or(1);
  workload.moe_dp = size(in, "moe_dp_size").value_or(1);
  workload.moe_tp = size(in, "moe_tp_size");
  workload.o_proj_tp = size(in, "o_proj_tp_size");
  workload.o_proj_dp = size(in, "o_proj_dp_size");
  workload.mlp_tp = size(in, "mlp_tp_size");
  workload.mlp_dp = size(in, "mlp_dp_size");
  workload.lm_head_tp = size(in, "lmhead_tp_size");
  workload.lm_head_dp = size(in, "lmhead_dp_size");
  if (const auto cut = in.optional_choice("word_embedding_tp", kWordEmbeddings))
    workload.word_embedding = *cut == "col" ? WordEmbedding::columns : WordEmbedding::rows;
  workload.redundant_experts = flag(in, "enable_redundant_experts");
  workload.shared_expert_tp = flag(in, "enable_shared_expert_tp");
  workload.external_shared_experts = flag(in, "enable_external_shared_experts");
  workload.hosts_external_shared_experts = flag(in, "host_external_shared_experts");
}

Options read_options(json::Reader& in) {
  Options options;
  TextWorkload& workload = options.workload;
  workload.queries = in.count("num_queries");
  workload.query_length = in.count("query_length");
  for (const auto& [key, value] :
       {std::pair{"num_queries", workload.queries}, {"query_length", workload.query_length}})
    if (value > kMostTokens)
      in.problem(
          key, "json.range",
          "found " + std::to_string(value) + ", wanted at most " + std::to_string(kMostTokens));
  workload.context_length = whole(in, "context_length", 0, kMostTokens).value_or(0);
  workload.decode = flag(in, "decode");
  workload.prefix_cache_hit_rate = in.optional_number("prefix_cache_hit_rate").value_or(0);
  workload.mtp_tokens = whole(in, "num_mtp_tokens", 0, 64).value_or(0);
  workload.layers = whole(in, "num_hidden_layers_override", 0, kMostDevices).value_or(0);
  Quantization& quantization = workload.quantization;
  if (const auto mode = in.optional_choice("quantize_linear_action", linear_mode_names()))
    quantization.linear = *linear_mode_named(*mode);
  if (const auto mode =
          in.optional_choice("quantize_non_expert_linear_action", linear_mode_names()))
    if (const LinearMode other = *linear_mode_named(*mode); other != LinearMode::disabled)
      quantization.non_expert = other;
  if (const auto mode = in.optional_choice("quantize_attention_action", attention_mode_names()))
    quantization.attention = *attention_mode_named(*mode);
  quantization.mxfp4_group = whole(in, "mxfp4_group_size", 1, 4096).value_or(32);
  if (const auto reserved = in.optional_number("reserved_memory_gb")) {
    if (*reserved < 0)
      in.problem("reserved_memory_gb", "json.range",
                 "found " + shortest(*reserved) + ", wanted 0 or more");
    workload.reserved = {std::max(0.0, *reserved) * 1024 * 1024 * 1024};
  }
  read_layout(in, workload);
  options.view.input_shapes = flag(in, "dump_input_shapes");
  options.view.bounds = flag(in, "dump_op_bound_results");
  options.csv = flag(in, "csv");
  options.trace = flag(in, "chrome_trace");
  (void)flag(in, "quantize_lmhead");
  workload.compile = flag(in, "compile");
  workload.repetition = !flag(in, "no_repetition");
  return options;
}

// The request's own `device_profile`, one or several; none where there is none or it is wrong.
std::vector<DeviceProfile> own_devices(json::Reader& in, Diagnostics& problems) {
  const json::Value* profiles = in.optional_value("device_profile");
  if (profiles == nullptr) return {};
  Result<std::vector<DeviceProfile>> read = read_devices(*profiles, in.path_of("device_profile"));
  if (read) return *std::move(read);
  problems.insert(problems.end(), read.errors().begin(), read.errors().end());
  return {};
}

std::optional<DeviceProfile> read_profile(json::Reader& in, Diagnostics& problems) {
  const std::size_t before = problems.size();
  const auto id = in.optional_string("device");
  const std::vector<DeviceProfile> own = own_devices(in, problems);
  if (problems.size() > before) return std::nullopt;
  if (!id && !own.empty()) return own.front();
  Result<DeviceProfile> device = device_named(id.value_or(std::string(kSimulatedDevice)), own);
  if (device) return *std::move(device);
  for (const Diagnostic& problem : below(device.errors(), in.path_of("device")))
    problems.push_back(problem);
  return std::nullopt;
}

}  // namespace

Result<Answer> text_generate_command(json::Reader& in, Diagnostics& problems,
                                     const Context& context) {
  const auto model = context.models.read(in);
  problems.insert(problems.end(), model.errors().begin(), model.errors().end());
  std::optional<DeviceProfile> device;
  Options options;
  if (auto given = in.optional_object("options")) {
    device = read_profile(*given, problems);
    options = read_options(*given);
    given->done();
  } else {
    in.problem("options", "json.missing", "the step's options are missing",
               "num_queries and query_length are required");
  }
  in.done();
  if (!problems.empty() || !model || !device) return problems;

  const Document& document = (*model)->document;
  Result<Simulation> simulation =
      simulate((*model)->design, document.meta.framework, options.workload, *device);
  if (!simulation) {
    Diagnostics errors = simulation.errors();
    for (Diagnostic& error : errors)
      if (error.code.starts_with("workload.")) error.path = in.path_of("options") + error.path;
    return errors;
  }
  Answer answer;
  if (options.trace) {
    answer.json = chrome_trace(*simulation);
    answer.text = answer.json;
    return answer;
  }
  for (const Diagnostic& warning : (*model)->warnings) answer.notes.push_back(warning.message);
  for (const std::string& warning : simulation->warnings) answer.notes.push_back(warning);
  json::Writer out;
  write_json(out, *simulation);
  answer.json = out.take();
  if (context.rendering == Rendering::text)
    answer.text = options.csv ? simulation_csv(*simulation, options.view)
                              : simulation_text(*simulation, options.view);
  return answer;
}

Result<Answer> devices_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  const std::vector<DeviceProfile> own = own_devices(in, problems);
  in.done();
  if (!problems.empty()) return problems;
  Answer answer;
  json::Writer out;
  out.begin_object().key("devices").begin_array();
  const auto rate = [](const Peaks& peaks, Dtype dtype) {
    const auto found = peaks.of(dtype);
    return found ? fixed(found->value / 1e12, 1) : std::string("-");
  };
  std::vector<std::vector<std::string>> rows{{"id", "memory GiB", "bandwidth GB/s", "matrix bf16",
                                              "int8", "fp8", "fp4", "vector fp32", "grid", "name"}};
  for (const std::span<const DeviceProfile> devices :
       {std::span<const DeviceProfile>(own), built_in_devices()})
    for (const DeviceProfile& device : devices) {
      out.value(to_json(device));
      std::string grid;
      if (device.grid)
        for (const GridLevel& level : device.grid->levels)
          grid += (grid.empty() ? "" : "x") + std::to_string(level.size);
      rows.push_back({device.id, fixed(device.memory.value / (1024.0 * 1024 * 1024), 0),
                      fixed(device.bandwidth.value / 1e9, 0),
                      rate(device.matrix_peaks, Dtype::bf16),
                      rate(device.matrix_peaks, Dtype::int8), rate(device.matrix_peaks, Dtype::fp8),
                      rate(device.matrix_peaks, Dtype::fp4), rate(device.vector_peaks, Dtype::fp32),
                      grid.empty() ? "-" : grid, device.name});
    }
  out.end_array().end_object();
  answer.json = out.take();
  constexpr std::array<std::size_t, 1> kLeft{9};
  if (context.rendering == Rendering::text)
    answer.text = table(rows, kLeft) +
                  "\nPeaks in TFLOP/s, dense; `roofbeam devices --json` tells everything.\n";
  return answer;
}

}  // namespace roofbeam::api
