// The time of an iteration from that of the host and that of the device, which overlap:
//   T = ((k h)^p + (S + o)^p)^(1/p), a smooth maximum.
#pragma once

#include <span>

namespace ampere {

struct StepTimeLaw {
  double host_scale = 1;  // k
  double power = 6;       // p
  double gap_s = 0;       // o: the device idles between iterations

  double seconds(double host_s, double device_s) const;
};

struct StepTimeRow {
  double host_s = 0, device_s = 0, time_s = 0;
};
// The least mean relative error on a grid of all three. The defaults without rows.
StepTimeLaw fit_step_time(std::span<const StepTimeRow> rows);

}  // namespace ampere
