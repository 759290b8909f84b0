#include "engine/report/published.h"

#include <algorithm>
#include <cmath>

#include "engine/base/quantity_text.h"
#include "engine/report/fields.h"
#include "engine/report/text_report.h"

namespace roofbeam {
namespace {

void write_figure(json::Writer& out, std::string_view key, const PublishedFigure& figure) {
  out.key(key).begin_object();
  out.key("computed").number(figure.computed);
  write_number_or_null(out.key("published"), figure.published);
  write_number_or_null(out.key("relative_difference"), figure.difference());
  out.end_object();
}

std::string difference_text(const PublishedFigure& figure) {
  const std::optional<double> difference = figure.difference();
  if (!difference) return "";
  if (*difference == 0) return "exact";
  return (*difference > 0 ? "+" : "-") + percent_text(std::abs(*difference), 3);
}

}  // namespace

std::optional<double> PublishedFigure::difference() const {
  if (!published || !(*published > 0)) return std::nullopt;
  return (computed - *published) / *published;
}

bool PublishedComparison::ok() const {
  return std::ranges::all_of(
      std::initializer_list<const PublishedFigure*>{&params, &active_params, &kv_bytes_per_token},
      [&](const PublishedFigure* figure) {
        const std::optional<double> difference = figure->difference();
        return !difference || std::abs(*difference) < tolerance;
      });
}

void write_json(json::Writer& out, const std::vector<PublishedComparison>& designs) {
  out.begin_object().key("ok").boolean(std::ranges::all_of(designs, &PublishedComparison::ok));
  out.key("designs").begin_array();
  for (const PublishedComparison& design : designs) {
    out.begin_object();
    out.key("name").string(design.name);
    out.key("ok").boolean(design.ok());
    write_figure(out, "params", design.params);
    write_figure(out, "active_params", design.active_params);
    write_figure(out, "kv_bytes_per_token", design.kv_bytes_per_token);
    out.key("tolerance").number(design.tolerance);
    write_text_or_null(out.key("source"), design.source);
    out.end_object();
  }
  out.end_array().end_object();
}

std::string published_text(const std::vector<PublishedComparison>& designs) {
  std::vector<std::vector<std::string>> rows{{"", "parameters", "published", "apart", "active",
                                              "published", "apart", "cache/token", "published",
                                              "apart"}};
  std::size_t apart = 0;
  for (const PublishedComparison& design : designs) {
    std::vector<std::string> row{one_line(design.name)};
    for (const PublishedFigure* figure :
         {&design.params, &design.active_params, &design.kv_bytes_per_token}) {
      row.push_back(grouped_text(figure->computed));
      row.push_back(figure->published ? grouped_text(*figure->published) : "");
      row.push_back(difference_text(*figure));
    }
    if (!design.ok()) {
      ++apart;
      row.push_back("beyond " + percent_text(design.tolerance, 2));
    }
    rows.push_back(std::move(row));
  }
  return table(rows) + "\n" + std::to_string(designs.size() - apart) + " of " +
         std::to_string(designs.size()) + " within the tolerance of what was published\n";
}

}  // namespace roofbeam
