#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/design/document.h"
#include "engine/graph/elaboration.h"
#include "engine/json/value.h"

// Designs for tests, written as JSON.
namespace roofbeam::tests {

inline Document document_of(std::string_view text) {
  const Result<json::Value> value = json::parse(text);
  if (!value) ADD_FAILURE() << value.errors().front().message;
  Result<Document> document = read_document(*value);
  if (!document) ADD_FAILURE() << document.errors().front().path << " " << document.errors().front().message;
  return std::move(*document);
}

// A design of these symbols, nodes and edges (JSON members without their brackets).
inline Document design(std::string_view symbols, std::string_view nodes, std::string_view edges = "",
                       std::string_view rest = "") {
  return document_of(R"({"version":1,"meta":{"name":"test"},"symbols":{)" + std::string(symbols) +
                     R"(},"graph":{"nodes":[)" + std::string(nodes) + R"(],"edges":[)" +
                     std::string(edges) + "]}" + std::string(rest) + "}");
}

// The findings of a rule, as "path:port message" lines.
inline std::vector<std::string> found(const Findings& findings, std::string_view rule) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings)
    if (finding.rule == rule)
      lines.push_back(finding.path.value_or("") + ":" + finding.port.value_or("") + " " + finding.message);
  return lines;
}

}  // namespace roofbeam::tests
