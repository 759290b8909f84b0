#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/analysis.h"
#include "engine/api/models.h"
#include "engine/base/result.h"
#include "engine/graph/elaboration.h"
#include "engine/json/reader.h"

namespace roofbeam::api {

// A model and the operating point it is asked about.
struct Question {
  std::shared_ptr<const ExpandedModel> model;
  PointRequest point;
};

// Reads a request's model and `options`, noting everything that is wrong with either.
[[nodiscard]] std::optional<Question> read_question(json::Reader& in, Models& models,
                                                    Diagnostics& problems);

// A question's model analysed at its operating point. Refers to the question.
struct Measured {
  const Elaboration& design;
  Analysis analysis;
};

[[nodiscard]] Measured measure(const Question& question);

// An import's warnings as remarks on an answer.
[[nodiscard]] std::vector<std::string> warning_notes(const Diagnostics& warnings);

// What was asked for and cannot make a difference is said, not passed over.
void note_unused(const Elaboration& design, const PointRequest& point,
                 std::vector<std::string>& notes);

}  // namespace roofbeam::api
