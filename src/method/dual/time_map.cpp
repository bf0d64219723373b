#include "method/dual/time_map.h"

#include <string>

#include "ampere/error.h"
#include "method/dual/mixed_time.h"

namespace ampere {

BlockTime TimeMap::operator()(const std::vector<std::int64_t>& features) const {
  check(features);
  return mixed_time(
      parts_, features, timed(features), [&] { return parts_.host(launch_features(features)); },
      [&] { return parts_.smooth(phase_features(features, parts_.taps)); },
      [&] { return parts_.steps(tile_features(features, parts_.taps)); });
}

bool TimeMap::covers(const std::vector<std::int64_t>& features) const {
  check(features);
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features[i] < parts_.low[i] || features[i] > parts_.high[i])
      return timed(features) != nullptr;
  return true;
}

const double* TimeMap::timed(const std::vector<std::int64_t>& features) const {
  const auto found = parts_.timed.find(features);
  return found == parts_.timed.end() ? nullptr : &found->second;
}

Eigen::Index TimeMap::tile_columns(std::size_t features) {
  return tile_features(std::vector<std::int64_t>(features, 1), 1).size();
}

void TimeMap::learn(const TimedPoint& point) {
  check(point.features);
  parts_.timed[point.features] = point.device_s;
}

void TimeMap::check(const std::vector<std::int64_t>& features) const {
  if (features.size() != parts_.low.size())
    throw Error(ErrorCode::usage,
                "the dual model has a map of " + std::to_string(parts_.low.size()) +
                    " widths for a block that has " + std::to_string(features.size()) +
                    "; profile again",
                Remedy::profile);
}

}  // namespace ampere
