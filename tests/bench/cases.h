#pragma once

#include <string>
#include <vector>

struct BenchCase {
  std::string name;
  std::string request;
};

// Reads cases from a file of lines: a name, its request, the next name, ... Exits if there is none.
std::vector<BenchCase> read_cases(const std::string& path);
