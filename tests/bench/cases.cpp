#include "tests/bench/cases.h"

#include <cstdlib>
#include <fstream>
#include <iostream>

std::vector<BenchCase> read_cases(const std::string& path) {
  std::ifstream file(path);
  std::vector<BenchCase> cases;
  for (BenchCase next; std::getline(file, next.name) && std::getline(file, next.request);) {
    cases.push_back(next);
  }
  if (cases.empty()) {
    std::cerr << "no cases in " << path << '\n';
    std::exit(1);
  }
  return cases;
}
