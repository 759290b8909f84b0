#include "engine/program/program.h"

#include <unordered_map>

namespace roofbeam {
namespace {

// Values of one copy get fresh ids where that copy writes them; what is read from outside keeps its
// id, but for the carried value.
class Renaming {
 public:
  explicit Renaming(Program& program) : program_(program) {}

  void alias(ValueId from, ValueId to) { names_[from] = to; }

  void rename_own(Tensor& tensor) {
    if (tensor.value == kNoValue) return;
    const auto [place, added] = names_.try_emplace(tensor.value, kNoValue);
    if (added) place->second = program_.fresh_value();
    tensor.value = place->second;
  }

  void rename_read(Tensor& tensor) const { tensor.value = named(tensor.value); }

  [[nodiscard]] ValueId named(ValueId value) const {
    const auto found = names_.find(value);
    return found == names_.end() ? value : found->second;
  }

 private:
  Program& program_;
  std::unordered_map<ValueId, ValueId> names_;
};

}  // namespace

Program unrolled(const Program& program) {
  Program result{.segments = {},
                 .next_value = program.next_value,
                 .priced_by_default = program.priced_by_default};
  for (const Segment& segment : program.segments) {
    ValueId carried = segment.carried_in;
    for (std::int64_t copy = 0; copy < segment.copies; ++copy) {
      const bool last = copy + 1 == segment.copies;  // keeps its names: what follows reads them
      Segment written = segment;
      written.copies = 1;
      Renaming renaming(result);
      renaming.alias(segment.carried_in, carried);
      for (Stored& stored : written.stored)
        if (!last) renaming.rename_own(stored.tensor);
      for (Operator& op : written.operators) {
        for (Tensor& tensor : op.reads) renaming.rename_read(tensor);
        for (Tensor& tensor : op.writes)
          if (!last) renaming.rename_own(tensor);
      }
      written.carried_in = carried;
      carried = renaming.named(segment.carried_out);
      written.carried_out = carried;
      result.segments.push_back(std::move(written));
    }
  }
  return result;
}

Flops matrix_flops(const Program& program) {
  Flops sum;
  for (const Segment& segment : program.segments) {
    Flops copy;
    for (const Operator& op : segment.operators) {
      copy += matrix_flops(op);
      for (const Operator& part : op.parts) copy += matrix_flops(part);
    }
    sum += static_cast<double>(segment.copies) * copy;
  }
  return sum;
}

namespace {

Bytes stored_bytes(const Program& program, bool weights) {
  Bytes sum;
  for (const Segment& segment : program.segments) {
    Bytes copy;
    for (const Stored& stored : segment.stored)
      if ((stored.kind == Stored::Kind::weight) == weights)
        copy += static_cast<double>(stored.copies) * bytes(stored.tensor);
    sum += static_cast<double>(segment.copies) * copy;
  }
  return sum;
}

}  // namespace

Bytes weight_bytes(const Program& program) { return stored_bytes(program, true); }

Bytes cache_bytes(const Program& program) { return stored_bytes(program, false); }

}  // namespace roofbeam
