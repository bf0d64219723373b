// How long one training step keeps the device and the host busy: milliseconds to find out, and no
// meter needed.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "ampere/units.h"

namespace ampere {

struct Timing {
  double device_s = 0;  // a step, with the device never waiting for the host
  // Handing a step to the device. Absent where the device is the host itself: then all of it is in
  // device_s.
  std::optional<double> host_s;
  Seconds elapsed{};  // all of it: building, warming up, timing
};

// Two networks trained by turns of some hundredths of a second: what slows the host down for a
// while slows both, so that their ratio is steady where neither time is.
struct Pace {
  double time_s = 0, reference_s = 0;  // an iteration of each
  std::string reference = {};          // hash of the other one's model, where it is known
  Seconds elapsed{};
};

// Whether both networks have a time: without, a pace says nothing of the host.
bool has_times(const Pace& pace);

// The time of an iteration with the reference at its usual time. A network that waits for the host
// takes as much longer than usual as the reference beside it does; one that waits for the device
// does not. `device_s` is the network's, where it is known; on a synchronous device it is not. The
// pace must have times.
double steady_time_s(const Pace& pace, double usual_reference_s, std::optional<double> device_s);

// How much longer than usual a host takes that needed these times for the reference lately: the
// last few foretell the next one best. Throws nothing; 1 without any.
inline constexpr std::size_t kLatestPaces = 4;
double slowdown_by(std::span<const double> latest_s, double usual_s);

}  // namespace ampere
