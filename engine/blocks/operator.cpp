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

}  // namespace roofbeam
