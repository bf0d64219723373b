// The time of an iteration from that of the host and that of the device, which overlap:
//   T = ((k h)^p + (c S + o)^p)^(1/p), a smooth maximum.
#pragma once

#include <span>

namespace ampere {

struct StepTimeLaw {
  double host_scale = 1;  // k
  double power = 6;       // p
  double gap_s = 0;       // o: the device idles between iterations
  double in_turn = 1;     // c: operations in turn beside the same ones alone

  double seconds(double host_s, double device_s) const;
};

struct StepTimeRow {
  double host_s = 0, device_s = 0, time_s = 0;
};
// How PyTorch and a GPU overlap: what 160 training steps of 24 networks on H200s had in common,
// whose host and operations were measured just before.
StepTimeLaw usual_step_time();

// The law on a grid that has the least mean relative error, where the usual law counts like some
// more rows. On a CPU, where no row has a host, the usual law does not count. There an operation
// that is timed alone finds its data in the caches, and one among others does not, so that in_turn
// is at least 1. Without rows it is the default law.
StepTimeLaw fit_step_time(std::span<const StepTimeRow> rows);

}  // namespace ampere
