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

const Forms kv_latent_cache_forms = {.cache = cache, .lower = lower};

}  // namespace roofbeam
