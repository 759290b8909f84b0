#include "engine/report/findings.h"

#include "engine/report/fields.h"
#include "engine/report/json_report.h"
#include "engine/report/text_report.h"

namespace roofbeam {
namespace {

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string overridden_text(const OverriddenFinding& overridden) {
  std::string line = "  " + one_line(overridden.rule);
  if (overridden.path) line += " at " + one_line(*overridden.path);
  line += ": " + overridden.from;
  if (overridden.to.starts_with('?'))
    return line + ", left so: " + one_line(overridden.to.substr(1)) + " is no severity\n";
  return line + " -> " + overridden.to + "\n";
}

}  // namespace

void write_json(json::Writer& out, const RuleReport& report) {
  out.begin_object();
  out.key("ok").boolean(report.ok());
  out.key("counts").begin_object();
  out.key("error").integer(static_cast<std::int64_t>(report.counts.error));
  out.key("warning").integer(static_cast<std::int64_t>(report.counts.warning));
  out.key("info").integer(static_cast<std::int64_t>(report.counts.info));
  out.end_object();
  out.key("findings");
  write_json(out, report.findings);
  out.key("overridden").begin_array();
  for (const OverriddenFinding& overridden : report.overridden) {
    out.begin_object();
    out.key("rule").string(overridden.rule);
    write_text_or_null(out.key("path"), overridden.path);
    out.key("from").string(overridden.from);
    out.key("to").string(overridden.to);
    out.end_object();
  }
  out.end_array().end_object();
}

std::string report_text(std::string_view name, const RuleReport& report) {
  const SeverityCounts& counts = report.counts;
  std::string text = one_line(name) + ": " + counted(counts.error, "error", "errors") + ", " +
                     counted(counts.warning, "warning", "warnings") + ", " +
                     counted(counts.info, "remark", "remarks") + "\n";
  if (!report.findings.empty()) text += "\n" + text_of(report.findings);
  if (!report.overridden.empty()) {
    text += "\nRegraded by the design\n";
    for (const OverriddenFinding& overridden : report.overridden) text += overridden_text(overridden);
  }
  return text;
}

}  // namespace roofbeam
