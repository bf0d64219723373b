// A clock that is set while a job runs changes nothing.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdlib>

#include "../support/each_database.h"
#include "campaign_jobs.h"
#include "fleet/job_table.h"

namespace ampere {
namespace {

using ::testing::IsEmpty;

class ClockJumps : public testing_support::EachDatabase {
 protected:
  // The job, executed by a process of its own.
  FleetJob executed(JobTable& table, const std::string& name, const FleetJob& job,
                    const std::string& environment) const {
    FleetJob named = job;
    named.name = name;
    const std::int64_t id = table.add("clocks", {named}).at(0).id;
    const std::string command = environment + " " AMPERE_CAMPAIGN_PROCESS " execute '" + url_ +
                                "' " + std::to_string(id) + " 7 node1";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0);
    return table.get(id);
  }
};
INSTANTIATE_FOR_EACH_DATABASE(ClockJumps);

TEST_P(ClockJumps, ChangeNeitherEnergyNorEnd) {
  JobTable table(database_);
  table.ledger().grant(testing_support::kVision, {1e6});
  const std::string jumping = "LD_PRELOAD=" AMPERE_JUMPING_CLOCK;
  const FleetJob model = testing_support::campaign_job("xavier", "lenet5", 60, 0.005);
  const FleetJob steady = executed(table, "steady", model, "");
  const FleetJob jumped = executed(table, "jumped", model, jumping);
  EXPECT_EQ(jumped.state, JobState::finished);
  EXPECT_EQ(jumped.iterations_done, model.iterations);
  EXPECT_EQ(jumped.spent, steady.spent) << "to the millijoule";
  EXPECT_EQ(jumped.attempt, 1);
  if (std::string(GetParam()) == "sqlite") {
    EXPECT_NE(jumped.started_at.substr(0, 13), jumped.added_at.substr(0, 13)) << "it did jump";
  }

  const FleetJob command = executed(table, "command", testing_support::campaign_command(), jumping);
  EXPECT_EQ(command.state, JobState::finished);
  EXPECT_LT(command.spent.value, 10 * 60) << "some seconds at 10 W, no hours";
  EXPECT_GT(command.spent.value, 0.5 * 0.8 * 10);
  EXPECT_THAT(table.ledger().audit().differences, IsEmpty());
}

}  // namespace
}  // namespace ampere
