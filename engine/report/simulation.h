#pragma once

#include <string>
#include <string_view>

#include "engine/json/writer.h"
#include "engine/simulate/simulate.h"

namespace roofbeam {

// What the table of operators shows beside times.
struct SimulationView {
  bool input_shapes = false;  // rows are told apart by the shapes of their operands
  bool bounds = false;        // and by what holds them up, with the share of each part
};

// {total_s, execution_time_s, tps_per_device, memory, bounds, stages, ops, signatures, warnings};
// total_s, ops and signatures are the last stage's, as the reference prints them, every stage has
// its own.
void write_json(json::Writer& out, const Simulation& simulation);

// The table of operators and the summary below it.
[[nodiscard]] std::string simulation_text(const Simulation& simulation, const SimulationView& view);

// The table of operators as comma-separated values, seconds in full.
[[nodiscard]] std::string simulation_csv(const Simulation& simulation, const SimulationView& view);

}  // namespace roofbeam
