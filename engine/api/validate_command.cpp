#include <algorithm>

#include "engine/api/commands.h"
#include "engine/api/measured.h"
#include "engine/base/text.h"
#include "engine/report/findings.h"
#include "engine/rules/check_rules.h"
#include "engine/rules/rule.h"

namespace roofbeam::api {
namespace {

std::string unknown_rule_note(const std::string& rule) {
  std::vector<std::string_view> known;
  for (const auto rules : {design_rules(), block_constraints()})
    for (const Rule& one : rules) known.push_back(one.id);
  const std::string hint = closest_hint(rule, known);
  return "The design grades " + quoted(rule) + ", which is no rule" +
         (hint.empty() ? "." : ": " + hint);
}

}  // namespace

Result<Answer> validate_command(json::Reader& in, Diagnostics& problems, const Context& context) {
  const std::optional<Question> question = read_question(in, context.models, problems);
  in.done();
  if (!problems.empty()) return problems;

  const Document& document = question->model->document;
  const Measured measured = measure(*question);
  const RuleReport report = check_rules(document, measured.design, measured.analysis);
  Answer answer;
  answer.negative = !report.ok();
  answer.notes = warning_notes(question->model->warnings);
  note_unused(measured.design, question->point, answer.notes);
  constexpr std::size_t kNamed = 10;
  for (std::size_t i = 0; i < std::min(kNamed, report.unknown_rules.size()); ++i)
    answer.notes.push_back(unknown_rule_note(report.unknown_rules[i]));
  json::Writer out;
  write_json(out, report);
  answer.json = out.take();
  if (context.rendering == Rendering::text) answer.text = report_text(document.meta.name, report);
  return answer;
}

}  // namespace roofbeam::api
