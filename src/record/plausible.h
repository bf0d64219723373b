// Bounds on what a device can report. A meter or a runner that is broken reports anything, and one
// absurd energy would bend everything that is fitted to it.
#pragma once

#include <string>

#include "ampere/measurement.h"

namespace ampere {

// Throws Error(failed) that says what is absurd: a power above what a device behind this meter (as
// DeviceInfo names it) can draw, or a time longer than anybody waits.
void require_plausible(const Window& window, const std::string& meter);
void require_plausible(const Measurement& measurement, const std::string& meter);

// Throws Error(failed) when the means of a measurement are not those of its windows, or a window
// that counts has no iterations, time or energy: the runner is broken, or lies.
void require_own_windows(const Measurement& measurement);

void require_plausible(const Timing& timing);
void require_plausible(const Pace& pace);

}  // namespace ampere
