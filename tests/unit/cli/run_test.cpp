#include "engine/cli/run.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/json/value.h"

namespace roofbeam {
namespace {

// A file system of a few texts.
struct Files {
  std::map<std::string, std::string, std::less<>> texts;

  cli::FileSystem system() {
    return {.read = [this](std::string_view path) -> Result<std::string> {
              const auto at = texts.find(path);
              if (at == texts.end()) return cli::unreadable(path, "ENOENT");
              return at->second;
            },
            .write = [this](std::string_view path, std::string_view text) -> std::optional<Diagnostic> {
              if (path.starts_with("/read-only/")) return cli::unwritable(path, "EROFS");
              texts[std::string(path)] = std::string(text);
              return std::nullopt;
            },
            .is_directory = [this](std::string_view path) {
              const std::string prefix = std::string(path) + "/";
              const auto at = texts.lower_bound(prefix);
              return at != texts.end() && at->first.starts_with(prefix);
            }};
  }
};

constexpr std::string_view kConfig = R"({"model_type":"llama","num_hidden_layers":2,"hidden_size":64,
  "num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":128,"vocab_size":100,
  "_name_or_path":"tiny/one <script>"})";

cli::Outcome run(Files& files, const std::vector<std::string>& args) { return cli::run(args, files.system()); }
cli::Outcome run(const std::vector<std::string>& args) {
  Files files;
  return run(files, args);
}

TEST(CommandLine, AnalyzesAPreset) {
  const cli::Outcome outcome = run({"analyze", "llama-3-8b"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("8,030,261,248"), std::string::npos);
  EXPECT_EQ(outcome.err, "");
}

TEST(CommandLine, JsonIsTheResultItself) {
  const cli::Outcome outcome = run({"analyze", "llama-3-8b", "--json", "--T=4096", "--tokens", "15e12"});
  const Result<json::Value> result = json::parse(outcome.out);
  ASSERT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result->find("params")->find("total")->number(), 8030261248);
  EXPECT_EQ(result->find("options")->find("T")->number(), 4096);
  EXPECT_EQ(result->find("options")->find("tokens")->number(), 15e12);
  EXPECT_EQ(outcome.out.back(), '\n');
}

TEST(CommandLine, ReadsDesignsConfigsAndFolders) {
  Files files{{{"tiny/config.json", std::string(kConfig)}}};
  EXPECT_EQ(run(files, {"analyze", "tiny"}).exit_code, 0);
  EXPECT_EQ(run(files, {"analyze", "tiny/config.json"}).exit_code, 0);
  EXPECT_EQ(run(files, {"import", "tiny", "--out", "a.tensorcad.json"}).exit_code, 0);
  EXPECT_EQ(run(files, {"analyze", "a.tensorcad.json", "--json"}).out,
            run(files, {"analyze", "tiny", "--json"}).out);
}

TEST(CommandLine, ImportWritesASafeNameAndJsonWritesNothing) {
  Files files{{{"config.json", std::string(kConfig)}}};
  const cli::Outcome outcome = run(files, {"import", "config.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(files.texts.count("out/tiny-one-script.tensorcad.json"), 1u);
  Files untouched{{{"config.json", std::string(kConfig)}}};
  EXPECT_EQ(run(untouched, {"import", "config.json", "--json"}).exit_code, 0);
  EXPECT_EQ(untouched.texts.size(), 1u);
  EXPECT_EQ(run(files, {"import", "config.json", "--out", "/read-only/a.json"}).exit_code, 1);
}

struct Exit {
  const char* name;
  std::vector<std::string> args;
  int code;
  std::string says;  // on stderr
};

class CommandLineExit : public testing::TestWithParam<Exit> {};

TEST_P(CommandLineExit, CodeAndMessage) {
  Files files{{{"text.json", "no json"}, {"list.json", "[1]"}, {"foo.json", R"({"model_type":"foo"})"},
               {"broken.json", R"({"version":1,"meta":{"name":"b"},"graph":{"nodes":[{"id":"n","type":"add"}],"edges":[]}})"},
               {"nameless.json", R"({"version":1,"meta":{},"graph":{"nodes":[],"edges":[]}})"}}};
  const cli::Outcome outcome = run(files, GetParam().args);
  EXPECT_EQ(outcome.exit_code, GetParam().code);
  EXPECT_NE(outcome.err.find(GetParam().says), std::string::npos) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, CommandLineExit,
    testing::Values(Exit{"nothing", {}, 0, ""}, Exit{"help", {"--help"}, 0, ""},
                    Exit{"command_help", {"analyze", "--help"}, 0, ""},
                    Exit{"version", {"--version"}, 0, ""},
                    Exit{"unknown_command", {"analyse", "gpt2-xl"}, 2, "did you mean \"analyze\"?"},
                    Exit{"unknown_flag", {"analyze", "gpt2-xl", "--gpu", "3"}, 2, "did you mean \"--gpus\"?"},
                    Exit{"no_model", {"analyze"}, 2, "MODEL is required"},
                    Exit{"bad_value", {"analyze", "gpt2-xl", "--tp", "two"}, 2, "--tp: found the text \"two\""},
                    Exit{"unknown_device", {"analyze", "gpt2-xl", "--hardware", "h100-sx"}, 2, "\"h100-sxm\"?"},
                    Exit{"no_such_model", {"analyze", "gpt2-xll"}, 2, "did you mean \"gpt2-xl\"?"},
                    Exit{"no_json", {"analyze", "text.json"}, 1, "json.syntax"},
                    Exit{"no_object", {"analyze", "list.json"}, 1, "error"},
                    Exit{"unknown_type", {"import", "foo.json"}, 1, "foo"},
                    Exit{"unreadable", {"import", "gone.json"}, 1, "no such file"},
                    Exit{"valid", {"validate", "gpt2-xl"}, 0, ""},
                    Exit{"invalid", {"validate", "broken.json"}, 1, ""},
                    Exit{"analyzed_though_invalid", {"analyze", "broken.json"}, 0, ""},
                    Exit{"shown", {"show", "gpt2-xl", "--expand"}, 0, ""},
                    Exit{"explained", {"explain", "gpt2-xl", "layers/block/attn", "--head", "3"}, 0, ""},
                    Exit{"all_explained", {"explain", "gpt2-xl"}, 0, ""},
                    Exit{"unknown_path", {"explain", "gpt2-xl", "layers/blok"}, 1, "did you mean \"layers/block\"?"},
                    Exit{"unknown_head", {"explain", "gpt2-xl", "layers", "--head", "25"}, 2, "--head: found 25"},
                    Exit{"diffed", {"diff", "gpt2-xl", "gpt2-small"}, 0, ""},
                    Exit{"one_side", {"diff", "gpt2-xl"}, 2, "MODEL"},
                    Exit{"three_sides", {"diff", "gpt2-xl", "gpt2-small", "nanogpt"}, 2, ""},
                    Exit{"bad_side", {"diff", "gpt2-xl", "nameless.json"}, 1, "at /meta/name: nameless.json: "}),
    [](const auto& row) { return row.param.name; });

TEST(CommandLine, JsonErrorsAreDiagnosticsOnStdout) {
  const cli::Outcome outcome = run({"analyze", "gpt2-xl", "--json", "--zero", "7"});
  EXPECT_EQ(outcome.exit_code, 2);
  const Result<json::Value> answer = json::parse(outcome.out);
  ASSERT_TRUE(static_cast<bool>(answer));
  EXPECT_EQ(*answer->find("ok"), json::Value(false));
  EXPECT_EQ(answer->find("diagnostics")->array().size(), 1u);
}

}  // namespace
}  // namespace roofbeam
