#include "engine/simulate/memory.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace roofbeam {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

// One tensor of one copy of a layer.
struct Tracked {
  Bytes size;
  bool known = false;
  bool defined = false;  // an operator writes it
  bool alias = false;    // another's storage, or changed in place
  std::size_t root = 0;  // whose storage it is; itself where it is no alias
  std::size_t definition = kNever;
  std::size_t last_use = kNever;        // of itself; kNever where nothing reads it
  std::size_t last_alias_use = kNever;  // of any alias of it
  bool is_input = false;
  bool is_output = false;
};

// The step's operators in order, with tensors numbered by copy and value.
class Replay {
 public:
  explicit Replay(const Program& program) : program_(program) {
    std::int64_t copies = 1;
    for (const Segment& segment : program.segments) copies = std::max(copies, segment.copies);
    tensors_.resize(static_cast<std::size_t>(copies) * program.next_value);
    last_name_.resize(program.next_value);
    for (std::size_t value = 0; value < last_name_.size(); ++value) last_name_[value] = value;
  }

  // Calls visit(op, key_of) for every operator of every copy.
  template <class Visit>
  void each(Visit visit) {
    for (std::size_t value = 0; value < last_name_.size(); ++value) last_name_[value] = value;
    for (const Segment& segment : program_.segments) {
      std::size_t carried = last_name_[segment.carried_in];
      for (std::int64_t copy = 0; copy < segment.copies; ++copy) {
        const std::size_t offset = static_cast<std::size_t>(copy) * program_.next_value;
        const auto key_of = [&](const Tensor& tensor) {
          if (tensor.value == segment.carried_in) return carried;
          return copy == 0 ? last_name_[tensor.value] : offset + tensor.value;
        };
        for (const Operator& op : segment.operators) visit(op, key_of);
        if (segment.carried_out != kNoValue) carried = offset + segment.carried_out;
      }
      if (segment.carried_out != kNoValue) last_name_[segment.carried_out] = carried;
    }
  }

  Bytes peak() {
    record();
    find_inputs_and_outputs();
    Bytes current;
    for (const Tracked& tensor : tensors_)
      if (tensor.known && tensor.is_input) current += tensor.size;
    Bytes peak = current;
    std::size_t at = 0;
    std::vector<std::size_t> seen;
    each([&](const Operator& op, const auto& key_of) {
      peak = std::max(peak, current);
      for (const Tensor& written : op.writes) {
        if (written.value == kNoValue) continue;
        const Tracked& tensor = tensors_[key_of(written)];
        if (!tensor.alias && tensor.definition == at) current += tensor.size;
      }
      seen.clear();
      for (const Tensor& read : op.reads) {
        if (read.value == kNoValue) continue;
        const std::size_t key = key_of(read);
        if (std::ranges::find(seen, key) != seen.end()) continue;
        seen.push_back(key);
        const Tracked& tensor = tensors_[key];
        const Tracked& root = tensors_[tensor.root];
        if (last_of(tensor) == at && !root.is_input && !root.is_output && !tensor.is_output)
          current = current - tensor.size;
      }
      ++at;
    });
    return std::max(peak, current);
  }

 private:
  static std::size_t last_of(const Tracked& tensor) {
    if (tensor.last_use == kNever) return tensor.last_alias_use;
    if (tensor.last_alias_use == kNever) return tensor.last_use;
    return std::max(tensor.last_use, tensor.last_alias_use);
  }

  Tracked& tracked(std::size_t key, const Tensor& tensor) {
    Tracked& entry = tensors_[key];
    if (!entry.known) {
      entry.known = true;
      entry.size = bytes(tensor);
      entry.root = key;
    }
    return entry;
  }

  void record() {
    std::size_t at = 0;
    each([&](const Operator& op, const auto& key_of) {
      for (const Tensor& read : op.reads) {
        if (read.value == kNoValue) continue;
        Tracked& tensor = tracked(key_of(read), read);
        tensor.last_use = at;
        if (tensor.alias) tensors_[tensor.root].last_alias_use = at;
      }
      for (const Tensor& written : op.writes) {
        if (written.value == kNoValue) continue;
        const std::size_t key = key_of(written);
        const bool fresh = !tensors_[key].known;
        Tracked& tensor = tracked(key, written);
        if (fresh) {
          tensor.defined = true;
          tensor.definition = at;
        }
        if (op.view && !op.reads.empty() && op.reads.front().value != kNoValue && fresh) {
          const std::size_t from = key_of(op.reads.front());
          tensor.alias = true;
          tensor.root = tensors_[from].alias ? tensors_[from].root : from;
        } else if (!fresh) {
          tensor.alias = true;  // changed in place and returned
        }
      }
      ++at;
    });
  }

