// What leaves the machine: values without commands, paths and the words of child processes, which
// name users, hosts and folders (SECURITY.md).
#pragma once

#include "ampere/store.h"

namespace ampere {

DeviceInfo shareable(DeviceInfo device);  // with its fingerprint computed again
Observation shareable(Observation observation);
BlockTiming shareable(BlockTiming timing);
ProfileRow shareable(ProfileRow row);

}  // namespace ampere
