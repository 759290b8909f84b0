#include "engine/program/kinds.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "engine/blocks/lowering.h"

namespace roofbeam {
namespace {

double extent(const Tensor& tensor, std::size_t axis) {
  return static_cast<double>(tensor.shape[axis]);
}

Tensor touching(Tensor tensor, double elements) {
  tensor.touched = elements;
  return tensor;
}

std::string ranks_argument(std::span<const std::int64_t> ranks) {
  std::string text = "(";
  for (std::size_t i = 0; i < ranks.size(); ++i)
    text += (i > 0 ? ";" : "") + std::to_string(ranks[i]);
  return text + ")";
}

std::string splits_argument(const std::vector<std::int64_t>& splits) {
  return ranks_argument(splits);
}

Operator collective(std::string_view name, CollectiveKind kind, const Tensor& x, const Tensor& y,
                    std::span<const std::int64_t> ranks, std::size_t me) {
  return {.name = name,
          .reads = {x},
          .writes = {y},
          .collective = Collective{
              .kind = kind, .ranks = {ranks.begin(), ranks.end()}, .me = me, .message = x}};
}

}  // namespace

Operator plain(std::string_view name, std::vector<Tensor> reads, Tensor write,
               std::string arguments) {
  return {.name = name,
          .reads = std::move(reads),
          .writes = {std::move(write)},
          .arguments = std::move(arguments)};
}

Operator view_operator(std::string_view name, const Tensor& of, Tensor as) {
  return {.name = name, .reads = {of}, .writes = {std::move(as)}, .view = true};
}

Operator mm(const Tensor& x, const Tensor& w, const Tensor& y) {
  return {.name = "mm",
          .reads = {x, w},
          .writes = {y},
          .work = matrix_work(x, matmul_flops(extent(x, 0), extent(x, 1), extent(w, 1)))};
}

Operator addmm(const Tensor& bias, const Tensor& x, const Tensor& w, const Tensor& y) {
  Operator result = mm(x, w, y);
  result.name = "addmm";
  result.reads.insert(result.reads.begin(), bias);
  return result;
}

Operator bmm(const Tensor& x, const Tensor& w, const Tensor& y) {
  const Flops one = matmul_flops(extent(x, 1), extent(x, 2), extent(w, 2));
  return {
      .name = "bmm", .reads = {x, w}, .writes = {y}, .work = matrix_work(x, extent(x, 0) * one)};
}

Operator quantize(const Tensor& x, const Tensor& scale, const Tensor& y) {
  return plain("quantize", {x, scale}, y,
               y.dtype == Dtype::fp8 ? "%,%,None,torch.float8_e4m3fn" : "%,%,None");
}

Operator dynamic_quantize_symmetric(const Tensor& x, const Tensor& y, const Tensor& scale) {
  Operator result = plain("dynamic_quantize_symmetric", {x}, y, "%,()");
  result.writes.push_back(scale);
  return result;
}

Operator dynamic_quantize_mxfp4(const Tensor& x, const Tensor& y, const Tensor& scale,
                                Extent group) {
  Operator result = plain("dynamic_quantize_mxfp4", {x}, y, "%," + std::to_string(group));
  result.writes.push_back(scale);
  result.work = elementwise_work(x, 2 * elements(x) + elements(scale));
  return result;
}

Operator quantized_linear(const QuantizedProduct& product) {
  const auto& [x, w, x_scale, w_scale, y, bias] = product;
  const double m = extent(x, 0);
  const double k = extent(x, 1);
  const double n = extent(y, 1);
  const std::string last = bias ? "%,torch.float16" : "None,torch.float16";
  Operator result{.name = "static_quant_linear",
                  .reads = {x, w, w_scale, x_scale},
                  .writes = {y},
                  .work = matrix_work(x, matmul_flops(m, k, n)),
                  .arguments = "%,%,%,None,%,None," + last};
  switch (w.dtype) {
    case Dtype::uint8:
      result.name = "static_quant_linear_int4";
      result.work.push_back({Dtype::fp32, {}, {k * n}});
      break;
    case Dtype::fp8:
      result.name = "fp8_linear";
      result.arguments = "%,%,%,%," + last;
      break;
    case Dtype::int4:
      result.name = "mxfp4_linear";
      result.reads = {x, w, x_scale, w_scale};
      result.arguments = "%,%,%,%," + last;
      break;
    default:
      break;
  }
  if (bias) {
    result.reads.push_back(*bias);
    result.work.push_back({bias->dtype, {}, {m * n}});
  }
  return result;
}

Operator embedding(const Tensor& table, const Tensor& ids, const Tensor& y,
                   std::optional<Extent> padding_id) {
  return plain("embedding", {touching(table, elements(ids) * extent(table, 1)), ids}, y,
               padding_id ? "%,%," + std::to_string(*padding_id) : "");
}

Operator index_select(const Tensor& table, Extent axis, const Tensor& index, const Tensor& y) {
  const double row = elements(table) / extent(table, static_cast<std::size_t>(axis));
  return plain("index_select", {touching(table, row * elements(index)), index}, y,
               "%," + std::to_string(axis) + ",%");
}

Operator reshape_and_cache(const Tensor& key, const Tensor& value, const Tensor& cache,
                           const Tensor& slots) {
  Tensor changed = touching(cache, 0);
  changed.updated = true;
  return {
      .name = "reshape_and_cache",
      .reads = {key, value, std::move(changed), slots},
      .beside = {.written = {(elements(key) + elements(value)) * bytes_per_element(cache.dtype)}}};
}

namespace {

// Matrix work in the queries' format; softmax in half precision where those are quantized, with
// what it takes to rescale scores, probabilities (twice an element for integers, which also have
// an offset to add) and the result.
std::vector<Work> attention_work(const PagedAttention& a) {
  const double heads = static_cast<double>(a.heads);
  const double width = static_cast<double>(a.width);
  const double pairs = a.lengths.pairs();
  const Flops matrix{4 * pairs * heads * width};
  const double softmax = 4 * pairs * heads;
  if (a.q.dtype == a.y.dtype) return {{a.q.dtype, matrix, {softmax}}};
  const double scaling = a.keys.dtype == Dtype::fp8 ? 1 : 2;
  const double tokens = static_cast<double>(a.lengths.sequences * a.lengths.query);
  return {
      {a.q.dtype, matrix, {}},
      {a.y.dtype, {}, {softmax + 2 * scaling * pairs * heads + scaling * tokens * heads * width}}};
}

}  // namespace

Operator paged_attention(const PagedAttention& a) {
  const bool quantized = a.q.dtype != a.y.dtype;
  const double kv_width = extent(a.keys, 2) * (extent(a.keys, 3) + extent(a.values, 3));
  const double cached = static_cast<double>(a.lengths.sequences) * a.lengths.keys() * kv_width;
  Operator result{.name = quantized ? "attention_quant" : "attention",
                  .reads = {a.q, touching(a.keys, 0), touching(a.values, 0)},
                  .writes = {a.y},
                  .work = attention_work(a),
                  .beside = {.read = {cached * bytes_per_element(a.keys.dtype)}},
                  .arguments = quantized ? "%,%,%,None,%,%,%,%,%,None,%,None,%,None,torch.float16"
                                         : "%,%,%,None,%,%,%,%"};
  result.reads.insert(result.reads.end(), a.indices.begin(), a.indices.end());
  result.reads.insert(result.reads.end(), a.scales.begin(), a.scales.end());
  return result;
}

Operator step_attention(const PagedAttention& a) {
  PagedAttention packed = a;
  packed.lengths = {.sequences = 1, .query = a.lengths.sequences * a.lengths.query, .context = 0};
  return {.name = "attention",
          .reads = {a.q, a.keys, a.values},
          .writes = {a.y},
          .work = attention_work(packed),
          .arguments = "%,%,%,None,None,None,None,None"};
}

Operator latent_preparation(const LatentPreparation& p) {
  const double tokens = extent(p.hidden, 0);
  const double hidden = extent(p.hidden, 1);
  const double q_rank = extent(p.q_latent, 1);
  const double kv_rank = extent(p.kv_latent, 1);
  const double rope = static_cast<double>(p.rope_dim);
  const double heads = static_cast<double>(p.heads);
  const double q_width = heads * (static_cast<double>(p.nope_dim) + rope);
  const double kv_width = kv_rank + rope;
  const bool quantized = !p.scales.empty();
  const Flops matrix = matmul_flops(tokens, hidden, q_rank) +
                       matmul_flops(tokens, q_rank, q_width) +
                       matmul_flops(tokens, hidden, kv_width);
  double elementwise = tokens * (5 * q_rank + 3 * heads * rope + 5 * kv_rank + 3 * rope);
  if (quantized)
    elementwise +=
        tokens * (2 * hidden + q_rank) + hidden * q_rank + q_rank * q_width + hidden * kv_width;
  const double element = bytes_per_element(p.hidden.dtype);
  const Dtype format = p.kv_down.dtype == Dtype::uint8 ? Dtype::int8 : p.kv_down.dtype;
  Operator result{
      .name = quantized ? "mlapo_quant" : "mlapo",
      .reads = {p.hidden, p.cos, p.sin, p.q_down, p.q_norm, p.q_up, p.kv_down, p.kv_norm},
      .writes = {p.q, p.kv_latent, p.k_rope, p.q_latent},
      .work = {{format, matrix, {}}, {p.hidden.dtype, {}, {elementwise}}},
      .beside = {.read = {tokens * q_rank * element},
                 .updated = {2 * tokens * (q_rank + kv_width) * element}},
      .extra_static_costs = 15,
      .arguments = "%,%,%,%,%,%,%,%"};
  for (const Extent size : {p.heads, p.nope_dim + p.rope_dim, p.nope_dim, p.rope_dim,
                            p.kv_latent.shape[1], p.q_latent.shape[1]})
    result.arguments += "," + std::to_string(size);
  for (const Tensor& scale : p.scales) {
    result.reads.push_back(scale);
    result.arguments += ",%,None";
  }
  return result;
}

Operator concat_and_cache_mla(const Tensor& kv_latent, const Tensor& k_rope, const Tensor& cache,
                              const Tensor& slots) {
  Operator result = reshape_and_cache(kv_latent, k_rope, cache, slots);
  result.name = "concat_and_cache_mla";
  return result;
}

Operator latent_attention(const LatentAttentionKernel& a) {
  const double heads = static_cast<double>(a.heads);
  const double nope = static_cast<double>(a.nope_dim);
  const double rope = static_cast<double>(a.rope_dim);
  const double rank = static_cast<double>(a.rank);
  const double v = static_cast<double>(a.v_dim);
  const double tokens = extent(a.q, 0);
  const double pairs = a.lengths.pairs();
  const bool absorbs = a.lengths.query < kAbsorbedQueries;
  const bool quantized = a.q.dtype != a.y.dtype;

  const double per_token = absorbs ? nope * rank + rank * v : (nope + v) * rank;
  const double per_pair = absorbs ? rank + rope + rank : nope + rope + v;
  const Flops matrix{2 * heads * (tokens * per_token + pairs * per_pair)};
  double elementwise = 4 * pairs * heads;
  if (quantized) {
    const double rescaled = absorbs ? 4 * rank : 2 * (nope + v);
    elementwise += heads * (tokens * (rescaled + 2 * v) + 2 * pairs);
  }
  const double row = (rank + rope) * bytes_per_element(a.cache.dtype);
  const double sequences = static_cast<double>(a.lengths.sequences);
  constexpr double kPage = 128;
  const double pages = std::ceil(a.lengths.keys() / kPage);
  Operator result{
      .name = quantized ? "multihead_latent_attention_quant" : "multihead_latent_attention",
      .reads = {a.q, touching(a.cache, 0)},
      .writes = {a.y},
      .work = {{a.q.dtype, matrix, {}}},
      .beside = {.read = {sequences * (a.lengths.keys() * row + pages * 8)}},
      .arguments = "%,%,%,%,%,%,%,%,%," + std::to_string(a.v_dim)};
  if (quantized)
    result.work.push_back({a.y.dtype, {}, {elementwise}});
  else
    result.work.front().elementwise = {elementwise};
  for (std::size_t i = 0; i < a.indices.size(); ++i)
    result.reads.push_back(i == 0 ? touching(a.indices[i], 0) : a.indices[i]);
  for (const Tensor* absorbed : {&a.key_absorb, &a.value_absorb})
    result.reads.push_back(absorbs ? *absorbed : touching(*absorbed, 0));
  result.reads.push_back(absorbs ? touching(a.up, 0) : a.up);
  if (quantized) result.arguments += ",None,None";
  for (const Tensor& scale : a.scales) {
    result.reads.push_back(scale);
    result.arguments += ",%,None";
  }
  if (quantized) result.arguments += ",torch.float16";
  return result;
}

Operator all_reduce(const Tensor& x, const Tensor& y, std::span<const std::int64_t> ranks,
                    std::size_t me) {
  Operator result = collective("all_reduce", CollectiveKind::all_reduce, x, y, ranks, me);
  result.arguments = "%," + std::to_string(ranks[me]) + "," + ranks_argument(ranks);
  return result;
}

Operator all_gather(const Tensor& x, const Tensor& y, int axis, std::span<const std::int64_t> ranks,
                    std::size_t me) {
  Operator result = collective("all_gather", CollectiveKind::all_gather, x, y, ranks, me);
  result.arguments =
      "%," + std::to_string(axis) + "," + std::to_string(ranks[me]) + "," + ranks_argument(ranks);
  return result;
}

Operator all_to_all(const Tensor& x, const Tensor& y, std::vector<std::int64_t> out_splits,
                    std::vector<std::int64_t> in_splits, std::span<const std::int64_t> ranks,
                    std::size_t me) {
  Operator result = collective("all_to_all", CollectiveKind::all_to_all, x, y, ranks, me);
  result.arguments = "%," + splits_argument(out_splits) + "," + splits_argument(in_splits) + "," +
                     std::to_string(ranks[me]) + "," + ranks_argument(ranks);
  result.collective->out_splits = std::move(out_splits);
  result.collective->in_splits = std::move(in_splits);
  return result;
}

Operator send_receive(const Tensor& x, const Tensor& y, std::int64_t from, std::int64_t to) {
  const std::array ranks{from, to};
  Operator result = collective("pipeline_send_recv", CollectiveKind::send_receive, x, y, ranks, 0);
  result.arguments = "%," + std::to_string(from) + "," + std::to_string(to);
  return result;
}

std::string number_argument(double number) {
  std::array<char, 32> text{};
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, number);
    if (std::strtod(text.data(), nullptr) == number) break;
  }
  std::string result(text.data());
  if (result.find_first_of(".e") == std::string::npos) result += ".0";
  return result;
}

std::string list_argument(std::size_t operands) {
  std::string text = "(";
  for (std::size_t i = 0; i < operands; ++i) text += i > 0 ? ";%" : "%";
  return text + ")";
}

}  // namespace roofbeam
