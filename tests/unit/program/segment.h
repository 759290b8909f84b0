#pragma once

#include <utility>
#include <vector>

#include "engine/program/kinds.h"
#include "engine/program/rewriter.h"

namespace roofbeam::tests {

// A program of one segment, operator by operator.
class SegmentBuilder {
 public:
  SegmentBuilder() { program_.segments.emplace_back(); }

  Tensor given(Dtype dtype, std::vector<Extent> shape, TensorRole role = TensorRole::activation) {
    return {
        .dtype = dtype, .shape = std::move(shape), .role = role, .value = program_.fresh_value()};
  }
  Tensor weight(Dtype dtype, std::vector<Extent> shape) {
    return given(dtype, std::move(shape), TensorRole::weight);
  }
  void add(Operator op) { segment().operators.push_back(std::move(op)); }

  // In the format and shape of the first operand.
  Tensor apply(std::string_view name, std::vector<Tensor> reads, std::string arguments = "") {
    const Tensor like = reads.front();
    return apply(name, std::move(reads), like.dtype, like.shape, std::move(arguments));
  }
  Tensor apply(std::string_view name, std::vector<Tensor> reads, Dtype dtype,
               std::vector<Extent> shape, std::string arguments = "") {
    Tensor result = given(dtype, std::move(shape));
    add(plain(name, std::move(reads), result, std::move(arguments)));
    return result;
  }
  Tensor view(std::string_view name, const Tensor& of, std::vector<Extent> shape) {
    Tensor result = given(of.dtype, std::move(shape), of.role);
    add(view_operator(name, of, result));
    return result;
  }
  std::vector<Tensor> split(const Tensor& x, std::size_t axis, const std::vector<Extent>& sizes) {
    Operator op{.name = "split_with_sizes", .reads = {x}, .view = true};
    for (const Extent size : sizes) {
      std::vector<Extent> shape = x.shape;
      shape[axis] = size;
      op.writes.push_back(given(x.dtype, std::move(shape)));
    }
    std::vector<Tensor> parts = op.writes;
    add(std::move(op));
    return parts;
  }

  // `results` are read elsewhere.
  Rewriter graph(const std::vector<Tensor>& results) {
    std::vector<bool> read_outside(program_.next_value, false);
    for (const Tensor& result : results) read_outside[result.value] = true;
    return {program_, segment(), std::move(read_outside)};
  }

  Program& program() { return program_; }
  Segment& segment() { return program_.segments.front(); }
  // Of what is left.
  [[nodiscard]] std::vector<std::string_view> names() {
    std::vector<std::string_view> result;
    for (const Operator& op : segment().operators) result.push_back(op.name);
    return result;
  }

 private:
  Program program_;
};

}  // namespace roofbeam::tests
