#include "fleet/drift.h"

#include "ampere/error.h"

namespace ampere {

std::optional<double> EnergyDrift::energy() const {
  if (!(estimated_j > 0)) return std::nullopt;
  return measured_j / estimated_j - 1;
}

std::map<std::string, EnergyDrift> drift_of_jobs(std::span<const FleetJob> jobs) {
  std::map<std::string, EnergyDrift> drifts;
  for (const FleetJob& job : jobs) {
    if (job.steady.iterations <= 0 || job.iterations <= 0) continue;
    EnergyDrift& drift = drifts[job.kind];
    ++drift.jobs;
    drift.measured_j += job.steady.energy.value;
    drift.estimated_j += job.energy_j.mean * static_cast<double>(job.steady.iterations) /
                         static_cast<double>(job.iterations);
  }
  return drifts;
}

void add_checks(EnergyDrift& drift, const Session& session, const ProfileRow& profile) {
  for (const Observation& check :
       session.store().find({.profile = profile.id, .purpose = Purpose::check})) {
    if (!check.measurement) continue;
    ProfileQuery query;
    query.setup = profile.setup;
    query.profile = std::to_string(profile.id);
    const Estimate estimate = session.estimate(check.model, query, {}).estimate;
    if (!estimate.energy_j_per_iteration) continue;
    ++drift.checks;
    drift.measured_j += check.measurement->energy_j.mean;
    drift.estimated_j += estimate.energy_j_per_iteration->mean;
  }
}

}  // namespace ampere
