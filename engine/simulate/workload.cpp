#include "engine/simulate/workload.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "engine/program/modules.h"

namespace roofbeam {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

// What a workload is checked against.
struct ModelFacts {
  std::int64_t layers = 0;
  std::vector<std::int64_t> heads;     // of each kind of attention
  std::vector<std::int64_t> kv_heads;  // none for latent attention
  bool has_experts = false;
  bool has_shared_experts = false;
  bool has_mtp = false;
};

ModelFacts facts_of(const Elaboration& design) {
  const Model model = modules_of(design);
  ModelFacts facts;
  facts.layers = layer_count(model);
  for (const Run& run : model.runs)
    for (const Module& module : run.modules) {
      if (const auto* attention = std::get_if<Attention>(&module.kind)) {
        facts.heads.push_back(attention->heads);
        facts.kv_heads.push_back(attention->kv_heads);
      } else if (const auto* latent = std::get_if<LatentAttention>(&module.kind)) {
        facts.heads.push_back(latent->heads);
      } else if (const auto* moe = std::get_if<Moe>(&module.kind)) {
        facts.has_experts = true;
        facts.has_shared_experts = facts.has_shared_experts || moe->shared.has_value();
      } else if (std::holds_alternative<MtpJoin>(module.kind)) {
        facts.has_mtp = true;
      }
    }
  return facts;
}

class Resolver {
 public:
  Resolver(const TextWorkload& workload, const Elaboration& design, const DeviceProfile& device)
      : workload_(workload), facts_(facts_of(design)), device_(device) {}

  Result<ResolvedWorkload> run() {
    check_lengths();
    resolve_layout();
    check_heads();
    check_experts();
    if (!problems_.empty()) return problems_;
    StepSettings& step = result_.step;
    const std::int64_t dp = step.parallel.dp;
    step.sequences = (workload_.queries + dp - 1) / dp;
    step.query_tokens = workload_.query_length - cached_;
    step.context_tokens = workload_.context_length + cached_;
    step.decode = workload_.decode;
    step.mtp_tokens = workload_.mtp_tokens;
    step.compile = workload_.compile;
    step.repetition = workload_.repetition;
    step.layers = workload_.layers;
    step.quantization = workload_.quantization;
    if (workload_.queries % dp != 0)
      warn(number(workload_.queries) + " queries are spread over " + number(dp) +
           " replicas: the fullest, of " + number(step.sequences) + ", is simulated.");
    return std::move(result_);
  }

 private:
  void problem(std::string_view option, std::string code, std::string message,
               std::string hint = "") {
    problems_.push_back({.code = std::move(code),
                         .path = "/" + std::string(option),
                         .message = std::move(message),
                         .hint = std::move(hint)});
  }
  void warn(std::string text) { result_.warnings.push_back(std::move(text)); }

  void check_lengths() {
    const double rate = workload_.prefix_cache_hit_rate;
    if (!(rate >= 0 && rate < 1)) {
      problem(
          "prefix_cache_hit_rate", "workload.hit_rate",
          "found " + shortest(rate) + ", wanted a share of the prompt of at least 0 and below 1",
          "at least one token of each prompt has to be computed");
    } else if (rate > 0 && workload_.decode) {
      warn("A prefix cache makes no difference to a decode step: the hit rate is left out.");
    } else {
      cached_ =
          static_cast<std::int64_t>(std::floor(static_cast<double>(workload_.query_length) * rate));
    }
    if (workload_.layers > facts_.layers)
      problem("num_hidden_layers_override", "workload.layers",
              "found " + number(workload_.layers) + ", but the model has " + number(facts_.layers) +
                  " layers");
    if (workload_.mtp_tokens > 0 && !facts_.has_mtp)
      problem("num_mtp_tokens", "workload.no_mtp",
              "found " + number(workload_.mtp_tokens) +
                  ", but the model has no multi-token-prediction module");
    if (workload_.decode && workload_.mtp_tokens > 0 &&
        workload_.query_length < workload_.mtp_tokens + 1)
      warn("A decode step that verifies " + number(workload_.mtp_tokens) +
           " predicted tokens has queries of " + number(workload_.mtp_tokens + 1) +
           " tokens; with " + number(workload_.query_length) +
           " the last token of each is scored alone.");
    if (workload_.decode && workload_.mtp_tokens == 0 && workload_.query_length != 1)
      warn("A decode step has queries of one token; " + number(workload_.query_length) +
           " are computed for each.");
  }

