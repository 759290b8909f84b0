#include "engine/analysis/work.h"

#include "engine/analysis/kept_share.h"

namespace roofbeam {

Lengths lengths_of(const Instance& instance, const OperatingPoint& point) {
  return {.own = instance.on_source ? point.S : point.T, .source = point.S, .batch = point.B};
}

WorkCount count_work(const Elaboration& design, const OperatingPoint& point) {
  WorkCount count;
  // Work of a source token, spread over the target's tokens.
  const double source_tokens = design.has_source ? point.S / point.T : 0;
  Flops source_forward;
  Flops target_forward;
  KeptShares shares(design, point);
  PackedWork packed;
  bool any_documents = false;
  for (InstanceId id = 0; id < design.instances.size(); ++id) {
    const Instance& instance = design.instances[id];
    const auto work = instance.spec->forms.work;
    if (work == nullptr) continue;
    const KeptShare share = shares.of(instance);
    const auto with_share = [&](double kept) {
      return work(instance.arguments,
                  {.scope = design.scope, .lengths = lengths_of(instance, point), .kept_share = kept});
    };
    const WorkPerToken one = with_share(share.kept);
    const double weight = instance.active_copies * (instance.on_source ? source_tokens : 1);
    const Flops forward = one.matrix + one.attention;
    count.dense += weight * one.matrix;
    count.attention += weight * one.attention;
    count.attention_unmasked += weight * one.attention_unmasked;
    count.elementwise += weight * one.elementwise;
    (instance.on_source ? source_forward : target_forward) += instance.active_copies * forward;
    if (point.packing) {
      any_documents = any_documents || share.reads_documents;
      packed.attention += weight * with_share(share.packed).attention;
      packed.attention_blocks += weight * with_share(share.packed_blocks).attention;
    }
    if (forward.value == 0) continue;
    count.by_path.push_back({id, weight * forward.value});
    add_to(count.by_category, name(instance.spec->category), weight * forward.value);
  }
  count.recompute_forwards = point.recompute == Recompute::full ? 1 : 0;
  // The backward pass is two matrix products for each of the forward's.
  const double passes = 3 + count.recompute_forwards;
  count.train = passes * count.forward();
  if (any_documents) {
    packed.forward = count.dense + packed.attention;
    packed.train = passes * packed.forward;
    count.packed = packed;
  }
  if (design.has_source) {
    count.streams = {{"S", point.S, source_forward}, {"T", point.T, target_forward}};
    count.per_example = point.S * source_forward + point.T * target_forward;
  }
  return count;
}

CacheCount count_cache(const Elaboration& design, const OperatingPoint& point) {
  CacheCount count;
  const double width = bytes_per_element(point.kv_dtype);
  for (InstanceId id = 0; id < design.instances.size(); ++id) {
    const Instance& instance = design.instances[id];
    const auto cache = instance.spec->forms.cache;
    if (cache == nullptr || instance.on_source) continue;
    CacheBytes bytes = cache(instance.arguments, width, lengths_of(instance, point));
    bytes.per_token = instance.copies * bytes.per_token;
    bytes.per_sequence = instance.copies * bytes.per_sequence;
    bytes.per_token_decompressed = instance.copies * bytes.per_token_decompressed;
    count.per_token += bytes.per_token;
    count.per_sequence_fixed += bytes.per_sequence;
    count.per_token_decompressed += bytes.per_token_decompressed;
    if (bytes.per_token.value != 0 || bytes.per_sequence.value != 0)
      count.by_path.push_back({id, bytes});
  }
  return count;
}

}  // namespace roofbeam
