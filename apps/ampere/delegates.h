// The ways in which a machine can run a network (delegates), by their usual names.
#pragma once

#include <string>
#include <vector>

#include "ampere/session.h"
#include "options.h"

namespace ampere {

struct Delegate {
  std::string name;  // CPU (all threads), CPU1, GPU, GPU1, …
  std::string rig;   // cpu, cpu:1, cuda:0, cuda:1, …
};

// The delegates of a rig: those of the machine for `local`, one for any other rig. `names` chooses
// among them; when empty: CPU1, CPU and, where there is one, GPU. The delegate of a rig that is
// neither a CPU nor a GPU of this machine is called "device". Throws Error(usage) for an unknown
// name.
std::vector<Delegate> delegates_of(const RigSelection& rig, const std::vector<std::string>& names);

// The default name of a machine: its name in the store, else that of its processor, else that of
// the rig's device.
std::string machine_name(const RigSelection& rig, const Delegate& delegate,
                         const DeviceInfo& device, const Session& session);

}  // namespace ampere
