// The ways a machine can run a network, by the names people give them.
#pragma once

#include <string>
#include <vector>

#include "ampere/store.h"
#include "options.h"

namespace ampere {

struct Delegate {
  std::string name;  // CPU (all threads), CPU1, GPU, GPU1, …
  std::string rig;   // cpu, cpu:1, cuda:0, cuda:1, …
};

// Those of the rig that was chosen: of `local` the machine's, of any other one delegate. `wishes`
// are names; without them CPU1, CPU and, where there is one, GPU; a rig that is no processor or GPU
// of this machine is called "device". Throws Error(usage) for a name that means nothing here.
std::vector<Delegate> delegates_of(const RigSelection& rig, const std::vector<std::string>& wishes);

// What a machine is called unless its user says otherwise: as the store has it, else as its
// processor, or as the rig calls its device where that is another one.
std::string machine_name(const RigSelection& rig, const Delegate& delegate,
                         const DeviceInfo& device, const Store& store);

}  // namespace ampere