  // The other factor of `size` ranks, or nothing (noted) where they do not divide.
  std::int64_t other_factor(std::string_view option, std::int64_t value, std::int64_t ranks,
                            const std::string& product) {
    if (ranks % value == 0) return ranks / value;
    problem(option, "workload.layout",
            "found " + number(value) + ", but " + product + " must be the " +
                number(workload_.devices) + " devices");
    return 1;
  }

  // A pair of overrides of the tensor and data parallel degrees; returns the tensor parallel one.
  std::int64_t pair(const std::string& stem, std::optional<std::int64_t> tp,
                    std::optional<std::int64_t> dp, std::int64_t ranks) {
    const ParallelSizes& sizes = result_.step.parallel;
    const std::string product = stem + "-tp x " + stem + "-dp x pp";
    std::string key = stem;
    std::ranges::replace(key, '-', '_');
    if (!tp && !dp) return sizes.tp;
    if (tp && !dp) {
      (void)other_factor(key + "_tp_size", *tp, ranks, product);
      return *tp;
    }
    if (!tp) return other_factor(key + "_dp_size", *dp, ranks, product);
    if (*tp * *dp != ranks)
      problem(key + "_tp_size", "workload.layout",
              product + " is " + number(*tp) + " x " + number(*dp) + " x " + number(workload_.pp) +
                  " = " + number(*tp * *dp * workload_.pp) + ", but there are " +
                  number(workload_.devices) + " devices");
    return *tp;
  }

  void resolve_layout() {
    const TextWorkload& w = workload_;
    ParallelSizes& sizes = result_.step.parallel;
    sizes.devices = w.devices;
    sizes.tp = w.tp;
    sizes.pp = w.pp;
    sizes.ep = w.ep;
    sizes.moe_dp = w.moe_dp;
    sizes.dcp = w.dcp;
    sizes.word_embedding = w.word_embedding;
    sizes.redundant_experts = w.redundant_experts;
    sizes.shared_expert_tp = w.shared_expert_tp;
    sizes.external_shared_experts = w.external_shared_experts;
    sizes.hosts_external_shared_experts = w.hosts_external_shared_experts;
    const std::int64_t ranks = other_factor("pp_size", w.pp, w.devices, "tp x dp x pp");
    if (w.dp) {
      sizes.dp = *w.dp;
      if (w.tp * *w.dp * w.pp != w.devices)
        problem("dp_size", "workload.layout",
                "tp x dp x pp is " + number(w.tp) + " x " + number(*w.dp) + " x " + number(w.pp) +
                    " = " + number(w.tp * *w.dp * w.pp) + ", but there are " + number(w.devices) +
                    " devices");
    } else {
      sizes.dp = other_factor("tp_size", w.tp, ranks, "tp x dp x pp");
    }
    sizes.o_proj_tp = pair("o-proj", w.o_proj_tp, w.o_proj_dp, ranks);
    sizes.mlp_tp = pair("mlp", w.mlp_tp, w.mlp_dp, ranks);
    sizes.lm_head_tp = pair("lmhead", w.lm_head_tp, w.lm_head_dp, ranks);
    const std::string product = "moe-tp x moe-dp x ep x pp";
    if (w.moe_tp) {
      sizes.moe_tp = *w.moe_tp;
      if (*w.moe_tp * w.moe_dp * w.ep != ranks)
        problem("moe_tp_size", "workload.layout",
                product + " is " + number(*w.moe_tp) + " x " + number(w.moe_dp) + " x " +
                    number(w.ep) + " x " + number(w.pp) + " = " +
                    number(*w.moe_tp * w.moe_dp * w.ep * w.pp) + ", but there are " +
                    number(w.devices) + " devices");
    } else {
      sizes.moe_tp = other_factor("ep_size", w.ep * w.moe_dp, ranks, product);
    }
    if (w.pp > facts_.layers && facts_.layers > 0)
      problem("pp_size", "workload.stages",
              "found " + number(w.pp) + " stages, but the model has " + number(facts_.layers) +
                  " layers");
    if (w.tp % w.dcp != 0)
      problem("dcp_size", "workload.layout",
              "found " + number(w.dcp) + ", which does not divide the tensor parallel degree " +
                  number(w.tp));
    if (w.dcp > 1 && !w.decode)
      warn("Ranks share a context only while decoding: dcp makes no difference to a prefill.");
    if (!device_.grid && w.devices > 1)
      warn(device_.id +
           " has no communication grid: exchanges between devices take the time of their memory "
           "traffic alone.");
    if (device_.grid && w.devices > device_.grid->devices())
      warn("The grid of " + device_.id + " holds " + number(device_.grid->devices()) +
           " devices, fewer than the " + number(w.devices) +
           " given; the outermost links are taken to go on.");
  }