  void find_inputs_and_outputs() {
    for (std::size_t key = 0; key < tensors_.size(); ++key) {
      Tracked& tensor = tensors_[key];
      if (!tensor.known) continue;
      Tracked& root = tensors_[tensor.root];
      if (!tensor.defined) tensor.is_input = true;
      if (tensor.last_use != kNever) continue;
      if (!tensor.alias)
        tensor.is_output = true;
      else if (root.last_use == kNever || root.last_use < tensor.definition)
        root.is_output = true;
    }
  }

  const Program& program_;
  std::vector<Tracked> tensors_;
  std::vector<std::size_t> last_name_;
};

// Peak of activations alive at once: the first copies of every segment tell it, as all are equal.
class Liveness {
 public:
  explicit Liveness(const Program& program)
      : size_(program.next_value),
        root_(program.next_value),
        last_(program.next_value, 0),
        is_written_(program.next_value, false) {
    for (std::size_t i = 0; i < root_.size(); ++i) root_[i] = i;
    std::size_t at = 0;
    for (const Segment& segment : program.segments) {
      const std::size_t begin = at;
      for (const Operator& op : segment.operators) {
        for (const Tensor& read : op.reads) use(read, at);
        for (const Tensor& written : op.writes) {
          if (written.value == kNoValue || size_[written.value].value > 0 ||
              is_written_[written.value])
            continue;
          is_written_[written.value] = true;
          if (op.view && !op.reads.empty() && op.reads.front().value != kNoValue)
            root_[written.value] = root_[op.reads.front().value];
          else
            size_[written.value] = bytes(written);
          use(written, at);
        }
        ++at;
      }
      // What all copies read stays until the last of them has run.
      if (segment.copies > 1)
        for (std::size_t value = 0; value < last_.size(); ++value)
          if (last_[value] >= begin && is_written_[value] && !written_in(segment, value) &&
              value != segment.carried_in)
            last_[value] = at;
    }
  }

  Bytes peak(const Program& program) const {
    Bytes current;
    for (std::size_t value = 0; value < size_.size(); ++value)
      if (!is_written_[value]) current += size_[value];  // what the step is given
    Bytes peak = current;
    std::vector<std::vector<std::size_t>> dying;
    std::size_t at = 0;
    for (const Segment& segment : program.segments) at += segment.operators.size();
    dying.resize(at + 1);
    for (std::size_t value = 0; value < size_.size(); ++value)
      if (is_written_[value] && size_[value].value > 0)
        dying[std::min(last_[value], at)].push_back(value);
    at = 0;
    for (const Segment& segment : program.segments)
      for (const Operator& op : segment.operators) {
        peak = std::max(peak, current);
        for (const Tensor& written : op.writes)
          if (written.value != kNoValue && !op.view && born_at(written, op))
            current += size_[written.value];

        for (const std::size_t value : dying[at]) current = current - size_[value];
        ++at;
      }
    return std::max(peak, current);
  }

 private:
  static bool born_at(const Tensor& written, const Operator& op) {
    return std::ranges::none_of(op.reads,
                                [&](const Tensor& read) { return read.value == written.value; });
  }
  static bool written_in(const Segment& segment, std::size_t value) {
    return std::ranges::any_of(segment.operators, [&](const Operator& op) {
      return std::ranges::any_of(op.writes,
                                 [&](const Tensor& tensor) { return tensor.value == value; });
    });
  }
  void use(const Tensor& tensor, std::size_t at) {
    if (tensor.value == kNoValue) return;
    if (tensor.role == TensorRole::weight || tensor.role == TensorRole::cache) return;
    if (!is_written_[tensor.value] && root_[tensor.value] == tensor.value)
      size_[tensor.value] = bytes(tensor);
    last_[root_[tensor.value]] = std::max(last_[root_[tensor.value]], at);
  }

  std::vector<Bytes> size_;  // of a storage; 0 for views
  std::vector<std::size_t> root_;
  std::vector<std::size_t> last_;
  std::vector<bool> is_written_;
};

Bytes stored(const Program& program, Stored::Kind kind) {
  Bytes sum;
  for (const Segment& segment : program.segments)
    for (const Stored& stored : segment.stored)
      if (stored.kind == kind)
        sum += static_cast<double>(segment.copies) * static_cast<double>(stored.copies) *
               bytes(stored.tensor);
  return sum;
}

}  // namespace

StepMemory step_memory(const Program& program) {
  StepMemory memory;
  memory.weights = stored(program, Stored::Kind::weight);
  memory.indexer_cache = stored(program, Stored::Kind::indexer_cache);
  memory.cache = stored(program, Stored::Kind::cache) + memory.indexer_cache;
  const Bytes peak = Replay(program).peak();
  memory.activations = std::max(Bytes{}, peak - memory.weights - memory.cache);
  memory.live_activations = Liveness(program).peak(program);
  return memory;
}

}  // namespace roofbeam
