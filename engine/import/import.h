#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/design/document.h"

namespace roofbeam {

struct ImportOptions {
  std::optional<std::string> name;  // the design's name; else `_name_or_path`, else the model type
};

// A Hugging Face config.json as a design.
struct Import {
  Document document;
  // What the design leaves out, takes for granted, or reads otherwise than the file says; codes
  // import.*, paths into the config.
  Diagnostics warnings;
  std::string model_type;
  // Weights of the multi-token-prediction modules, which are no part of the design; 0 without.
  double mtp_params = 0;
};

// Reads a config.json whose `model_type` has a table in presets/importers. All problems at once:
// those of json::parse and json::Reader (json.*), and
//   import.not_object, import.other_file (a tokenizer's, an adapter's, ... file),
//   import.missing_model_type, import.unknown_model_type, import.missing_field,
//   import.contradiction, import.list_length, and the codes of the tables' own checks.
[[nodiscard]] Result<Import> import_config(std::string_view text,
                                           const ImportOptions& options = {});

// The model types that import_config knows, sorted.
[[nodiscard]] std::vector<std::string> importable_model_types();

}  // namespace roofbeam
