#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "engine/json/value.h"

namespace roofbeam {

inline std::string file_text(const std::string& path) {
  std::ifstream file(ROOFBEAM_SOURCE_DIR "/" + path);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A file below tests/goldens/import.
inline std::string golden_text(const std::string& name) {
  return file_text("tests/goldens/import/" + name);
}

inline json::Value json_of(std::string_view text) {
  Result<json::Value> value = json::parse(text);
  EXPECT_TRUE(value) << text;
  return value ? *std::move(value) : json::Value();
}

inline json::Value golden_json(const std::string& name) { return json_of(golden_text(name)); }

}  // namespace roofbeam
