#include "engine/cli/step_flags.h"

namespace roofbeam::cli {
namespace {

constexpr const char* kStep = "Step";
constexpr const char* kQuantization = "Quantization";
constexpr const char* kParallel = "Parallelism";
constexpr const char* kOutput = "Output";
constexpr const char* kModes =
    "DISABLED, W8A16_STATIC, W8A8_STATIC, W4A8_STATIC, W8A16_DYNAMIC, W8A8_DYNAMIC, W4A8_DYNAMIC, "
    "FP8 or MXFP4 "
    "(W8A8_DYNAMIC by default)";

constexpr StepFlag kFlags[] = {
    {"--device", "ID", kStep, "device, see `roofbeam devices` (TEST_DEVICE by default)"},
    {"--num-devices", "N", kStep, "devices of the whole run (1)"},
    {"--reserved-memory-gb", "GIB", kStep, "memory kept free (0)"},
    {"--num-queries", "N", kStep, "requests over all replicas; required"},
    {"--query-length", "TOKENS", kStep, "new tokens of each; required"},
    {"--context-length", "TOKENS", kStep, "tokens in the cache already (0)"},
    {"--decode", nullptr, kStep, "a decode step, not a prefill"},
    {"--prefix-cache-hit-rate", "SHARE", kStep, "share of the prompt found in the cache, [0, 1)"},
    {"--num-mtp-tokens", "N", kStep, "multi-token-prediction modules that run (0)"},
    {"--num-hidden-layers-override", "N", kStep, "only the first N layers"},
    {"--no-repetition", nullptr, kStep,
     "run equal layers one by one: the same numbers, but that compiled ones fuse across borders"},
    {"--compile", nullptr, kStep, "fuse operators as the framework's compiler does"},
    {"--quantize-linear-action", "MODE", kQuantization, kModes},
    {"--quantize-non-expert-linear-action", "MODE", kQuantization,
     "of all linears but the routed experts'"},
    {"--quantize-attention-action", "MODE", kQuantization, "DISABLED, INT8 or FP8 (DISABLED)"},
    {"--quantize-lmhead", nullptr, kQuantization, "makes no difference, as in the reference"},
    {"--mxfp4-group-size", "N", kQuantization, "elements that share a scale (32)"},
    {"--tp-size", "N", kParallel, "tensor parallel ranks (1)"},
    {"--dp-size", "N", kParallel, "data parallel replicas (derived)"},
    {"--pp-size", "N", kParallel, "pipeline stages (1)"},
    {"--dcp-size", "N", kParallel, "ranks that share a decode context (1)"},
    {"--ep-size", "N", kParallel, "expert parallel ranks (1)"},
    {"--moe-tp-size", "N", kParallel, "ranks each expert is cut among (derived)"},
    {"--moe-dp-size", "N", kParallel, "replicas of the experts (1)"},
    {"--o-proj-tp-size", "N", kParallel, "of attention's output projection (tp)"},
    {"--o-proj-dp-size", "N", kParallel, "of attention's output projection (dp)"},
    {"--mlp-tp-size", "N", kParallel, "of dense MLPs (tp)"},
    {"--mlp-dp-size", "N", kParallel, "of dense MLPs (dp)"},
    {"--lmhead-tp-size", "N", kParallel, "of the head (tp)"},
    {"--lmhead-dp-size", "N", kParallel, "of the head (dp)"},
    {"--word-embedding-tp", "col|row", kParallel, "cut the table of words (replicated)"},
    {"--enable-redundant-experts", nullptr, kParallel, "one more expert on each rank"},
    {"--enable-shared-expert-tp", nullptr, kParallel, "cut shared experts among the ranks"},
    {"--enable-external-shared-experts", nullptr, kParallel,
     "shared experts on ranks of their own"},
    {"--host-external-shared-experts", nullptr, kParallel, "simulate such a rank"},
    {"--dump-input-shapes", nullptr, kOutput, "tell calls apart by the shapes of their operands"},
    {"--dump-op-bound-results", nullptr, kOutput, "what holds each operator up, and its parts"},
    {"--csv", nullptr, kOutput, "the table as comma-separated values"},
};

}  // namespace

std::span<const StepFlag> step_flags() { return kFlags; }

}  // namespace roofbeam::cli
