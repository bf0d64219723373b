// How far reality has moved away from the profile of a kind.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "ampere/session.h"
#include "fleet/fleet_job.h"

namespace ampere {

// Measured energy per iteration over the estimated one, less 1: all of them together, the long ones
// with more weight. Only iterations count: what else a job does, such as building its network and
// waiting for the meter, is no drift.
struct EnergyDrift {
  std::int64_t jobs = 0, checks = 0;
  double measured_j = 0, estimated_j = 0;

  std::optional<double> energy() const;  // absent before anything was compared
};

// By kind, of the iterations that were measured by themselves. Nobody counts those of a command,
// and a job of a few seconds has none.
std::map<std::string, EnergyDrift> drift_of_jobs(std::span<const FleetJob> jobs);

// Adds the networks that were measured to check this profile.
void add_checks(EnergyDrift& drift, const Session& session, const ProfileRow& profile);

}  // namespace ampere
