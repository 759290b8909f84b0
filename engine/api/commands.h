#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/models.h"
#include "engine/base/result.h"
#include "engine/json/reader.h"

namespace roofbeam::api {

// A command's answer: its result as JSON text, the same as plain text for a terminal, and whether
// the answer is a "no" (what a command line exits 1 for).
struct Answer {
  std::string json;
  std::string text;
  std::vector<std::string> notes;
  bool negative = false;
};

// What a command is asked to write beside JSON; text costs time that a page does not want to spend.
enum class Rendering : std::uint8_t { json, text };

// What a command is carried out with beside its request.
struct Context {
  Models& models;
  Rendering rendering = Rendering::json;
};

// Each reads its keys from `in` (schema_version and command are taken) and notes every problem.
[[nodiscard]] Result<Answer> analyze_command(json::Reader& in, Diagnostics& problems,
                                             const Context& context);
[[nodiscard]] Result<Answer> validate_command(json::Reader& in, Diagnostics& problems,
                                              const Context& context);
[[nodiscard]] Result<Answer> show_command(json::Reader& in, Diagnostics& problems,
                                          const Context& context);
[[nodiscard]] Result<Answer> explain_command(json::Reader& in, Diagnostics& problems,
                                             const Context& context);
[[nodiscard]] Result<Answer> diff_command(json::Reader& in, Diagnostics& problems,
                                          const Context& context);
[[nodiscard]] Result<Answer> plan_command(json::Reader& in, Diagnostics& problems,
                                          const Context& context);
[[nodiscard]] Result<Answer> mup_command(json::Reader& in, Diagnostics& problems,
                                         const Context& context);
[[nodiscard]] Result<Answer> scale_command(json::Reader& in, Diagnostics& problems,
                                           const Context& context);
[[nodiscard]] Result<Answer> new_command(json::Reader& in, Diagnostics& problems,
                                         const Context& context);
[[nodiscard]] Result<Answer> import_command(json::Reader& in, Diagnostics& problems,
                                            const Context& context);
[[nodiscard]] Result<Answer> list_command(json::Reader& in, Diagnostics& problems,
                                          const Context& context);
[[nodiscard]] Result<Answer> report_command(json::Reader& in, Diagnostics& problems, const Context& context);
[[nodiscard]] Result<Answer> text_generate_command(json::Reader& in, Diagnostics& problems,
                                                   const Context& context);
[[nodiscard]] Result<Answer> devices_command(json::Reader& in, Diagnostics& problems,
                                             const Context& context);
[[nodiscard]] Result<Answer> parse_command(json::Reader& in, Diagnostics& problems,
                                           const Context& context);

// Every command's name, in the order help lists them.
[[nodiscard]] std::vector<std::string_view> command_names();

// Reads a whole request and carries it out.
[[nodiscard]] Result<Answer> answer(const json::Value& request, const Context& context);

}  // namespace roofbeam::api
