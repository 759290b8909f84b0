#include "engine/blocks/attention.h"
#include "engine/blocks/lowering.h"
#include "engine/blocks/primitives.h"

namespace roofbeam {
namespace {

// One latent a position stands for the keys and values of all heads.
CacheBytes cache(const Arguments& a, double y, const Lengths&) {
  const double decompressed = a.number("decompressed_dim");
  const Bytes position{a.number("dim") * y};
  return {.per_token = position,
          .per_token_decompressed = decompressed > 0 ? Bytes{decompressed * y} : position};
}

std::vector<Operator> lower(const Arguments&, const LoweringContext& context) {
  const std::vector<Extent>& x = context.inputs[0];
  std::vector<Operator> operators;
  if (context.workload.keeps_cache) operators.push_back(cache_write(context, {x}));
  operators.push_back(view_of("alias", context, x, context.outputs[0]));
  return operators;
}

}  // namespace

BlockSpec kv_latent_cache_block() {
  return {
      .type = "kv_latent_cache",
      .category = Category::attention,
      .docs = {.title = "latent cache",
               .summary = "Marks the compressed vector that is cached in place of keys and values.",
               .formula = "y = x",
               .references = {"DeepSeek-AI 2024, DeepSeek-V2, arXiv:2405.04434"}},
      .params = {size_param("dim", "width of what is cached"),
                 whole_param("decompressed_dim", 0,
                             "width of the keys and values it stands for; 0 for dim")},
      .ports = {.inputs = {{.name = "x", .shape = "... dim", .element = ElementClass::real}},
                .outputs = {{.name = "y", .shape = "... dim", .element = ElementClass::real}}},
      .forms = {.cache = cache, .lower = lower},
  };
}

}  // namespace roofbeam
