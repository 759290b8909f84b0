#pragma once

#include "engine/base/result.h"
#include "engine/json/value.h"

namespace roofbeam {

// Why a JSON object without `model_type` is no model's config: the file of a tokenizer, an adapter,
// a pipeline, ... says what it is, and the hint which file to take instead.
// Codes import.other_file, import.missing_model_type.
[[nodiscard]] Diagnostic no_model_type(const json::Value& config);

}  // namespace roofbeam
