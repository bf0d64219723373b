// How the parts of a map become the times of a block.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "method/dual/time_map.h"
#include "method/dual/width_features.h"

namespace ampere {

// `host` and `smooth` give logarithms by the processes, `steps` what the trees add to the trend.
// Each is asked only where it matters. `timed_s` is what was timed of this very block, if anything.
template <class Host, class Smooth, class Steps>
BlockTime mixed_time(const TimeMap::Parts& parts, const std::vector<std::int64_t>& features,
                     const double* timed_s, const Host& host, const Smooth& smooth,
                     const Steps& steps) {
  BlockTime time;
  if (parts.has_host) time.host_s = std::exp(host());
  if (timed_s != nullptr) {
    time.device_s = *timed_s;
    time.device_error = parts.repeat_error;
    return time;
  }
  double log_time = 0;
  if (parts.trees_weight < 1) log_time += (1 - parts.trees_weight) * smooth();
  if (parts.trees_weight > 0)
    log_time += parts.trees_weight * (parts.trend.dot(trend_features(features)) + steps());
  time.device_s = std::exp(log_time);
  time.device_error = parts.device_error;
  return time;
}

}  // namespace ampere
