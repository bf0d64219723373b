#include "method/kernels/predict/other_host.h"

#include <algorithm>
#include <cmath>

#include "ampere/measurement.h"
#include "record/host_bound.h"

namespace ampere {
namespace {

// Energies and times of kernels that wait for the host err alike, so that the deviation of the
// change adds to that of the whole. That the host changes kernels unevenly has nothing to do with
// either.
void add_change(Quantity& total, double change, double alike_sd, double uneven_sd) {
  total.stddev = std::hypot(std::max(0.0, assumed_error(total) + alike_sd), uneven_sd);
  total.mean += change;
}

}  // namespace

void put_on(const OtherHost& host, std::span<const std::optional<double>> device_s,
            std::vector<Part>& parts, Quantity& energy, Quantity& time) {
  double longer_s = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Quantity &part_s = parts[i].time_s.value(), &part_j = parts[i].energy_j.value();
    if (part_s.mean <= 0) continue;
    const std::optional<double> device = i < device_s.size() ? device_s[i] : std::nullopt;
    const double slowed_s = time_on_host(part_s.mean, host.slowdown * part_s.mean, device);
    const double change_s = slowed_s - part_s.mean;
    const double alike_sd = change_s / part_s.mean * assumed_error(part_s);
    add_change(part_s, change_s, alike_sd, 0);
    add_change(part_j, host.ready_w * change_s, host.ready_w * alike_sd, 0);
    longer_s += change_s;
  }
  if (time.mean <= 0) return;
  const double alike_sd = longer_s / time.mean * assumed_error(time);
  const double uneven_sd = kUnevenChange * std::abs(longer_s);
  add_change(time, longer_s, alike_sd, uneven_sd);
  add_change(energy, host.ready_w * longer_s, host.ready_w * alike_sd, host.ready_w * uneven_sd);
}

}  // namespace ampere