  void check_heads() {
    for (const std::int64_t heads : facts_.heads)
      if (heads % workload_.tp != 0) {
        problem("tp_size", "workload.heads",
                "found " + number(workload_.tp) + ", which does not divide the " + number(heads) +
                    " attention heads");
        break;
      }
    for (const std::int64_t heads : facts_.kv_heads)
      if (heads >= workload_.tp ? heads % workload_.tp != 0 : workload_.tp % heads != 0) {
        problem("tp_size", "workload.kv_heads",
                "found " + number(workload_.tp) + ", but the " + number(heads) +
                    " key/value heads are neither a multiple of it nor a divisor");
        break;
      }
  }

  void check_experts() {
    const TextWorkload& w = workload_;
    if (w.shared_expert_tp && w.ep == 1)
      problem("enable_shared_expert_tp", "workload.shared_experts",
              "shared experts are cut among the ranks only beside expert parallelism",
              "set --ep-size above 1");
    if (w.shared_expert_tp && (w.external_shared_experts || w.hosts_external_shared_experts))
      problem("enable_shared_expert_tp", "workload.shared_experts",
              "shared experts are either cut among the ranks or on ranks of their own, not both");
    if (w.external_shared_experts && !facts_.has_shared_experts)
      problem("enable_external_shared_experts", "workload.shared_experts",
              "the model has no shared experts");
    if (w.external_shared_experts && w.ep < 2)
      problem("enable_external_shared_experts", "workload.shared_experts",
              "shared experts on ranks of their own need at least 2 expert parallel ranks",
              "set --ep-size");
    if (w.hosts_external_shared_experts && !w.external_shared_experts)
      problem("host_external_shared_experts", "workload.shared_experts",
              "no rank hosts shared experts alone without --enable-external-shared-experts");
    if (!facts_.has_experts && (w.ep > 1 || w.moe_dp > 1 || w.redundant_experts))
      warn("The model has no experts: expert parallelism makes no difference.");
  }

  const TextWorkload& workload_;
  ModelFacts facts_;
  const DeviceProfile& device_;
  std::int64_t cached_ = 0;
  ResolvedWorkload result_;
  Diagnostics problems_;
};

}  // namespace

Result<ResolvedWorkload> resolve(const TextWorkload& workload, const Elaboration& design,
                                 const DeviceProfile& device) {
  return Resolver(workload, design, device).run();
}

}  // namespace roofbeam
