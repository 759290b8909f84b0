#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/api/run.h"
#include "engine/base/embedded.h"

namespace roofbeam {
namespace {

// What was asked before never changes an answer: every preset in turn, more of them than a session
// keeps, each asked twice in a row, at other operating points, and again after all others.
TEST(Session, AnswersAsIfItWereTheFirstQuestion) {
  api::Session session;
  for (int round = 0; round < 2; ++round) {
    for (const EmbeddedFile& preset : embedded_files("designs")) {
      const std::string model =
          R"({"schema_version":1,"preset":")" + std::string(preset.name) + R"(","command":)";
      for (const char* question :
           {R"("analyze","options":{"T":512}})", R"("analyze","options":{"B":3,"dtype":"fp8"}})",
            R"("validate"})", R"("show"})", R"("analyze","options":{"T":0}})"}) {
        const std::string request = model + question;
        EXPECT_EQ(session.run(request), api::run(request)) << request;
      }
    }
  }
}

TEST(Session, TellsModelsApartByWhereTheyWereGiven) {
  api::Session session;
  const std::vector<std::string> requests{
      R"({"schema_version":1,"command":"show","preset":"llama-3-8b"})",
      R"({"schema_version":1,"command":"show","config":"llama-3-8b"})",
      R"({"schema_version":1,"command":"show","design":"llama-3-8b"})",
      R"({"schema_version":1,"command":"show","preset":"llama-3-8b","config":"{}"})",
      R"({"schema_version":1,"command":"show"})",
      R"({"schema_version":1,"command":"diff","a":{"preset":"gpt2-small"},"b":{"preset":"gpt2-small"}})",
      R"({"schema_version":1,"command":"diff","a":{"preset":"gpt2-small"},"b":{"preset":"llama-3-8b"}})"};
  for (int round = 0; round < 2; ++round)
    for (const std::string& request : requests)
      EXPECT_EQ(session.run(request), api::run(request)) << request;
}

}  // namespace
}  // namespace roofbeam
