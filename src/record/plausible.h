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
void require_plausible(const Timing& timing);
void require_plausible(const Pace& pace);

}  // namespace ampere
