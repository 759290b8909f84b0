#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/units.h"

namespace roofbeam {

enum class Topology : std::uint8_t {
  clos,      // switched: any two ranks at the level's bandwidth
  full_mesh  // point to point: a group uses the links among its own members alone
};

// One dimension of a grid of devices: what links ranks that differ in it.
struct GridLevel {
  std::int64_t size = 2;  // at least 2
  Topology topology = Topology::clos;
  BytesPerSecond bandwidth;  // of one device, one way
  Seconds latency;           // of one step of a collective
  double efficiency = 1;     // share of the bandwidth that collectives reach
};

// Devices as a grid, outermost dimension first (nodes, boards, dies).
struct Grid {
  std::vector<GridLevel> levels;
  [[nodiscard]] std::int64_t devices() const;
};

// Where a rank stands in the grid: outermost first, the innermost counting fastest. What exceeds
// the grid goes on in the outermost dimension.
[[nodiscard]] std::vector<std::int64_t> coordinates(const Grid& grid, std::int64_t rank);

// The outermost dimension in which ranks of a group differ: the slowest link it has to cross. The
// innermost one where they do not differ.
[[nodiscard]] std::size_t level_between(const Grid& grid, std::span<const std::int64_t> ranks);

// What links a group of ranks.
struct Link {
  Seconds latency;
  BytesPerSecond bandwidth;  // that a collective among them reaches
};

// bandwidth * efficiency, times (g - 1) / (G - 1) in a full mesh of G devices from that level
// inwards, of whose links a group of g uses those to its own members.
[[nodiscard]] Link link_of(const Grid& grid, std::span<const std::int64_t> ranks);

// Between two ranks alone: without the full mesh's factor.
[[nodiscard]] Link point_to_point(const Grid& grid, std::int64_t from, std::int64_t to);

}  // namespace roofbeam
