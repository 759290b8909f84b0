// Compiled once for each CASE by tests/unit/base/CMakeLists.txt: 0 must compile, every other must
// not.
#include "engine/base/result.h"
#include "engine/base/units.h"

namespace roofbeam {

Result<int> answer();

double compiled() {
  [[maybe_unused]] const Bytes bytes{1};
  [[maybe_unused]] const Seconds seconds{1};
#if CASE == 0
  return (bytes + bytes) / bytes + seconds.value + (answer() ? 1 : 0);
#elif CASE == 1
  return (bytes + seconds).value;
#elif CASE == 2
  return bytes < seconds ? 1 : 0;
#elif CASE == 3
  return (bytes * bytes).value;  // no quantity here is a square
#elif CASE == 4
  const Bytes converted = 1.0;
  return converted.value;
#elif CASE == 5
  return bytes + 1.0;
#elif CASE == 6
  return bytes / seconds;  // a rate is read from a device, not derived by accident
#elif CASE == 7
  answer();  // errors must not be dropped
  return 0;
#endif
}

}  // namespace roofbeam
