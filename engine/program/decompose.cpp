#include "engine/program/decompose.h"

#include <string>
#include <utility>

#include "engine/program/kinds.h"

namespace roofbeam {
namespace {

// Eager operators that a compiler only calls otherwise.
struct Renamed {
  std::string_view eager;
  std::string_view compiled;
};
constexpr Renamed kRenamed[] = {
    {"_unsafe_view", "view"}, {"transpose", "permute"}, {"t", "permute"}, {"clamp", "clamp_min"}};

// In-place operators and what gives a new tensor instead.
constexpr Renamed kInPlace[] = {{"div_", "div"}, {"copy_", "copy"}, {"scatter_", "scatter"}};

std::string_view name_in_framework(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
      return "torch.float32";
    case Dtype::bf16:
      return "torch.bfloat16";
    case Dtype::int64:
      return "torch.int64";
    case Dtype::boolean:
      return "torch.bool";
    default:
      return "torch.float16";
  }
}

class Decomposer {
 public:
  Decomposer(Program& program, Segment& segment) : program_(program), segment_(segment) {}

  void run() {
    std::vector<Operator> eager = std::move(segment_.operators);
    segment_.operators.clear();
    segment_.operators.reserve(eager.size());
    for (Operator& op : eager) add(std::move(op));
  }

 private:
  void emit(Operator op) { segment_.operators.push_back(std::move(op)); }

  // The name of what was changed stays with the result; what it was before gets another.
  void emit_new(Operator op) {
    const ValueId changed = op.writes.front().value;
    const ValueId before = program_.fresh_value();
    const auto rename = [&](Tensor& tensor) {
      if (tensor.value == changed) tensor.value = before;
    };
    for (Operator& earlier : segment_.operators) {
      for (Tensor& operand : earlier.reads) rename(operand);
      for (Tensor& result : earlier.writes) rename(result);
    }
    for (Tensor& operand : op.reads) rename(operand);
    emit(std::move(op));
  }

  void add(Operator op) {
    for (const Renamed& row : kRenamed)
      if (op.name == row.eager) op.name = row.compiled;
    for (const Renamed& row : kInPlace)
      if (op.name == row.eager) {
        op.name = row.compiled;
        op.reads.front().updated = false;
        return emit_new(std::move(op));
      }
    if (op.name == "masked_fill_") {
      Tensor x = op.reads[0];
      x.updated = false;
      return emit_new(plain("where", {op.reads[1], x}, op.writes.front(), "%,0,%"));
    }
    if (op.name == "index_select") {
      const bool outermost = op.arguments == "%,0,%";
      op.name = "index";
      op.reads.front().touched.reset();  // all of it, as the framework's formula has it
      op.arguments = outermost ? "%,(%)" : "%,(None;%)";
    } else if (op.name == "_to_copy") {
      op.name = "convert_element_type";
      op.arguments = "%," + std::string(name_in_framework(op.writes.front().dtype));
    } else if (op.name == "_softmax") {
      return add_softmax(op);
    }
    emit(std::move(op));
  }

  // exp(x - max x) / sum of exp(x - max x), along one axis.
  void add_softmax(const Operator& op) {
    const Tensor x = op.reads.front();
    const std::string axis = op.arguments.substr(2, op.arguments.rfind(',') - 2);
    const std::string along = "%,(" + axis + "),True";
    const int number = std::stoi(axis);
    const std::size_t reduced = number < 0 ? x.shape.size() + static_cast<std::size_t>(number)
                                           : static_cast<std::size_t>(number);
    std::vector<Extent> rows = x.shape;
    rows[reduced] = 1;
    const auto result = [&](const std::vector<Extent>& shape) {
      return Tensor{.dtype = x.dtype, .shape = shape, .value = program_.fresh_value()};
    };
    const Tensor largest = result(rows);
    emit(plain("amax", {x}, largest, along));
    const Tensor below = result(x.shape);
    emit(plain("sub", {x, largest}, below));
    const Tensor power = result(x.shape);
    emit(plain("exp", {below}, power));
    const Tensor sum = result(rows);
    emit(plain("sum", {power}, sum, along));
    emit(plain("div", {power, sum}, op.writes.front()));
  }

  Program& program_;
  Segment& segment_;
};

}  // namespace

void decompose(Program& program, Segment& segment) { Decomposer(program, segment).run(); }

}  // namespace roofbeam
