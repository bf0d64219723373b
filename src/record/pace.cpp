#include <algorithm>

#include "ampere/measurement.h"
#include "base/stats.h"
#include "record/host_bound.h"

namespace ampere {

bool has_times(const Pace& pace) { return pace.time_s > 0 && pace.reference_s > 0; }

double time_on_host(double time_s, double waiting_s, std::optional<double> device_s) {
  if (device_s && time_s <= kHostBound * *device_s) return time_s;
  return device_s && waiting_s < *device_s ? *device_s : waiting_s;
}

double steady_time_s(const Pace& pace, double usual_reference_s, std::optional<double> device_s) {
  return time_on_host(pace.time_s, pace.time_s * usual_reference_s / pace.reference_s, device_s);
}

double slowdown_by(std::span<const double> latest_s, double usual_s) {
  if (latest_s.empty()) return 1;
  return mean(latest_s.last(std::min(latest_s.size(), kLatestPaces))) / usual_s;
}

}  // namespace ampere
