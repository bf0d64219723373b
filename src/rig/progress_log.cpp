#include "rig/progress_log.h"

#include <algorithm>
#include <iterator>

namespace ampere {

void ProgressLog::add(Seconds time, std::int64_t more) {
  points_.push_back({std::max(time, end()), iterations() + more});
}

double ProgressLog::at(Seconds time) const {
  if (points_.size() < 2 || time >= end()) return static_cast<double>(iterations());
  const auto after =
      std::ranges::upper_bound(std::next(points_.begin()), points_.end(), time, {}, &Point::time);
  const Point &left = *std::prev(after), &right = *after;
  const double share = (time - left.time) / (right.time - left.time);
  return static_cast<double>(left.iterations) +
         share * static_cast<double>(right.iterations - left.iterations);
}

}  // namespace ampere
