#include "engine/report/explain.h"

#include <algorithm>
#include <cmath>

#include "engine/algebra/attention_mask.h"
#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/report/fields.h"
#include "engine/report/text_report.h"

namespace roofbeam {
namespace {

using json::Writer;
using Rows = std::vector<std::vector<std::string>>;

std::string title_of(const BlockSpec& spec) { return spec.docs.title.empty() ? spec.type : spec.docs.title; }

void write_docs(Writer& out, const BlockSpec& spec) {
  out.begin_object();
  out.key("name").string(title_of(spec));
  out.key("summary").string(spec.docs.summary);
  out.key("formula").string(spec.docs.formula);
  out.key("refs").begin_array();
  for (const std::string& reference : spec.docs.references) out.string(reference);
  out.end_array().end_object();
}

void write_params(Writer& out, const Instance& instance, const Scope& scope) {
  out.begin_object();
  for (const Argument& argument : instance.arguments.all()) {
    out.key(argument.spec->name).begin_object();
    write_text_or_null(out.key("expression"), expression_of(argument, scope));
    out.key("value").value(value_of(argument));
    out.key("doc").string(argument.spec->doc);
    out.end_object();
  }
  out.end_object();
}

void write_patterns(Writer& out, const std::vector<PortSpec>& ports) {
  out.begin_object();
  for (const PortSpec& port : ports) out.key(port.name).string(port.shape);
  out.end_object();
}

template <class State>
void write_shapes(Writer& out, const std::vector<PortSpec>& ports, const std::vector<State>& states, const Scope& scope) {
  out.begin_object();
  for (std::size_t i = 0; i < ports.size(); ++i) {
    out.key(ports[i].name);
    if (states[i].shape)
      out.string(text(*states[i].shape, scope));
    else
      out.null();
  }
  out.end_object();
}

void write_contribution(Writer& out, const Contribution& contribution) {
  out.begin_object();
  out.key("params").number(contribution.params);
  out.key("active_params").number(contribution.active_params);
  out.key("share_of_params").number(contribution.share_of_params);
  out.key("flops_per_token").number(contribution.flops_per_token.value);
  out.key("share_of_flops").number(contribution.share_of_flops);
  out.key("activation_bytes").number(contribution.activations.value);
  out.key("cache_bytes_per_token").number(contribution.cache_per_token.value);
  out.key("cache_bytes_per_sequence").number(contribution.cache_per_sequence.value);
  out.end_object();
}

void write_mask(Writer& out, const Elaboration& design, const std::optional<MaskView>& mask) {
  if (!mask) {
    out.null();
    return;
  }
  out.begin_object();
  out.key("path").string(design.instances[mask->attention].path);
  out.key("head").integer(mask->head);
  out.key("heads").integer(mask->heads);
  out.key("length").integer(mask->length);
  out.key("cells").integer(kGridCells);
  out.key("kept").begin_array();
  for (const double kept : mask->kept) out.number(kept);
  out.end_array().end_object();
}

// ---- text

std::string section(const char* title, const Rows& rows, std::span<const std::size_t> left) {
  return rows.empty() ? "" : "\n" + std::string(title) + "\n" + table(rows, left);
}

Rows param_rows(const Instance& instance, const Scope& scope) {
  Rows rows;
  for (const Argument& argument : instance.arguments.all()) {
    std::string value = value_text(value_of(argument));
    if (const auto expression = expression_of(argument, scope)) value = *expression + " = " + value;
    if (!argument.given) value += " (default)";
    rows.push_back({argument.spec->name, one_line(value), one_line(argument.spec->doc)});
  }
  return rows;
}

template <class State>
void add_port_rows(Rows& rows, const char* side, const std::vector<PortSpec>& ports, const std::vector<State>& states,
                   const Scope& scope) {
  for (std::size_t i = 0; i < ports.size(); ++i)
    rows.push_back({std::string(side) + " " + one_line(ports[i].name), one_line(ports[i].shape),
                    states[i].shape ? text(*states[i].shape, scope) : "unknown"});
}

Rows contribution_rows(const Contribution& contribution) {
  Rows rows{{"parameters", count_text(contribution.params), percent_text(contribution.share_of_params) + " of the design's"}};
  if (contribution.active_params != contribution.params)
    rows.push_back({"active parameters", count_text(contribution.active_params), ""});
  rows.push_back({"forward", flops_text(contribution.flops_per_token) + " a token",
                  percent_text(contribution.share_of_flops) + " of the design's"});
  rows.push_back({"activations", bytes_text(contribution.activations), "kept for the backward pass"});
  rows.push_back({"cache per token", bytes_text(contribution.cache_per_token), "at 2 bytes an element"});
  rows.push_back({"cache per sequence", bytes_text(contribution.cache_per_sequence), "what does not grow with it"});
  return rows;
}

// A cell in one of five shades; the lightest is none at all.
char shade(double kept) {
  constexpr std::string_view kShades = " .:+#";
  if (!(kept > 0)) return kShades.front();
  const auto step = static_cast<std::size_t>(kept * 4);
  return kShades[std::clamp<std::size_t>(step, 1, 4)];
}

std::string mask_text(const Elaboration& design, const MaskView& mask) {
  std::string text = "\nMask of " + one_line(design.instances[mask.attention].path) + ", head " +
                     std::to_string(mask.head) + " of " + std::to_string(mask.heads) + ", " +
                     std::to_string(mask.length) + " tokens (queries down, keys across)\n";
  const auto side = static_cast<std::size_t>(kGridCells);
  for (std::size_t row = 0; row < side; ++row) {
    text += "  |";
    for (std::size_t column = 0; column < side; ++column) text += shade(mask.kept[row * side + column]);
    text += "|\n";
  }
  return text;
}

}  // namespace

void write_explanation(Writer& out, const ExplainReport& report, InstanceId id, const std::optional<MaskView>& mask) {
  const Instance& instance = report.design.instances[id];
  const Scope& scope = report.design.scope;
  const Ports& ports = instance.ports();
  out.begin_object();
  out.key("path").string(instance.path);
  out.key("type").string(instance.spec->type);
  out.key("kind").string(kind_name(instance.spec->kind));
  write_text_or_null(out.key("label"), instance.label);
  write_docs(out.key("docs"), *instance.spec);
  out.key("copies").begin_object();
  out.key("total").number(instance.copies);
  out.key("active").number(instance.active_copies);
  out.end_object();
  write_params(out.key("params"), instance, scope);
  out.key("ports").begin_object();
  write_patterns(out.key("in"), ports.inputs);
  write_patterns(out.key("out"), ports.outputs);
  out.end_object();
  out.key("shapes").begin_object();
  write_shapes(out.key("in"), ports.inputs, instance.inputs, scope);
  write_shapes(out.key("out"), ports.outputs, instance.outputs, scope);
  out.end_object();
  write_contribution(out.key("contribution"), report.contributions.of(id));
  out.key("breakdown").begin_array();
  for (const InstanceId part : largest_parts(report.design, report.contributions, id)) {
    out.begin_object();
    out.key("path").string(report.design.instances[part].path);
    out.key("type").string(report.design.instances[part].spec->type);
    out.key("params").number(report.contributions.of(part).params);
    out.end_object();
  }
  out.end_array();
  write_mask(out.key("mask"), report.design, mask);
  out.end_object();
}

void write_explanations(Writer& out, std::string_view name, const ExplainReport& report,
                        const std::vector<InstanceId>& ids) {
  out.begin_object().key("name").string(name).key("blocks").begin_array();
  for (const InstanceId id : ids) write_explanation(out, report, id, std::nullopt);
  out.end_array().end_object();
}

std::string explanation_text(const ExplainReport& report, InstanceId id, const std::optional<MaskView>& mask) {
  const Instance& instance = report.design.instances[id];
  const BlockSpec& spec = *instance.spec;
  constexpr std::size_t kAllLeft[] = {1, 2};
  constexpr std::size_t kLastLeft[] = {2};
  std::string text = one_line(instance.path) + ": " + one_line(title_of(spec)) + " (" + one_line(spec.type) + ")";
  if (instance.label) text += " \"" + one_line(*instance.label) + "\"";
  if (instance.copies != 1) text += ", " + grouped_text(instance.copies) + " copies";
  if (instance.active_copies != instance.copies) text += ", " + grouped_text(instance.active_copies) + " active";
  text += "\n";
  if (!spec.docs.summary.empty()) text += one_line(spec.docs.summary) + "\n";
  if (!spec.docs.formula.empty()) text += "  " + one_line(spec.docs.formula) + "\n";
  text += section("Contribution", contribution_rows(report.contributions.of(id)), kLastLeft);
  Rows parts;
  for (const InstanceId part : largest_parts(report.design, report.contributions, id))
    parts.push_back({one_line(report.design.instances[part].path), count_text(report.contributions.of(part).params),
                     report.design.instances[part].spec->type});
  if (parts.size() > 1) text += section("Largest parts", parts, kLastLeft);
  text += section("Parameters", param_rows(instance, report.design.scope), kAllLeft);
  Rows ports;
  add_port_rows(ports, "in", instance.ports().inputs, instance.inputs, report.design.scope);
  add_port_rows(ports, "out", instance.ports().outputs, instance.outputs, report.design.scope);
  text += section("Ports", ports, kAllLeft);
  if (mask) text += mask_text(report.design, *mask);
  if (!spec.docs.references.empty()) {
    text += "\nReferences\n";
    for (const std::string& reference : spec.docs.references) text += "  " + one_line(reference) + "\n";
  }
  return text;
}

std::string explanations_text(std::string_view name, const ExplainReport& report, const std::vector<InstanceId>& ids) {
  constexpr std::size_t kLeft[] = {1};
  Rows rows{{"block", "type", "parameters", "share", "FLOPs a token", "share", "activations"}};
  for (const InstanceId id : ids) {
    const Instance& instance = report.design.instances[id];
    const Contribution& one = report.contributions.of(id);
    rows.push_back({one_line(instance.path), one_line(instance.spec->type), count_text(one.params),
                    percent_text(one.share_of_params), flops_text(one.flops_per_token),
                    percent_text(one.share_of_flops), bytes_text(one.activations)});
  }
  return one_line(name) + "\n" + table(rows, kLeft);
}

}  // namespace roofbeam
