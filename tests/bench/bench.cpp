// roofbeam_bench CASES [options of Google Benchmark]: seconds per request.
#include <benchmark/benchmark.h>

#include <iostream>
#include <string>

#include "engine/api/run.h"
#include "tests/bench/cases.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: roofbeam_bench CASES [--benchmark_...]\n";
    return 2;
  }
  for (const BenchCase& bench_case : read_cases(argv[1])) {
    benchmark::RegisterBenchmark(bench_case.name.c_str(), [bench_case](benchmark::State& state) {
      roofbeam::api::Session session;
      for (auto iteration : state) {
        benchmark::DoNotOptimize(session.run(bench_case.request));
      }
    });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
