// The dearest operations of a program, timed on the device itself.
#pragma once

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
// At most `count` of those that the profile does not know exactly. Throws as Rig::time does.
TimedDearest time_dearest(const Program& program, const OperationsProfile& profile, Rig& rig,
                          std::size_t count);

}  // namespace ampere
