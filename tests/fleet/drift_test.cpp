#include "fleet/drift.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

// Estimated at 2 J per iteration.
FleetJob job_of(const std::string& kind, SteadyWork steady) {
  FleetJob job;
  job.kind = kind;
  job.state = JobState::finished;
  job.source = Source::measured;
  job.iterations = job.iterations_done = 1000;
  job.energy_j = {2000, 1900, 2100, 0.95};
  job.spent = {2500};
  job.steady = steady;
  return job;
}

TEST(FleetDrift, IsOfIterationsAloneNotOfWhatElseAJobDoes) {
  const std::vector<FleetJob> jobs{job_of("xavier", {800, {1600}})};
  const EnergyDrift drift = drift_of_jobs(jobs).at("xavier");
  EXPECT_EQ(drift.jobs, 1);
  EXPECT_NEAR(drift.energy().value(), 0, 1e-12);
}

TEST(FleetDrift, WeighsLongJobsMoreAndKeepsKindsApart) {
  const std::vector<FleetJob> jobs{job_of("xavier", {900, {900 * 2.2}}),
                                   job_of("xavier", {100, {100 * 2.0}}),
                                   job_of("tx2", {500, {500 * 1.0}})};
  const auto drifts = drift_of_jobs(jobs);
  EXPECT_NEAR(drifts.at("xavier").energy().value(), 0.09, 1e-12);
  EXPECT_NEAR(drifts.at("tx2").energy().value(), -0.5, 1e-12);
}

TEST(FleetDrift, IsUnknownWhereNobodyCountedIterations) {
  FleetJob command = job_of("xavier", {});
  command.iterations = command.iterations_done = 0;
  const std::vector<FleetJob> jobs{command, job_of("tx2", {})};
  EXPECT_TRUE(drift_of_jobs(jobs).empty());
}

}  // namespace
}  // namespace ampere
