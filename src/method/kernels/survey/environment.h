// A device and how it was run, as the lines above a table.
#pragma once

#include <map>
#include <string>

#include "method/kernels/survey.h"

namespace ampere {

using Environment = std::map<std::string, std::string>;

Environment environment_of(const DeviceInfo& device, const Setup& setup,
                           const std::optional<FusionFindings>& findings);

// Throw Error(usage) naming the line's key for what cannot be read.
DeviceInfo device_of(const Environment& environment);
Setup setup_of(const Environment& environment);
// Nothing where it says neither rules nor overhead.
std::optional<FusionFindings> findings_of(const Environment& environment);

}  // namespace ampere
