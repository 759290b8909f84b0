#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engine/json/value.h"

// Recorded answers of tests/goldens and how they are held against ours.
namespace roofbeam::tests {

inline json::Value golden_file(const std::string& name) {
  std::ifstream file(std::string(ROOFBEAM_SOURCE_DIR "/tests/goldens/") + name);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const Result<json::Value> parsed = json::parse(text);
  ROOFBEAM_CHECK(static_cast<bool>(parsed));
  return *parsed;
}

// The file's `cases`: objects with a `name`.
inline std::vector<json::Value> golden_cases(const std::string& name) {
  const json::Value file = golden_file(name);
  ROOFBEAM_CHECK(!file.find("cases")->array().empty());
  return file.find("cases")->array();
}

inline std::string case_name(const testing::TestParamInfo<json::Value>& row) {
  std::string name = row.param.find("name")->string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

// Every member expected is found. Whole numbers are counts and must be exact; others agree to 1e-9.
inline void expect_equal(const json::Value& expected, const json::Value* found,
                         const std::string& where) {
  ASSERT_NE(found, nullptr) << where << " is missing";
  if (expected.is_object()) {
    for (const auto& [key, value] : expected.object())
      expect_equal(value, found->find(key), where + "/" + key);
    return;
  }
  if (expected.is_array()) {
    ASSERT_TRUE(found->is_array()) << where << " is " << json::described(*found);
    ASSERT_EQ(found->array().size(), expected.array().size()) << where;
    for (std::size_t i = 0; i < expected.array().size(); ++i)
      expect_equal(expected.array()[i], &found->array()[i], where + "/" + std::to_string(i));
    return;
  }
  if (expected.is_number()) {
    ASSERT_TRUE(found->is_number()) << where << " is " << json::described(*found);
    if (expected.is_integer()) {
      EXPECT_EQ(found->number(), expected.number()) << where;
    } else {
      EXPECT_NEAR(found->number(), expected.number(), 1e-9 * std::fabs(expected.number())) << where;
    }
    return;
  }
  EXPECT_EQ(*found, expected) << where;
}

}  // namespace roofbeam::tests
