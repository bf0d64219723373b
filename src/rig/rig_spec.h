// Texts that name rigs.
#pragma once

#include <string>

namespace ampere {

// The rig "torch" on the device that `spec` names: "cpu" becomes "torch:cpu". A spec that does not
// name a device of this machine stays as it is. Throws Error(usage) for a malformed one.
std::string torch_rig_of(const std::string& spec);

}  // namespace ampere
