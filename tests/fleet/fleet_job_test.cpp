#include "fleet/fleet_job.h"

#include <gtest/gtest.h>

#include "ampere/error.h"

namespace ampere {
namespace {

TEST(FleetJob, StatesHaveNamesThatAreReadBack) {
  for (const JobState state :
       {JobState::planned, JobState::submitted, JobState::running, JobState::finished,
        JobState::failed, JobState::stopped, JobState::cancelled, JobState::lost})
    EXPECT_EQ(parse_job_state(to_string(state)), state);
  EXPECT_THROW(parse_job_state("asleep"), Error);
  EXPECT_FALSE(has_ended(JobState::running));
  EXPECT_TRUE(has_ended(JobState::lost));
}

TEST(FleetJob, EveryRoundHasAReservationOfItsOwn) {
  FleetJob job;
  job.id = 12;
  EXPECT_EQ(reservation_name(job), "fleet:12");
  job.round = 2;
  EXPECT_EQ(reservation_name(job), "fleet:12.2");
}

}  // namespace
}  // namespace ampere
