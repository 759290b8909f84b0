#include "engine/device/grid.h"

#include <algorithm>
#include <array>

namespace roofbeam {
namespace {

std::int64_t devices_from(const Grid& grid, std::size_t level) {
  std::int64_t devices = 1;
  for (std::size_t i = level; i < grid.levels.size(); ++i) devices *= grid.levels[i].size;
  return devices;
}

}  // namespace

std::int64_t Grid::devices() const { return devices_from(*this, 0); }

std::vector<std::int64_t> coordinates(const Grid& grid, std::int64_t rank) {
  std::vector<std::int64_t> place(grid.levels.size());
  for (std::size_t i = grid.levels.size(); i-- > 1;) {
    place[i] = rank % grid.levels[i].size;
    rank /= grid.levels[i].size;
  }
  if (!place.empty()) place[0] = rank;
  return place;
}

std::size_t level_between(const Grid& grid, std::span<const std::int64_t> ranks) {
  std::size_t level = grid.levels.size() - 1;
  if (ranks.empty()) return level;
  const std::vector<std::int64_t> first = coordinates(grid, ranks.front());
  for (const std::int64_t rank : ranks.subspan(1)) {
    const std::vector<std::int64_t> place = coordinates(grid, rank);
    const auto differing = std::ranges::mismatch(first, place).in1 - first.begin();
    level = std::min(level, static_cast<std::size_t>(differing));
  }
  return level;
}

Link link_of(const Grid& grid, std::span<const std::int64_t> ranks) {
  const std::size_t between = level_between(grid, ranks);
  const GridLevel& level = grid.levels[between];
  BytesPerSecond bandwidth = level.bandwidth * level.efficiency;
  if (level.topology == Topology::full_mesh)
    bandwidth = bandwidth * (static_cast<double>(ranks.size()) - 1) /
                (static_cast<double>(devices_from(grid, between)) - 1);
  return {level.latency, bandwidth};
}

Link point_to_point(const Grid& grid, std::int64_t from, std::int64_t to) {
  const std::array ranks{from, to};
  const GridLevel& level = grid.levels[level_between(grid, ranks)];
  return {level.latency, level.bandwidth * level.efficiency};
}

}  // namespace roofbeam
