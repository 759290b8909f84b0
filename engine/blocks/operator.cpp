#include "engine/blocks/operator.h"

namespace roofbeam {

double elements(const Tensor& tensor) {
  double count = 1;
  for (const Extent extent : tensor.shape) count *= static_cast<double>(extent);
  return count;
}

Bytes bytes(const Tensor& tensor) { return {elements(tensor) * bytes_per_element(tensor.dtype)}; }

Bytes traffic(const Tensor& tensor) {
  return {tensor.touched.value_or(elements(tensor)) * bytes_per_element(tensor.dtype)};
}

std::vector<Work> matrix_work(const Tensor& operand, Flops matrix) {
  return {{operand.dtype, matrix, {}}};
}

std::vector<Work> elementwise_work(const Tensor& operand, double operations) {
  return {{operand.dtype, {}, {operations}}};
}

Flops matrix_flops(const Operator& op) {
  Flops sum;
  for (const Work& work : op.work) sum += work.matrix;
  return sum;
}

Flops elementwise_flops(const Operator& op) {
  Flops sum;
  for (const Work& work : op.work) sum += work.elementwise;
  return sum;
}

}  // namespace roofbeam
