#include "decide/front.h"

#include <algorithm>

namespace ampere {
namespace {

bool beats(const TimeEnergy& one, const TimeEnergy& other) {
  return one.time <= other.time && one.energy <= other.energy &&
         (one.time < other.time || one.energy < other.energy);
}

}  // namespace

std::vector<bool> pareto_front(std::span<const TimeEnergy> points) {
  std::vector<bool> front;
  for (const TimeEnergy& point : points)
    front.push_back(
        std::ranges::none_of(points, [&](const TimeEnergy& other) { return beats(other, point); }));
  return front;
}

std::optional<std::size_t> knee_of(std::span<const TimeEnergy> front) {
  if (front.size() < 3) return std::nullopt;
  const auto fastest = std::ranges::min_element(front, {}, &TimeEnergy::time);
  const auto thriftiest = std::ranges::min_element(front, {}, &TimeEnergy::energy);
  const double width = thriftiest->time - fastest->time;
  const double height = fastest->energy - thriftiest->energy;
  if (!(width > 0 && height > 0)) return std::nullopt;
  std::optional<std::size_t> knee;
  double most = 0;
  for (std::size_t i = 0; i < front.size(); ++i) {
    // The line runs from (0, 1) to (1, 0).
    const double depth = 1 - (front[i].time - fastest->time) / width -
                         (front[i].energy - thriftiest->energy) / height;
    if (depth > most) {
      most = depth;
      knee = i;
    }
  }
  return knee;
}

}  // namespace ampere
