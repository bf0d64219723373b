// Recordings that know how they were made.
#pragma once

#include <memory>
#include <string>

#include "ampere/rig.h"

namespace ampere {

// As make_recording_rig(rig, path). `repeat_with` is a command to which the path of a recording can
// be appended so that it asks the same questions again; a new recording keeps it and names it where
// it is asked something else.
std::unique_ptr<Rig> make_recording_rig(std::unique_ptr<Rig> rig, const std::string& path,
                                        const std::string& repeat_with);

}  // namespace ampere
