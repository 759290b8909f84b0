// roofbeam_repeat CASES NAME TIMES: answers one request that many times, for callgrind to count.
// The difference between two numbers of times leaves out what the program's start costs.
#include <cstdlib>
#include <iostream>
#include <string>

#include "engine/api/run.h"
#include "tests/bench/cases.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: roofbeam_repeat CASES NAME TIMES\n";
    return 2;
  }
  for (const BenchCase& bench_case : read_cases(argv[1])) {
    if (bench_case.name != argv[2]) continue;
    std::size_t bytes = 0;
    roofbeam::api::Session session;
    for (long left = std::strtol(argv[3], nullptr, 10); left > 0; --left) {
      bytes += session.run(bench_case.request).size();
    }
    std::cout << bytes << '\n';
    return 0;
  }
  std::cerr << "no case " << argv[2] << '\n';
  return 1;
}
