#pragma once

#include <string>
#include <string_view>

#include "engine/json/writer.h"
#include "engine/plan/plan.h"

namespace roofbeam {

// A search for plans, with what it was asked.
struct PlanReport {
  std::string name;  // of the design
  PlanRequest request;
  PlanSearch search;
};

// {name, hardware, gpus, ..., budget_bytes, considered, fit_count, fits, closest, notes}
void write_json(json::Writer& out, const PlanReport& report);

[[nodiscard]] std::string plan_text(const PlanReport& report);

}  // namespace roofbeam
