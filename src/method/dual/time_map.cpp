#include "method/dual/time_map.h"

#include <cmath>
#include <string>

#include "ampere/error.h"
#include "method/dual/width_features.h"

namespace ampere {

BlockTime TimeMap::operator()(const std::vector<std::int64_t>& features) const {
  check(features);
  BlockTime time;
  if (parts_.has_host) time.host_s = std::exp(parts_.host(launch_features(features)));
  if (const auto known = parts_.timed.find(features); known != parts_.timed.end()) {
    time.device_s = known->second;
    time.device_error = parts_.repeat_error;
    return time;
  }
  double log_time = 0;
  if (parts_.trees_weight < 1)
    log_time += (1 - parts_.trees_weight) * parts_.smooth(phase_features(features, parts_.taps));
  if (parts_.trees_weight > 0)
    log_time += parts_.trees_weight * (parts_.trend.dot(trend_features(features)) +
                                       parts_.steps(tile_features(features, parts_.taps)));
  time.device_s = std::exp(log_time);
  time.device_error = parts_.device_error;
  return time;
}

bool TimeMap::covers(const std::vector<std::int64_t>& features) const {
  check(features);
  if (parts_.timed.contains(features)) return true;
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features[i] < parts_.low[i] || features[i] > parts_.high[i]) return false;
  return true;
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
