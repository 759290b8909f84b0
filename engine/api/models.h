#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/api/request.h"
#include "engine/base/result.h"
#include "engine/graph/elaboration.h"
#include "engine/json/reader.h"
#include "engine/json/value.h"

namespace roofbeam::api {

// A model with its blocks expanded: what every question about it starts from.
struct ExpandedModel {
  Document document;
  Diagnostics warnings;  // of the import
  Elaboration design;
};

// The models of the last questions. A page asks of one model again and again while a slider moves;
// reading and expanding it takes most of an answer's time and depends on nothing but the model.
class Models {
 public:
  // Reads `preset`, `design` or `config` (exactly one) from a request. Errors as `read_model`.
  [[nodiscard]] Result<std::shared_ptr<const ExpandedModel>> read(json::Reader& in);

 private:
  struct Entry {
    json::Value source;  // the request's own value, under the key it had
    std::string key;
    std::shared_ptr<const ExpandedModel> model;
  };
  std::vector<Entry> entries_;  // the latest last
};

}  // namespace roofbeam::api
