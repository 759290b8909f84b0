#include "engine/design/symbols.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/documents.h"

namespace roofbeam {
namespace {

ResolvedSymbols resolve(std::string_view symbols, std::string_view rest = "") {
  return resolve_symbols(tests::design(symbols, "", "", rest));
}

double value(const ResolvedSymbols& symbols, std::string_view name) {
  const auto id = symbols.scope.find(name);
  return id ? symbols.scope.value(*id) : -1;
}

TEST(Symbols, AreEvaluatedDependenciesFirst) {
  const ResolvedSymbols symbols = resolve(R"j("F":"ceil_mult(8/3*D, 64)","D":"H*dh","H":4,"dh":32)j");
  EXPECT_TRUE(symbols.problems.empty());
  EXPECT_EQ(value(symbols, "D"), 4 * 32);
  EXPECT_EQ(value(symbols, "F"), 384);  // 8/3 * 128 = 341.3, up to 6 * 64
}

TEST(Symbols, BatchAndLengthExistUndeclared) {
  const ResolvedSymbols symbols = resolve(R"("D":1)");
  EXPECT_EQ(value(symbols, "B"), 1);
  EXPECT_EQ(value(symbols, "T"), 2048);
  EXPECT_FALSE(symbols.scope.find("S"));
  EXPECT_FALSE(symbols.has_source);
}

TEST(Symbols, ARuntimeSymbolWithoutDefaultCountsOne) {
  const ResolvedSymbols symbols = resolve(R"("S":{"kind":"runtime"},"T":{"kind":"runtime","default":64})");
  EXPECT_TRUE(symbols.has_source);
  EXPECT_EQ(value(symbols, "S"), 1);
  EXPECT_EQ(value(symbols, "T"), 64);
}

TEST(Symbols, ACycleIsAChainAndItsMembersHaveNoValue) {
  const ResolvedSymbols symbols = resolve(R"j("D":"E + 1","E":"D + 1","Nope":"sqrt(0 - 4)")j");
  std::vector<std::string> messages;
  for (const Finding& finding : symbols.problems) messages.push_back(finding.message);
  EXPECT_EQ(messages, (std::vector<std::string>{"symbols depend on each other in a cycle: D -> E -> D",
                                                "symbol E has no finite value",
                                                "symbol D has no finite value",
                                                "symbol Nope has no finite value"}));
  EXPECT_TRUE(std::isnan(value(symbols, "D")));
}

TEST(Symbols, BadNamesReservedNamesAndUnknownNamesAreReported) {
  const ResolvedSymbols symbols = resolve(R"("2x":1,"S":5,"D":"Heads * 2","Head":3)");
  ASSERT_EQ(symbols.problems.size(), 3u);
  EXPECT_NE(symbols.problems[0].message.find("2x"), std::string::npos);
  EXPECT_NE(symbols.problems[1].message.find("reserved"), std::string::npos);
  EXPECT_NE(symbols.problems[2].message.find("Heads"), std::string::npos);
  EXPECT_NE(symbols.problems[2].hint.find("Head"), std::string::npos);
}

TEST(Symbols, TheActiveConfigurationOverridesValues) {
  constexpr std::string_view kWide = R"(,"configurations":{"wide":{"symbols":{"D":128}}},"active":"wide")";
  EXPECT_EQ(value(resolve(R"("D":64,"F":"4*D")", kWide), "F"), 4 * 128);
  constexpr std::string_view kUnknown = R"(,"configurations":{"wide":{"symbols":{"D":128}}},"active":"narrow")";
  EXPECT_EQ(value(resolve(R"("D":64,"F":"4*D")", kUnknown), "F"), 4 * 64);
}

TEST(Symbols, AChainOfTenThousandIsNoTrouble) {
  std::string symbols = R"("s0":1)";
  for (int i = 1; i < 10'000; ++i)
    symbols = "\"s" + std::to_string(i) + "\":\"s" + std::to_string(i - 1) + " + 1\"," + symbols;
  EXPECT_EQ(value(resolve(symbols), "s9999"), 10'000);
}

TEST(Symbols, MoreThanCanBeNumberedAreReported) {
  std::string symbols = R"("s0":1)";
  for (int i = 1; i < 70'000; ++i) symbols += ",\"s" + std::to_string(i) + "\":" + std::to_string(i);
  const ResolvedSymbols resolved = resolve(symbols);
  ASSERT_EQ(resolved.problems.size(), 1u);
  EXPECT_NE(resolved.problems[0].message.find("more than 65532 symbols"), std::string::npos);
  EXPECT_EQ(value(resolved, "s65531"), 65'531);
  EXPECT_EQ(value(resolved, "B"), 1);
}

}  // namespace
}  // namespace roofbeam
