#include "engine/import/condition.h"

#include <gtest/gtest.h>

namespace roofbeam {
namespace {

using json::Array;
using json::Value;

NamedValue named(Value value, bool given, bool faulty) {
  NamedValue result;
  result.value = std::move(value);
  result.given = given;
  result.faulty = faulty;
  return result;
}

Values some_values() {
  Values values;
  values.set("heads", named(Value(32), true, false));
  values.set("kv_heads", named(Value(8), false, false));
  values.set("tied", named(Value(true), true, false));
  values.set("bias", named(Value(false), true, false));
  values.set("kind", named(Value("yarn"), true, false));
  values.set("none", named(Value(), false, false));
  values.set("wrong", named(Value(), true, true));
  values.set("list", named(Value(Array{Value(3), Value(7)}), true, false));
  values.set("empty", named(Value(Array{}), true, false));
  values.set("eps", named(Value(0.00001), true, false));
  return values;
}

struct ConditionCase {
  const char* condition;
  std::optional<bool> holds;
};

constexpr std::optional<bool> kUnknown = std::nullopt;

const ConditionCase kConditions[] = {
    {"heads == 32", true},
    {"heads != 32", false},
    {"heads > 8 and kv_heads < 8", false},
    {"heads > 8 and kv_heads <= 8", true},
    {"heads < 8 or kv_heads >= 8", true},
    {"floor_mult(heads, kv_heads) == heads", true},
    {"floor_mult(heads, 5) == heads", false},
    {"(heads + 1)*2 == 66", true},
    {"(heads == 32)", true},
    {"(heads == 1 or kv_heads == 8) and tied", true},
    {"heads == 1 or kv_heads == 8 and bias", false},
    {"eps == 0.00001", true},
    {"eps != 1e-5", false},
    {"tied", true},
    {"not tied", false},
    {"not not tied", true},
    {"not bias and not empty", true},
    {"tied != bias", true},
    {"kind == 'yarn'", true},
    {"kind == 'linear' or kind == 'dynamic'", false},
    {"kind", true},
    {"3 in list", true},
    {"heads - 25 in list", true},
    {"not 4 in list", true},
    {"3 in empty", false},
    {"given(heads)", true},
    {"given(kv_heads)", false},
    {"given(never_read)", false},
    // What is not set equals nothing and has no size.
    {"none", false},
    {"none == 0", false},
    {"none != 0", true},
    {"none > 0", false},
    {"none + 1 > 0", false},
    {"none == 'yarn'", false},
    {"none == none", false},
    {"never_read > 0", false},
    // What is wrong leaves open whatever hangs on it, and nothing else.
    {"wrong", kUnknown},
    {"not wrong", kUnknown},
    {"wrong > 0", kUnknown},
    {"floor_mult(heads, wrong) == heads", kUnknown},
    {"wrong > 0 or heads == 32", true},
    {"wrong > 0 and heads == 32", kUnknown},
    {"wrong > 0 and heads == 31", false},
    {"given(wrong)", true},
};

class Conditions : public testing::TestWithParam<ConditionCase> {};

TEST_P(Conditions, Hold) {
  EXPECT_EQ(holds(GetParam().condition, some_values()), GetParam().holds) << GetParam().condition;
}

INSTANTIATE_TEST_SUITE_P(Cases, Conditions, testing::ValuesIn(kConditions));

TEST(ConditionNames, AreThoseThatNeedAValue) {
  EXPECT_EQ(mentioned_names("a and (floor_mult(b, 2) == b or not given(c)) and kind == 'a name'"),
            (std::vector<std::string>{"a", "b", "c", "kind"}));
}

}  // namespace
}  // namespace roofbeam
