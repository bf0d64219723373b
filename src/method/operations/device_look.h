// The dearest operations of programs, timed on the device itself.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ampere/rig.h"
#include "method/operations/program_estimate.h"

namespace ampere {

// Whether the trace of the program was a look at it on such a device, which leaves nothing to time.
bool was_seen_on(const Program& program, const DeviceInfo& device);

struct TimedDearest {
  std::vector<TimedOperation> timed;
  std::vector<std::string> failures;  // "convolution (out of memory)"
};
// At most `count` of those that the profile does not know exactly, by their share of the device's
// time of a program, added up over all programs. What several of them call is timed once. Throws as
// Rig::time does.
TimedDearest time_dearest(std::span<const Program> programs, const OperationsProfile& profile,
                          Rig& rig, std::size_t count);

}  // namespace ampere
