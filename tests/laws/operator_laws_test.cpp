// A primitive's numbers are written twice: as closed forms that analysis sums, and as operators
// that simulation prices. Over random arguments and workloads the two must be one.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "engine/blocks/catalog.h"
#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"
#include "tests/unit/algebra/random.h"
#include "tests/unit/blocks/sample.h"

namespace roofbeam {
namespace {

constexpr int kSamples = 100;

// How a primitive is sampled: arguments that are valid together.
struct Sampled {
  std::string type;
  std::function<Written(Random&)> arguments;
  bool per_image = false;  // a token of it is a whole image
};

void PrintTo(const Sampled& row, std::ostream* out) { *out << row.type; }

json::Value text(std::string value) { return json::Value(std::move(value)); }
std::string digits(std::int64_t value) { return std::to_string(value); }
json::Value size(Random& random) { return random.whole(1, 64); }
bool flip(Random& random) { return random.whole(0, 1) == 1; }

json::Value kind(Random& random) {
  const std::vector<std::string>& kinds = activation_kinds();
  return text(kinds[static_cast<std::size_t>(
      random.whole(0, static_cast<std::int64_t>(kinds.size()) - 1))]);
}

Written dim(Random& random) { return {{"dim", size(random)}}; }
Written nothing(Random&) { return {}; }

Written image_window(Random& random) {
  return {{"in_h", random.whole(6, 20)},
          {"in_w", random.whole(6, 20)},
          {"kernel", random.whole(1, 5)},
          {"stride", random.whole(1, 3)},
          {"padding", random.whole(0, 2)}};
}

Written grouped_heads(Random& random) {
  const std::int64_t kv_heads = random.whole(1, 6);
  return {{"heads", kv_heads * random.whole(1, 4)}, {"kv_heads", kv_heads}};
}

Written conv2d(Random& random) {
  const std::int64_t groups = random.whole(1, 3);
  Written written = image_window(random);
  written.insert(written.end(), {{"groups", groups},
                                 {"in_channels", groups * random.whole(1, 5)},
                                 {"out_channels", groups * random.whole(1, 5)},
                                 {"bias", flip(random)},
                                 {"act", kind(random)}});
  return written;
}

Written maxpool2d(Random& random) {
  Written written = image_window(random);
  written.emplace_back("channels", size(random));
  return written;
}

Written eager(Random& random, const char* width) {
  Written written = grouped_heads(random);
  written.emplace_back(width, size(random));
  return written;
}

Written sdpa(Random& random) {
  Written written = eager(random, "head_dim");
  written.emplace_back("v_head_dim", flip(random) ? random.whole(1, 64) : 0);
  written.emplace_back("shared_values", flip(random));
  if (random.whole(0, 3) == 0) {
    written.insert(written.end(), {{"cross", true}, {"causal", false}});
    return written;
  }
  written.insert(written.end(), {{"causal", flip(random)},
                                 {"window", flip(random) ? random.whole(1, 50) : 0},
                                 {"logit_softcap", flip(random) ? 30 : 0},
                                 {"sinks", flip(random)}});
  if (flip(random)) written.emplace_back("mask", "q - kv < 20 or kv < 4");
  if (flip(random)) written.emplace_back("score", "score + bias(h, abs(q - kv) % 8)");
  return written;
}

Written rearrange(Random& random) {
  const std::string heads = digits(random.whole(1, 8));
  const std::string width = digits(random.whole(1, 32));
  return {{"from", text("B T (" + heads + " " + width + ")")},
          {"to", text("B " + heads + " T " + width)}};
}

Written pieces(Random& random, const char* pattern) {
  const std::int64_t first = random.whole(1, 32);
  const std::int64_t second = random.whole(1, 32);
  return {{pattern, text("B T " + digits(first + second))}, {"sizes", json::Array{first, second}}};
}

Written router(Random& random) {
  const std::int64_t top_k = random.whole(1, 4);
  return {{"d_model", size(random)},
          {"top_k", top_k},
          {"experts", top_k + random.whole(0, 12)},
          {"bias", flip(random)},
          {"normalize", flip(random)}};
}

Written ssd(Random& random) {
  const std::int64_t groups = random.whole(1, 3);
  const std::int64_t heads = groups * random.whole(1, 4);
  const std::int64_t head_dim = random.whole(1, 16);
  const std::int64_t state = random.whole(1, 16);
  return {{"heads", heads},
          {"head_dim", head_dim},
          {"d_inner", heads * head_dim},
          {"state", state},
          {"groups", groups},
          {"xbc_width", heads * head_dim + 2 * groups * state},
          {"chunk", random.whole(1, 64)}};
}

const std::vector<Sampled>& every_primitive() {
  static const std::vector<Sampled> rows{
      {"input", nothing},
      {"output", nothing},
      {"boundary_in", nothing},
      {"boundary_out", nothing},
      {"embedding",
       [](Random& r) -> Written {
         return {{"vocab", size(r)}, {"dim", size(r)}, {"tied", flip(r)}};
       }},
      {"pos_embedding",
       [](Random& r) -> Written {
         return {{"max_seq", r.whole(64, 128)}, {"dim", size(r)}, {"positions", flip(r)}};
       }},
      {"learned_tokens",
       [](Random& r) -> Written {
         return {{"dim", size(r)}, {"count", size(r)}, {"tokens", r.whole(0, 2)}};
       }},
      {"linear",
       [](Random& r) -> Written {
         return {{"in_features", size(r)}, {"out_features", size(r)}, {"bias", flip(r)}};
       }},
      {"lm_head",
       [](Random& r) -> Written {
         return {{"vocab", size(r)},
                 {"dim", size(r)},
                 {"tied", flip(r)},
                 {"bias", flip(r)},
                 {"softcap", flip(r) ? 30 : 0}};
       }},
      {"conv2d", conv2d, true},
      {"maxpool2d", maxpool2d, true},
      {"flatten2d",
       [](Random& r) -> Written {
         return {{"channels", size(r)}, {"in_h", size(r)}, {"in_w", size(r)}};
       },
       true},
      {"rmsnorm",
       [](Random& r) -> Written {
         return {{"dim", size(r)}, {"scale", flip(r)}};
       }},
      {"layernorm",
       [](Random& r) -> Written {
         return {{"dim", size(r)}, {"bias", flip(r)}};
       }},
      {"activation",
       [](Random& r) -> Written {
         return {{"dim", size(r)}, {"kind", kind(r)}};
       }},
      {"add", dim},
      {"mul", dim},
      {"gate", dim},
      {"mix", dim},
      {"scale", dim},
      {"diff_combine",
       [](Random& r) -> Written {
         return {{"heads", size(r)}, {"head_dim", size(r)}, {"dim", size(r)}};
       }},
      {"attn_scores", [](Random& r) { return eager(r, "head_dim"); }},
      {"attn_softmax",
       [](Random& r) -> Written {
         return {{"heads", size(r)}, {"causal", flip(r)}};
       }},
      {"head_mix",
       [](Random& r) -> Written {
         return {{"heads", size(r)}};
       }},
      {"attn_values", [](Random& r) { return eager(r, "v_head_dim"); }},
      {"rearrange", rearrange},
      {"position_bias",
       [](Random& r) -> Written {
         return {{"buckets", size(r)}, {"heads", size(r)}};
       }},
      {"rope",
       [](Random& r) -> Written {
         return {{"heads", size(r)}, {"head_dim", 2 * r.whole(1, 32)}, {"positions", flip(r)}};
       }},
      {"sdpa", sdpa},
      {"topk_router", router},
      {"weighted_sum",
       [](Random& r) -> Written {
         return {{"dim", size(r)}, {"n", r.whole(1, 8)}};
       }},
      {"split", [](Random& r) { return pieces(r, "from"); }},
      {"concat", [](Random& r) { return pieces(r, "to"); }},
      {"shift", dim},
      {"expand_heads",
       [](Random& r) -> Written {
         return {{"heads", size(r)}, {"dim", size(r)}};
       }},
      {"kv_latent_cache", dim},
      {"conv1d",
       [](Random& r) -> Written {
         return {{"channels", size(r)}, {"kernel", r.whole(1, 5)}, {"bias", flip(r)}};
       }},
      {"gated_delta_scan",
       [](Random& r) -> Written {
         const std::int64_t heads = r.whole(1, 6);
         return {{"heads", heads},
                 {"head_dim", size(r)},
                 {"v_head_dim", flip(r) ? r.whole(1, 32) : 0},
                 {"value_heads", flip(r) ? heads * r.whole(1, 3) : 0}};
       }},
      {"selective_scan",
       [](Random& r) -> Written {
         return {{"d_inner", size(r)}, {"state", r.whole(1, 16)}};
       }},
      {"ssd_scan", ssd},
  };
  return rows;
}

TEST(OperatorLaws, ThereIsARowForEveryPrimitive) {
  std::set<std::string> sampled;
  for (const Sampled& row : every_primitive()) sampled.insert(row.type);
  std::set<std::string> primitives;
  for (const BlockSpec& block : built_in_blocks())
    if (block.kind == BlockKind::primitive) primitives.insert(block.type);
  EXPECT_EQ(sampled, primitives);
}

class OperatorLaws : public testing::TestWithParam<Sampled> {
 protected:
  // Calls `check` with random samples of the primitive and a workload without a cached context.
  void for_samples(const std::function<void(const Sample&, const Workload&)>& check) {
    const Sampled& row = GetParam();
    Random random(20250101);  // fixed: a failure must reproduce
    for (int i = 0; i < kSamples; ++i) {
      const Workload workload{.batch = random.whole(1, 3),
                              .query_tokens = row.per_image ? 1 : random.whole(1, 40),
                              .source_tokens = random.whole(1, 30)};
      const Written written = row.arguments(random);
      const Scope scope = scope_of(workload);
      const Sample sample(row.type, written, scope);
      for (const Issue& issue : sample.issues(scope))
        ASSERT_NE(issue.severity, Severity::error) << issue.message;
      std::string arguments;
      for (const auto& [name, value] : written) arguments += " " + name + " " + described(value);
      SCOPED_TRACE("case " + digits(i) + ":" + arguments);
      check(sample, workload);
      if (HasFailure()) return;
    }
  }
};

double tokens(const Workload& workload) {
  return static_cast<double>(workload.batch * workload.query_tokens);
}

// What the closed forms say a step costs: every position it reads counts, those cached too.
double closed_form(const Sample& sample, const Workload& workload) {
  const WorkPerToken work =
      sample.work(scope_of(workload),
                  {.own = static_cast<double>(workload.context_tokens + workload.query_tokens),
                   .source = static_cast<double>(workload.source_tokens),
                   .batch = static_cast<double>(workload.batch)});
  return (work.matrix + work.attention_unmasked).value * tokens(workload);
}

double sum_of(const std::vector<Operator>& operators,
              const std::function<double(const Operator&)>& amount) {
  double sum = 0;
  for (const Operator& op : operators) sum += amount(op);
  return sum;
}

TEST_P(OperatorLaws, MatrixWorkIsTheClosedForm) {
  for_samples([](const Sample& sample, const Workload& workload) {
    EXPECT_EQ(matrix_flops(sample.lowered(workload)).value, closed_form(sample, workload));
  });
}

TEST_P(OperatorLaws, AStepAfterAContextReadsAllOfIt) {
  for_samples([](const Sample& sample, const Workload& workload) {
    Workload step = workload;
    step.context_tokens = 17;
    EXPECT_EQ(matrix_flops(sample.lowered(step)).value, closed_form(sample, step));
  });
}

// Token by token each query meets the keys up to its own: of the prefill's n^2 pairs, n (n + 1)
// / 2.
TEST_P(OperatorLaws, DecodingTokenByTokenCostsTheCausalHalf) {
  for_samples([](const Sample& sample, const Workload& workload) {
    const Extent length = workload.query_tokens;
    double decoded = 0;
    for (Extent position = 0; position < length; ++position) {
      Workload step = workload;
      step.query_tokens = 1;
      step.context_tokens = position;
      decoded += matrix_flops(sample.lowered(step)).value;
    }
    const double n = static_cast<double>(length);
    const WorkPerToken work = sample.work(
        scope_of(workload), {.own = n, .source = static_cast<double>(workload.source_tokens)});
    const bool cross =
        sample.arguments().find("cross") != nullptr && sample.arguments().flag("cross");
    const double attention = work.attention_unmasked.value * (cross ? n : (n + 1) / 2);
    EXPECT_EQ(decoded, static_cast<double>(workload.batch) * (n * work.matrix.value + attention));
  });
}

TEST_P(OperatorLaws, WeightsReadAreTheWeightsCounted) {
  for_samples([](const Sample& sample, const Workload& workload) {
    double own = 0;
    double tied = 0;
    for (const Operator& op : sample.lowered(workload))
      for (const Tensor& tensor : op.reads)
        if (tensor.role == TensorRole::weight) (tensor.tied ? tied : own) += elements(tensor);
    EXPECT_EQ(own, sample.weights());
    EXPECT_EQ(own + tied, sample.weights_read());
  });
}

TEST_P(OperatorLaws, EveryOperatorMovesBytesOrIsAView) {
  for_samples([](const Sample& sample, const Workload& workload) {
    for (const Operator& op : sample.lowered(workload)) {
      SCOPED_TRACE(op.name);
      EXPECT_FALSE(op.name.empty());
      EXPECT_FALSE(op.reads.empty());
      EXPECT_FALSE(op.writes.empty());
      EXPECT_GE(elementwise_flops(op).value, 0);
      EXPECT_GE(matrix_flops(op).value, 0);
      for (const std::vector<Tensor>* tensors : {&op.reads, &op.writes})
        for (const Tensor& tensor : *tensors) EXPECT_GT(traffic(tensor).value, 0);
      EXPECT_TRUE(!op.view || (elementwise_flops(op) + matrix_flops(op)).value == 0);
    }
  });
}

TEST_P(OperatorLaws, EveryOutputIsWritten) {
  for_samples([](const Sample& sample, const Workload& workload) {
    const std::vector<Operator> operators = sample.lowered(workload);
    if (operators.empty()) return;  // ports alone, and an identity
    for (const std::vector<Extent>& shape : sample.shapes(sample.ports().outputs, workload))
      EXPECT_TRUE(std::ranges::any_of(operators,
                                      [&](const Operator& op) {
                                        return std::ranges::any_of(op.writes, [&](const Tensor& t) {
                                          return t.shape == shape;
                                        });
                                      }))
          << "no operator writes " << testing::PrintToString(shape);
  });
}

// Bytes a step stores for later steps, against the cache's closed form: one position a token, or
// one state (or one source) a sequence. A window bounds what stays, not what is stored.
TEST_P(OperatorLaws, TheCacheGrowsByWhatIsStored) {
  for_samples([](const Sample& sample, const Workload& workload) {
    double stored = 0;
    for (const Operator& op : sample.lowered(workload))
      for (const Tensor& tensor : op.writes)
        if (tensor.role == TensorRole::cache) stored += bytes(tensor).value;
    const CacheBytes cache =
        sample.cache(2, {.own = static_cast<double>(workload.query_tokens),
                         .source = static_cast<double>(workload.source_tokens)});
    const Argument* window = sample.arguments().find("window");
    const bool windowed = window != nullptr && window->value > 0;
    const double per_sequence = windowed ? cache.per_sequence.value / window->value *
                                               static_cast<double>(workload.query_tokens)
                                         : cache.per_sequence.value;
    EXPECT_EQ(stored, cache.per_token.value * tokens(workload) +
                          per_sequence * static_cast<double>(workload.batch));
  });
}

TEST_P(OperatorLaws, NothingIsStoredWhereNothingFollows) {
  for_samples([](const Sample& sample, const Workload& workload) {
    Workload training = workload;
    training.keeps_cache = false;
    const auto cached = [](const Operator& op) {
      const auto is_cache = [](const Tensor& t) { return t.role == TensorRole::cache; };
      return static_cast<double>(std::ranges::count_if(op.reads, is_cache) +
                                 std::ranges::count_if(op.writes, is_cache));
    };
    EXPECT_EQ(sum_of(sample.lowered(training), cached), 0);
    EXPECT_EQ(matrix_flops(sample.lowered(training)).value, closed_form(sample, workload));
  });
}

INSTANTIATE_TEST_SUITE_P(Primitives, OperatorLaws, testing::ValuesIn(every_primitive()),
                         [](const auto& row) { return row.param.type; });

}  // namespace
}  // namespace roofbeam
