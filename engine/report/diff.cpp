#include "engine/report/diff.h"

#include <cmath>

#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/report/fields.h"
#include "engine/report/text_report.h"

namespace roofbeam {
namespace {

using json::Writer;
using Rows = std::vector<std::vector<std::string>>;

// A symbol as the document writes it, short where it is a design symbol.
json::Value as_document_value(const SymbolState& state) {
  if (state.kind == SymbolKind::design) return state.written;
  json::Object object{{"kind", json::Value("runtime")}};
  if (!state.written.is_null()) object.emplace_back("default", state.written);
  return json::Value(std::move(object));
}

void write_symbol(Writer& out, const std::string& name, const SymbolState& state) {
  out.begin_object();
  out.key("name").string(name);
  out.key("written").value(as_document_value(state));
  out.key("value").number(state.value);
  out.end_object();
}

void write_symbols(Writer& out, const std::vector<SymbolDifference>& symbols) {
  out.begin_object().key("added").begin_array();
  for (const SymbolDifference& symbol : symbols)
    if (!symbol.a) write_symbol(out, symbol.name, *symbol.b);
  out.end_array().key("removed").begin_array();
  for (const SymbolDifference& symbol : symbols)
    if (!symbol.b) write_symbol(out, symbol.name, *symbol.a);
  out.end_array().key("changed").begin_array();
  for (const SymbolDifference& symbol : symbols) {
    if (!symbol.a || !symbol.b) continue;
    out.begin_object();
    out.key("name").string(symbol.name);
    out.key("from").value(as_document_value(*symbol.a));
    out.key("to").value(as_document_value(*symbol.b));
    out.key("from_value").number(symbol.a->value);
    out.key("to_value").number(symbol.b->value);
    out.end_object();
  }
  out.end_array().end_object();
}

void write_names(Writer& out, const std::vector<std::string>& names) {
  out.begin_array();
  for (const std::string& name : names) out.string(name);
  out.end_array();
}

void write_blocks(Writer& out, const std::vector<BlockName>& blocks) {
  out.begin_array();
  for (const BlockName& block : blocks)
    out.begin_object().key("path").string(block.path).key("type").string(block.type).end_object();
  out.end_array();
}

void write_change(Writer& out, const std::optional<TextDifference>& change) {
  if (!change) {
    out.null();
    return;
  }
  out.begin_object();
  write_text_or_null(out.key("from"), change->a);
  write_text_or_null(out.key("to"), change->b);
  out.end_object();
}

void write_changed_block(Writer& out, const BlockDifference& block) {
  out.begin_object();
  out.key("path").string(block.path);
  write_change(out.key("type"), block.type);
  write_change(out.key("label"), block.label);
  out.key("params").begin_array();
  for (const ParamDifference& param : block.params) {
    out.begin_object();
    out.key("name").string(param.name);
    out.key("from").value(param.a);
    out.key("to").value(param.b);
    out.end_object();
  }
  out.end_array().end_object();
}

void write_wires(Writer& out, const std::vector<WireName>& wires) {
  out.begin_array();
  for (const WireName& wire : wires) {
    out.begin_object();
    out.key("graph").string(wire.graph);
    out.key("from").string(wire.from);
    out.key("to").string(wire.to);
    out.end_object();
  }
  out.end_array();
}

std::string_view unit_name(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::count: return "count";
    case MetricUnit::flops: return "flops";
    case MetricUnit::bytes: return "bytes";
  }
  return "count";
}

void write_metric(Writer& out, const MetricDifference& metric) {
  out.begin_object();
  out.key("id").string(metric.id);
  out.key("label").string(metric.label);
  out.key("unit").string(unit_name(metric.unit));
  out.key("a").number(metric.a);
  out.key("b").number(metric.b);
  out.key("delta").number(metric.delta());
  write_number_or_null(out.key("ratio"), metric.ratio());
  out.end_object();
}

// ---- text

std::string amount_text(const MetricDifference& metric, double amount) {
  switch (metric.unit) {
    case MetricUnit::count: return count_text(amount);
    case MetricUnit::flops: return flops_text({amount});
    case MetricUnit::bytes: return bytes_text({amount});
  }
  return "";
}

std::string change_text(const MetricDifference& metric) {
  const double delta = metric.delta();
  if (delta == 0) return "";
  return (delta > 0 ? "+" : "") + amount_text(metric, delta);
}

std::string ratio_text(const MetricDifference& metric) {
  const std::optional<double> ratio = metric.ratio();
  if (!ratio || !std::isfinite(*ratio) || metric.delta() == 0) return "";
  return "x" + fixed(*ratio, 3);
}

std::string symbol_text(const SymbolState& state) {
  if (state.kind == SymbolKind::runtime)
    return state.written.is_null() ? "runtime" : "runtime, default " + value_text(state.written);
  if (!state.written.is_string()) return value_text(state.written);
  return state.written.string() + " = " + (std::isfinite(state.value) ? shortest(state.value) : "unknown");
}

std::string absent_or(const json::Value& value) { return value.is_null() ? "(absent)" : value_text(value); }

std::string absent_or(const std::optional<std::string>& text) { return text ? *text : "(absent)"; }

std::string section(const char* title, const Rows& rows) {
  constexpr std::size_t kLeft[] = {1, 2};
  return rows.empty() ? "" : "\n" + std::string(title) + "\n" + table(rows, kLeft);
}

Rows symbol_rows(const std::vector<SymbolDifference>& symbols) {
  Rows rows;
  for (const SymbolDifference& symbol : symbols) {
    const std::string change = symbol.a && symbol.b ? symbol_text(*symbol.a) + " -> " + symbol_text(*symbol.b)
                                                    : symbol_text(symbol.a ? *symbol.a : *symbol.b);
    rows.push_back({!symbol.a ? "+" : !symbol.b ? "-" : "~", one_line(symbol.name), one_line(change)});
  }
  return rows;
}

Rows block_rows(const StructureDifference& structure) {
  Rows rows;
  for (const BlockName& block : structure.blocks_removed) rows.push_back({"-", one_line(block.path), one_line(block.type)});
  for (const BlockName& block : structure.blocks_added) rows.push_back({"+", one_line(block.path), one_line(block.type)});
  for (const BlockDifference& block : structure.blocks_changed) {
    std::vector<std::string> changes;
    if (block.type) changes.push_back(absent_or(block.type->a) + " -> " + absent_or(block.type->b));
    if (block.label) changes.push_back("label: " + absent_or(block.label->a) + " -> " + absent_or(block.label->b));
    for (const ParamDifference& param : block.params)
      changes.push_back(param.name + ": " + absent_or(param.a) + " -> " + absent_or(param.b));
    for (std::size_t i = 0; i < changes.size(); ++i)
      rows.push_back({i == 0 ? "~" : "", i == 0 ? one_line(block.path) : "", one_line(changes[i])});
  }
  return rows;
}

Rows edge_rows(const StructureDifference& structure) {
  Rows rows;
  for (const WireName& wire : structure.edges_removed)
    rows.push_back({"-", one_line(wire.graph), one_line(wire.from + " -> " + wire.to)});
  for (const WireName& wire : structure.edges_added)
    rows.push_back({"+", one_line(wire.graph), one_line(wire.from + " -> " + wire.to)});
  return rows;
}

Rows definition_rows(const StructureDifference& structure) {
  Rows rows;
  for (const std::string& type : structure.definitions_removed) rows.push_back({"-", one_line(type)});
  for (const std::string& type : structure.definitions_added) rows.push_back({"+", one_line(type)});
  for (const std::string& type : structure.definitions_changed) rows.push_back({"~", one_line(type)});
  return rows;
}

}  // namespace

