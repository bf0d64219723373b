// Answers from a recording of a device, so that accuracy is tested on real measurements without it.
#pragma once

#include <memory>
#include <string>

#include "ampere/rig.h"

namespace ampere {

// Reads what make_recording_rig wrote, plain or gzip-compressed. A network is answered by its hash
// and setup: repeated measurements in the order they were recorded, then the last one again;
// recorded failures throw Error(failed) again. The precision asked for is not looked at. A network
// that is not there throws Error(unknown). Opening throws Error(unknown) when there is no such file
// and Error(usage) naming the line when it is not a recording or is damaged.
std::unique_ptr<Rig> open_recorded_rig(const std::string& path);

}  // namespace ampere
