#include "engine/import/import.h"

#include <array>

#include "engine/base/embedded.h"
#include "engine/base/text.h"
#include "engine/import/build.h"
#include "engine/import/condition.h"
#include "engine/import/fields.h"
#include "engine/import/other_files.h"
#include "engine/import/pick.h"
#include "engine/import/table.h"
#include "engine/json/value.h"

namespace roofbeam {
namespace {

// What the config calls its model: `model_type`, or the class of a diffusers component.
Result<std::string> model_type_of(const json::Value& config) {
  const json::Value* type = config.find("model_type");
  if (type == nullptr || type->is_null()) {
    const Diagnostic none = no_model_type(config);
    const json::Value* diffusers = config.find("_class_name");
    if (none.code == "import.missing_model_type" && diffusers != nullptr && diffusers->is_string())
      return diffusers->string();
    return none;
  }
  if (type->is_string() && !type->string().empty()) return type->string();
  return Diagnostic{
      .code = "json.type",
      .path = "/model_type",
      .message = "found " + json::described(*type) + ", wanted the name of a model type",
      .hint = ""};
}

Diagnostic unknown_type(const std::string& type, const json::Value& config) {
  const std::vector<std::string> known = importable_model_types();
  std::string hint = closest_hint(type, known);
  if (!hint.empty()) hint += "; ";
  return {.code = "import.unknown_model_type",
          .path = config.find("model_type") != nullptr ? "/model_type" : "/_class_name",
          .message = "found the model type " + quoted(type) + ", which no importer knows",
          .hint = hint + "known: " + join(known, ", ")};
}

Diagnostic filled_remark(const ImportRemark& remark, const Values& values) {
  const NamedValue* field = values.find(remark.field);
  return {.code = remark.code,
          .path = field != nullptr ? field->path : "",
          .message = filled(remark.message, values),
          .hint = filled(remark.hint, values)};
}

std::string design_name(const json::Value& config, const ImportOptions& options,
                        const std::string& model_type) {
  if (options.name) return *options.name;
  const json::Value* path = config.find("_name_or_path");
  return path != nullptr && path->is_string() && !path->string().empty() ? path->string()
                                                                         : model_type;
}

}  // namespace

std::vector<std::string> importable_model_types() {
  std::vector<std::string> types;
  for (const EmbeddedFile& file : embedded_files("importers"))
    if (!file.name.starts_with('_')) types.emplace_back(file.name);
  return types;
}

Result<Import> import_config(std::string_view text, const ImportOptions& options) {
  const Result<json::Value> config = json::parse(text);
  if (!config) return config.errors();
  if (!config->is_object())
    return Diagnostic{.code = "import.not_object",
                      .path = "",
                      .message = "found " + json::described(*config) +
                                 ", wanted a JSON object: a model's config.json",
                      .hint = ""};
  const Result<std::string> model_type = model_type_of(*config);
  if (!model_type) return model_type.errors();
  const Result<std::optional<ImportTable>> found = import_table(*model_type, *config);
  if (!found) return found.errors();
  const std::optional<ImportTable>& table = *found;
  if (!table) return unknown_type(*model_type, *config);

  Diagnostics problems;
  Import result;
  const Values values = read_fields(*config, *table, *model_type, problems, result.warnings);
  for (const ImportRemark& check : table->checks)
    if (holds(check.condition, values) == false) problems.push_back(filled_remark(check, values));
  if (!problems.empty()) return problems;

  result.model_type = *model_type;
  result.document = built_document(*table, values, design_name(*config, options, *model_type));
  for (const ImportRemark& warning : table->warnings)
    if (holds(warning.condition, values) == true)
      result.warnings.push_back(filled_remark(warning, values));
  if (const std::optional<json::Value> mtp = picked(table->mtp_params, values);
      mtp && mtp->is_number())
    result.mtp_params = mtp->number();
  return result;
}

}  // namespace roofbeam
