#include "engine/report/scaling.h"

#include <cmath>

#include "engine/base/quantity_text.h"
#include "engine/base/text.h"
#include "engine/graph/elaboration.h"
#include "engine/report/text_report.h"

namespace roofbeam {
namespace {

void write_notes(json::Writer& out, const std::vector<std::string>& notes) {
  out.key("notes").begin_array();
  for (const std::string& note : notes) out.string(note);
  out.end_array();
}

// Values of the design's own symbols.
void write_symbols(json::Writer& out, const Document& document) {
  const Elaboration design = elaborate(document);
  out.key("symbols").begin_object();
  for (const SymbolDefinition& symbol : document.symbols)
    if (const auto id = design.scope.find(symbol.name); id && symbol.kind == SymbolKind::design)
      out.key(symbol.name).number(design.scope.value(*id));
  out.end_object();
}

void write_changes(json::Writer& out, const std::vector<SymbolChange>& changes) {
  out.key("changes").begin_object();
  for (const SymbolChange& change : changes)
    out.key(change.symbol).begin_array().number(change.from).number(change.to).end_array();
  out.end_object();
}

std::string change_rows(const std::vector<SymbolChange>& changes) {
  std::vector<std::vector<std::string>> rows;
  for (const SymbolChange& change : changes)
    rows.push_back({change.symbol, shortest(change.from), "->", shortest(change.to)});
  return table(rows);
}

std::string note_lines(const std::vector<std::string>& notes) {
  std::string text = notes.empty() ? "" : "\n";
  for (const std::string& note : notes) text += note + "\n";
  return text;
}

// "unchanged", or "x0.7071": four significant digits.
std::string factor_text(double factor) {
  if (factor == 1) return "unchanged";
  const int digits = 3 - static_cast<int>(std::floor(std::log10(factor)));
  std::string text = fixed(factor, std::max(0, digits));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return "x" + text;
}

}  // namespace

void write_json(json::Writer& out, std::string_view name, const Ladder& ladder) {
  out.begin_object().key("name").string(name);
  out.key("base_width").number(ladder.base_width);
  out.key("head_dim").number(ladder.head_dim);
  out.key("rungs").begin_array();
  for (const Rung& rung : ladder.rungs) {
    out.begin_object();
    out.key("width").number(rung.width);
    out.key("heads").number(rung.heads);
    out.key("multiplier").number(rung.multiplier);
    out.key("params").number(rung.params);
    out.key("base").boolean(rung.base);
    for (const ClassScaling& row : rung.scaling)
      if (row.width_class != WidthClass::input)
        out.key(roofbeam::name(row.width_class))
            .begin_array()
            .number(row.init_std)
            .number(row.adam_lr)
            .end_array();
    out.key("classes").begin_object();
    for (const ClassScaling& row : rung.scaling) {
      out.key(roofbeam::name(row.width_class)).begin_array();
      for (const std::string& path : row.paths) out.string(path);
      out.end_array();
    }
    out.end_object();
    write_symbols(out, rung.document);
    out.key("pytorch").string(parameter_groups(ladder, rung));
    out.key("doc").value(to_json(rung.document));
    write_notes(out, rung.notes);
    out.end_object();
  }
  out.end_array();
  write_notes(out, ladder.notes);
  out.end_object();
}

std::string ladder_text(std::string_view name, const Ladder& ladder) {
  std::string text = one_line(name) + " laddered by D\n" + std::to_string(ladder.rungs.size()) +
                     (ladder.rungs.size() == 1 ? " rung" : " rungs") + ", tuned at " +
                     shortest(ladder.base_width) + ", heads of " + shortest(ladder.head_dim) +
                     " throughout.\n\n";
  std::vector<std::vector<std::string>> rungs;
  for (const Rung& rung : ladder.rungs)
    rungs.push_back({rung.base ? "base" : "", shortest(rung.width) + " wide",
                     shortest(rung.heads) + " heads", count_text(rung.params),
                     "m = " + shortest(rung.multiplier)});
  text += table(rungs);
  std::vector<std::vector<std::string>> rows{{""}};
  for (const Rung& rung : ladder.rungs) rows[0].push_back(shortest(rung.width));
  for (std::size_t i = 0; i < 3; ++i) {
    if (ladder.rungs.front().scaling[i].paths.empty()) continue;
    rows.push_back({std::string(roofbeam::name(static_cast<WidthClass>(i)))});
    rows.push_back({"  init"});
    rows.push_back({"  rate"});
    for (const Rung& rung : ladder.rungs) {
      rows[rows.size() - 2].push_back(factor_text(rung.scaling[i].init_std));
      rows.back().push_back(factor_text(rung.scaling[i].adam_lr));
    }
  }
  text += "\nMultiply the base model's settings by\n" + table(rows);
  std::vector<std::string> notes;
  for (const Rung& rung : ladder.rungs)
    notes.insert(notes.end(), rung.notes.begin(), rung.notes.end());
  notes.insert(notes.end(), ladder.notes.begin(), ladder.notes.end());
  return text + note_lines(notes);
}

void write_json(json::Writer& out, const Scaled& scaled) {
  out.begin_object().key("name").string(scaled.document.meta.name);
  out.key("achieved").number(scaled.achieved);
  out.key("total").number(scaled.params.total);
  write_changes(out, scaled.changes);
  write_symbols(out, scaled.document);
  out.key("doc").value(to_json(scaled.document));
  write_notes(out, scaled.notes);
  out.end_object();
}

std::string scaled_text(const Scaled& scaled) {
  return one_line(scaled.document.meta.name) + "\n" + count_text(scaled.params.total) +
         " parameters, " + count_text(scaled.params.non_embedding()) + " without embeddings\n\n" +
         change_rows(scaled.changes) + note_lines(scaled.notes);
}

void write_json(json::Writer& out, const NewDesign& design) {
  out.begin_object().key("name").string(design.document.meta.name);
  out.key("params").number(design.params.total);
  out.key("target").number(design.target);
  out.key("tied").boolean(design.tied);
  out.key("train_bytes").number(design.train_bytes.value);
  out.key("budget_bytes");
  if (design.budget)
    out.number(design.budget->value);
  else
    out.null();
  out.key("fits");
  if (design.budget)
    out.boolean(design.train_bytes <= *design.budget);
  else
    out.null();
  write_changes(out, design.sizes);
  write_symbols(out, design.document);
  out.key("doc").value(to_json(design.document));
  write_notes(out, design.notes);
  out.end_object();
}

std::string new_design_text(const NewDesign& design) {
  std::string text = one_line(design.document.meta.name) + "\n" + count_text(design.params.total) +
                     " parameters; training takes " + bytes_text(design.train_bytes) +
                     " on one device";
  if (design.budget) text += " of the " + bytes_text(*design.budget) + " given";
  return text + ".\n\n" + change_rows(design.sizes) + note_lines(design.notes);
}

}  // namespace roofbeam
