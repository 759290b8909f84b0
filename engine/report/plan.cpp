#include "engine/report/plan.h"

#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/report/text_report.h"

namespace roofbeam {
namespace {

bool names_micro_batch(const PlanReport& report) { return report.request.micro_batches.size() > 1; }

void write_memory(json::Writer& out, const MemoryPerGpu& memory) {
  out.begin_object();
  out.key("weights").number(memory.weights.value);
  out.key("grads").number(memory.grads.value);
  out.key("optimizer").number(memory.optimizer.value);
  out.key("activations").number(memory.activations.value);
  out.key("total").number(memory.total().value).end_object();
}

void write_plan(json::Writer& out, const Plan& plan, bool names_micro_batch) {
  const ParallelLayout& layout = plan.layout;
  out.begin_object();
  out.key("summary").string(plan_summary(plan, names_micro_batch));
  out.key("dp").integer(layout.dp).key("tp").integer(layout.tp).key("pp").integer(layout.pp);
  out.key("ep").integer(layout.ep).key("zero").integer(layout.zero);
  out.key("sequence_parallel").boolean(layout.sequence_parallel);
  out.key("recompute").string(name(plan.recompute));
  out.key("micro_batch").number(plan.micro_batch);
  out.key("per_gpu");
  write_memory(out, plan.memory);
  out.key("used").number(plan.used);
  out.key("notes").begin_array();
  for (const std::string& note : plan_notes(plan)) out.string(note);
  out.end_array().end_object();
}

std::string share_text(double used) { return fixed(100 * used, 0) + "%"; }

// What the device of a plan holds, part by part.
std::string breakdown(const Plan& plan) {
  const MemoryPerGpu& memory = plan.memory;
  const auto row = [&](const char* part, Bytes bytes) {
    return std::vector<std::string>{part, bytes_text(bytes),
                                    percent_text(bytes / memory.total(), 0)};
  };
  return table({{row("weights", memory.weights), row("gradients", memory.grads),
                 row("optimizer", memory.optimizer), row("activations", memory.activations),
                 row("total", memory.total())}});
}

}  // namespace

void write_json(json::Writer& out, const PlanReport& report) {
  const PlanSearch& search = report.search;
  out.begin_object().key("name").string(report.name);
  out.key("hardware").string(report.search.point.device.id);
  out.key("gpus").integer(report.request.gpus);
  out.key("gpus_per_node").integer(report.request.gpus_per_node);
  out.key("headroom").number(report.request.headroom);
  out.key("T").number(search.point.T);
  out.key("memory_bytes").number(report.search.point.device.memory.value);
  out.key("budget_bytes").number(search.budget.value);
  out.key("considered").integer(search.considered);
  out.key("fit_count").integer(search.fit_count);
  out.key("fits").begin_array();
  for (const Plan& plan : search.fits) write_plan(out, plan, names_micro_batch(report));
  out.end_array().key("closest");
  if (search.closest)
    write_plan(out, *search.closest, names_micro_batch(report));
  else
    out.null();
  out.key("notes").begin_array();
  for (const std::string& note : search.notes) out.string(note);
  out.end_array().end_object();
}

std::string plan_text(const PlanReport& report) {
  const PlanSearch& search = report.search;
  std::string text =
      one_line(report.name) + " on " + grouped_text(static_cast<double>(report.request.gpus)) +
      " x " + report.search.point.device.name + "\n" + bytes_text(search.budget) +
      " per device after headroom, of " + bytes_text(report.search.point.device.memory) + ". " +
      grouped_text(static_cast<double>(search.considered)) +
      (search.considered == 1 ? " plan priced. " : " plans priced. ") +
      grouped_text(static_cast<double>(search.fit_count)) + " fit.\n";
  if (!search.fits.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const Plan& plan : search.fits)
      rows.push_back({plan_summary(plan, names_micro_batch(report)),
                      bytes_text(plan.memory.total()), share_text(plan.used) + " of budget"});
    const Plan& first = search.fits.front();
    text += "\n" + table(rows) + "\nPer device, " + plan_summary(first, names_micro_batch(report)) +
            "\n" + breakdown(first);
    for (const std::string& note : plan_notes(first)) text += "  " + note + "\n";
  }
  if (!search.notes.empty()) text += "\n";
  for (const std::string& note : search.notes) text += note + "\n";
  return text;
}

}  // namespace roofbeam
