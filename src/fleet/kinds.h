// The kinds of devices of a fleet as they are now: how many there are, and which profile says what
// they cost.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "fleet/fleet_file.h"
#include "fleet/slurm.h"

namespace ampere {

struct KindNow {
  KindSpec spec;
  std::vector<std::string> nodes;  // that have it, usable or not; empty without Slurm
  std::int64_t count = 0;          // devices that jobs can be planned on
};

// Without nodes (no Slurm here) every kind needs a count in the file. Throws Error(unknown) naming
// the kind when no node has its feature or GRES, and Error(usage) when its count cannot be known.
std::vector<KindNow> kinds_now(const FleetFile& fleet,
                               std::optional<std::span<const SlurmNode>> nodes);

// Which device was found on nodes of a kind when they were profiled, by kind: its fingerprint.
using DeviceOfKind = std::map<std::string, std::string>;

// Asks for the profile of a kind: of a simulated or recorded device by the rig itself, of a real
// one by the device that was found there. Nothing where the kind was never profiled.
std::optional<ProfileQuery> profile_query(const KindSpec& kind, const DeviceOfKind& devices,
                                          const Setup& setup);

// Whether the rig stands for a device that is not there.
bool is_simulated_rig(const std::string& rig);

}  // namespace ampere