void write_json(Writer& out, const DiffReport& report) {
  const StructureDifference& structure = report.structure;
  const OperatingPoint& point = report.point;
  out.begin_object();
  out.key("a").string(report.a);
  out.key("b").string(report.b);
  out.key("identical").boolean(structure.identical());
  out.key("at").begin_object();
  out.key("T").number(point.T);
  out.key("B").number(point.B);
  write_number_or_null(out.key("S"), point.S > 0 ? std::optional(point.S) : std::nullopt);
  out.key("hardware").string(point.device.id);
  out.end_object();
  write_symbols(out.key("symbols"), structure.symbols);
  out.key("definitions").begin_object();
  write_names(out.key("added"), structure.definitions_added);
  write_names(out.key("removed"), structure.definitions_removed);
  write_names(out.key("changed"), structure.definitions_changed);
  out.end_object();
  out.key("blocks").begin_object();
  write_blocks(out.key("added"), structure.blocks_added);
  write_blocks(out.key("removed"), structure.blocks_removed);
  out.key("changed").begin_array();
  for (const BlockDifference& block : structure.blocks_changed) write_changed_block(out, block);
  out.end_array().end_object();
  out.key("edges").begin_object();
  write_wires(out.key("added"), structure.edges_added);
  write_wires(out.key("removed"), structure.edges_removed);
  out.end_object();
  out.key("metrics").begin_array();
  for (const MetricDifference& metric : report.metrics) write_metric(out, metric);
  out.end_array().end_object();
}

std::string diff_text(const DiffReport& report) {
  const OperatingPoint& point = report.point;
  std::string text = one_line(report.a) + " -> " + one_line(report.b) + " at T " + grouped_text(point.T) + ", B " +
                     grouped_text(point.B);
  if (point.S > 0) text += ", S " + grouped_text(point.S);
  text += ", " + point.device.name + "\n";
  if (report.structure.identical()) text += "The structure is identical.\n";
  text += section("Symbols", symbol_rows(report.structure.symbols));
  text += section("Definitions", definition_rows(report.structure));
  text += section("Blocks", block_rows(report.structure));
  text += section("Wires", edge_rows(report.structure));
  Rows metrics;
  for (const MetricDifference& metric : report.metrics)
    metrics.push_back({std::string(metric.label), amount_text(metric, metric.a), amount_text(metric, metric.b),
                       change_text(metric), ratio_text(metric)});
  return text + "\nFigures\n" + table(metrics);
}

}  // namespace roofbeam
