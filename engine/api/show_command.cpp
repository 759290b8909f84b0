#include "engine/api/commands.h"
#include "engine/api/measured.h"
#include "engine/report/show.h"

namespace roofbeam::api {

Result<Answer> show_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  const Result<std::shared_ptr<const ExpandedModel>> read = context.models.read(in);
  const bool expand = in.optional_boolean("expand").value_or(false);
  in.done();
  problems.insert(problems.end(), read.errors().begin(), read.errors().end());
  if (!problems.empty()) return problems;

  const ExpandedModel& model = **read;
  const std::string& name = model.document.meta.name;
  const std::vector<ShownBlock> tree = block_tree(model.document, model.design, expand);
  Answer answer;
  answer.notes = warning_notes(model.warnings);
  json::Writer out;
  write_tree(out, name, tree);
  answer.json = out.take();
  if (context.rendering == Rendering::text) answer.text = tree_text(name, tree);
  return answer;
}

}  // namespace roofbeam::api
