// A rig that answers from the recording of a device, so that accuracy can be tested on real
// measurements without the device.
#pragma once

#include <memory>
#include <string>

#include "ampere/rig.h"

namespace ampere {

// Reads what make_recording_rig wrote, plain or gzip-compressed. Answers are found by the hash of
// the network and the setup, or by the file name, function and arguments of the script, and given
// in the order in which they were recorded. After the last one it is repeated: a measurement then
// says so in its notes, and warnings() counts all repeats. Recorded failures throw Error(failed)
// again. The precision asked for is ignored. What is not in the recording throws Error(unknown).
// Operations are found one by one; one that was never timed has a text instead of its time, and
// only a recording without any throws Error(unknown). Opening throws Error(unknown) when there is
// no such file and Error(usage) naming the line when it is not a recording or is damaged.
std::unique_ptr<Rig> open_recorded_rig(const std::string& path);

}  // namespace ampere
