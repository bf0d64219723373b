// Points of time against energy, of which less is better.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ampere {

struct TimeEnergy {
  double time = 0, energy = 0;
};

// Which of the points no other beats: as good in both and better in one.
std::vector<bool> pareto_front(std::span<const TimeEnergy> points);

// Of the points of a front the one that lies farthest below the straight line between its fastest
// and its most economical one, with both axes scaled to these. Nothing where the front has fewer
// than three points, or none of them is below the line.
std::optional<std::size_t> knee_of(std::span<const TimeEnergy> front);

}  // namespace ampere
