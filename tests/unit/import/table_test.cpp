#include "engine/import/table.h"

#include <algorithm>

#include "engine/base/embedded.h"
#include "engine/base/text.h"
#include "engine/import/import.h"
#include "tests/unit/import/configs.h"

namespace roofbeam {
namespace {

TEST(ImportTables, AreSoundInEveryType) {
  const std::vector<std::string> types = importable_model_types();
  ASSERT_FALSE(types.empty());
  for (const std::string& type : types) {
    const std::optional<ImportTable> table = import_table(type);
    ASSERT_TRUE(table.has_value()) << type;
    EXPECT_EQ(join(undefined_names(*table), ", "), "") << type;
    for (const ImportField& field : table->fields) {
      EXPECT_FALSE(field.keys.empty()) << type << " " << field.name;
      EXPECT_FALSE(field.doc.empty()) << type << " " << field.name;
      EXPECT_EQ(field.kind == FieldKind::choice, !field.choices.empty())
          << type << " " << field.name;
    }
    for (const std::vector<ImportRemark>* remarks : {&table->checks, &table->warnings})
      for (const ImportRemark& remark : *remarks)
        EXPECT_TRUE(remark.code.starts_with("import.")) << type << " " << remark.code;
  }
}

// An empty config of each type is refused with what it lacks, so every expression of every table
// is read at least once.
TEST(ImportTables, NameWhatAConfigMustState) {
  for (const std::string& type : importable_model_types()) {
    const Result<Import> import = import_config(R"({"model_type": ")" + type + "\"}");
    ASSERT_FALSE(import) << type;
    for (const Diagnostic& error : import.errors()) {
      EXPECT_EQ(error.code, "import.missing_field") << type;
      EXPECT_NE(error.message.find(roofbeam::quoted(error.path.substr(1))), std::string::npos)
          << error.message;
    }
  }
}

TEST(ImportTables, AbstractOnesAreNoModelTypes) {
  EXPECT_NE(embedded_file("importers", "_decoder"), nullptr);
  EXPECT_FALSE(import_table("_decoder").has_value());
  EXPECT_FALSE(std::ranges::any_of(importable_model_types(),
                                   [](const std::string& type) { return type.starts_with('_'); }));
}

// Reading a table and writing it again gives the same bytes, so a change shows only what changed.
TEST(ImportTables, AreWrittenInCanonicalForm) {
  for (const EmbeddedFile& embedded : embedded_files("importers")) {
    const std::string name = std::string(embedded.name) + ".json";
    EXPECT_EQ(file_text("presets/importers/" + name),
              json::write(json_of(embedded.text), json::Layout::readable))
        << name;
  }
}

TEST(ImportTables, UseNoNameBeforeItIsDefined) {
  const Result<ImportTable> table = read_import_table(json_of(R"({
    "family": "f", "symbols": {}, "nodes": {}, "wires": {},
    "fields": {"a": {"keys": ["a"], "kind": "count", "default": "=b"},
               "b": {"keys": ["b"], "kind": "count", "default": "=a"}},
    "values": {"c": "=d + a", "d": "?b > 0"},
    "checks": {"k": {"that": "e == 1", "code": "import.k", "message": "{f}"}}})"));
  ASSERT_TRUE(table) << listed(table.errors());
  EXPECT_EQ(undefined_names(*table), (std::vector<std::string>{"b", "d", "e", "f"}));
}

TEST(ImportTables, ReadStrictly) {
  const Result<ImportTable> table = read_import_table(json_of(R"({
    "family": "f", "fields": {"a": {"keys": ["a", 1], "kind": "cuont"}, "b": {"kind": "flag"}},
    "symbols": {}, "nodes": {"n": {"type": "input", "parms": {}}}, "wires": {}})"));
  ASSERT_FALSE(table);
  EXPECT_EQ(listed(table.errors()),
            "json.type /fields/a/keys/1; json.choice /fields/a/kind; json.missing /fields/b/keys; "
            "json.unknown_key /nodes/n/parms");
}

struct OverlayCase {
  const char* base;
  const char* changes;
  const char* result;
};

const OverlayCase kOverlays[] = {
    {R"({"a":1,"b":2})", R"({"b":3})", R"({"a":1,"b":3})"},
    {R"({"a":{"x":1,"y":2}})", R"({"a":{"y":3,"z":4}})", R"({"a":{"x":1,"y":3,"z":4}})"},
    {R"({"a":[1,2]})", R"({"a":[3]})", R"({"a":[3]})"},
    {R"({"a":{"x":1}})", R"({"a":null})", R"({"a":null})"},
    {R"({"a":1})", R"({"a":{"x":1}})", R"({"a":{"x":1}})"},
};

TEST(Overlays, ReplaceWhatTheyNameAndKeepTheOrder) {
  for (const OverlayCase& row : kOverlays) {
    json::Value value = json_of(row.base);
    overlay(value, json_of(row.changes));
    EXPECT_EQ(json::write(value, json::Layout::compact), row.result);
  }
}

}  // namespace
}  // namespace roofbeam
