#include "engine/program/family.h"

#include <array>

#include "engine/base/check.h"
#include "engine/base/embedded.h"
#include "engine/json/reader.h"

namespace roofbeam {
namespace {

// Spellings in the order of the enumerators.
constexpr std::array<std::string_view, 3> kNormStyles{"cast_then_scale", "scale_then_cast",
                                                      "unit_offset"};
constexpr std::array<std::string_view, 3> kRopeStyles{"halves", "halves_single", "interleaved"};
constexpr std::array<std::string_view, 2> kRopeTables{"cached", "computed"};
constexpr std::array<std::string_view, 5> kGatings{"softmax", "fused", "sigmoid", "sigmoid_grouped",
                                                   "softmax_biased"};

template <class Style, std::size_t n>
void choose(json::Reader& in, std::string_view key,
            const std::array<std::string_view, n>& spellings, Style& style) {
  const std::optional<std::string> chosen = in.optional_choice(key, spellings);
  if (!chosen) return;
  for (std::size_t i = 0; i < n; ++i)
    if (spellings[i] == *chosen) style = static_cast<Style>(i);
}

}  // namespace

Result<Family> read_family(const json::Value& value, std::string_view path) {
  Diagnostics problems;
  json::Reader in(value, std::string(path), problems);
  Family family;
  in.ignore("$schema");
  in.ignore("doc");
  choose(in, "norm", kNormStyles, family.norm);
  choose(in, "rope", kRopeStyles, family.rope);
  choose(in, "rope_tables", kRopeTables, family.rope_tables);
  choose(in, "gating", kGatings, family.gating);
  const auto flag = [&](std::string_view key, bool& target) {
    target = in.optional_boolean(key).value_or(target);
  };
  flag("embedding_factor_is_tensor", family.embedding_factor_is_tensor);
  flag("rotates_whole_heads", family.rotates_whole_heads);
  flag("keeps_batch_axis", family.keeps_batch_axis);
  flag("norms_heads_transposed", family.norms_heads_transposed);
  flag("router_in_single", family.router_in_single);
  flag("routes_before_slicing", family.routes_before_slicing);
  flag("router_weights_in_single", family.router_weights_in_single);
  flag("sum_in_single", family.sum_in_single);
  flag("attention_reads_cache", family.attention_reads_cache);
  if (const auto id = in.optional_whole("padding_id")) family.padding_id = *id;
  family.mtp_block = in.optional_string("mtp_block").value_or("");
  in.done();
  if (!problems.empty()) return problems;
  return family;
}

Family family_of(std::string_view model_type) {
  Family family;
  if (const EmbeddedFile* file = embedded_file("families", model_type)) {
    const Result<json::Value> value = json::parse(file->text);
    ROOFBEAM_CHECK(value);
    Result<Family> read = read_family(*value);
    ROOFBEAM_CHECK(read);
    family = *std::move(read);
  }
  family.model_type = model_type;
  return family;
}

}  // namespace roofbeam
