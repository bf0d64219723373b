#include "fleet/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/error_of.h"
#include "ampere/error.h"
#include "fleet/job_work.h"
#include "now.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_of;
using testing_support::kNow;

CostCell costing(double joules, double seconds) {
  JobCost cost;
  cost.energy_j = {joules, 0.9 * joules, 1.1 * joules, 0.95};
  cost.time_s = {seconds, 0.9 * seconds, 1.1 * seconds, 0.95};
  cost.reserved = {1.2 * joules};
  cost.occupied = Seconds(seconds);
  cost.occupied_most = Seconds(1.2 * seconds);
  cost.power_most = {std::ceil(1.1 * joules / (0.9 * seconds))};
  return {cost, ""};
}

// Two jobs; on "slow" they take ten times as long and a tenth of the energy.
struct TwoJobs {
  FleetFile fleet;
  JobFile jobs;
  Costs costs;

  TwoJobs() {
    fleet.path = "fleet.toml";
    fleet.time_scale = 0.5;
    fleet.kinds = {{.name = "fast", .constraint = "fast", .gres = "", .rig = "sim:server"},
                   {.name = "slow", .constraint = "slow", .gres = "", .rig = "local"}};
    jobs.path = "jobs.toml";
    jobs.name = "two";
    for (const char* name : {"a", "b"}) {
      JobSpec job;
      job.name = name;
      job.command = {"train"};
      job.iterations = 7;
      job.accounts = {"project:p"};
      jobs.jobs.push_back(job);
      costs.cells.push_back({costing(1000, 10), costing(100, 100)});
    }
    costs.kinds = {{fleet.kinds[0], {}, 1}, {fleet.kinds[1], {}, 1}};
  }

  FleetPlan plan(const PlanOptions& options = {}) { return make_plan(jobs, costs, options, kNow); }
  std::vector<FleetJob> planned(const PlanOptions& options = {}) {
    return planned_jobs(plan(options), fleet, {}, "/here", {"list:two"});
  }
};

TEST(FleetPlan, PutsJobsWhereTheyCostLeast) {
  TwoJobs two;
  for (const FleetJob& job : two.planned()) EXPECT_EQ(job.kind, "slow");
  EXPECT_NEAR(two.plan().schedule.energy.value, 200, 1e-9);
}

TEST(FleetPlan, ADeadlineMovesAJobToTheFasterDevice) {
  TwoJobs two;
  two.jobs.jobs[0].deadline = Seconds(30);
  for (const FleetJob& job : two.planned()) EXPECT_EQ(job.kind, job.name == "a" ? "fast" : "slow");
}

TEST(FleetPlan, NamesAJobOverItsBudgetAndWhatWouldFit) {
  TwoJobs two;
  two.jobs.jobs[1].budget = Joules{110};
  const Error error = error_of([&] { two.plan(); });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("b"));
  EXPECT_THAT(error.what(), HasSubstr("120"));
}

TEST(FleetPlan, AKindThatIsDownIsNotUsed) {
  TwoJobs two;
  two.costs.kinds[1].count = 0;
  for (auto& row : two.costs.cells) row[1] = {{}, "no node of this kind is up"};
  for (const FleetJob& job : two.planned()) EXPECT_EQ(job.kind, "fast");
}

TEST(FleetPlan, NamesAJobThatNobodyKnowsTheCostOf) {
  TwoJobs two;
  two.costs.cells[1] = {{{}, "no profile"}, {{}, "not wanted"}};
  const Error error = error_of([&] { two.plan(); });
  EXPECT_EQ(error.code(), ErrorCode::unknown);
  EXPECT_THAT(error.what(), HasSubstr("job 'b'"));
  EXPECT_THAT(error.what(), HasSubstr("fast: no profile; slow: not wanted"));
}

TEST(FleetPlan, AJobCarriesWhatItNeedsOnItsNode) {
  TwoJobs two;
  two.jobs.jobs[0].budget = Joules{130};
  two.jobs.jobs[0].deadline = Seconds(3600);
  const std::vector<FleetJob> jobs = two.planned();
  const auto a = std::ranges::find(jobs, "a", &FleetJob::name);
  EXPECT_EQ(a->reserved, Joules{120});  // the upper bound
  EXPECT_EQ(a->deadline, "2027-01-15T09:00:00Z");
  EXPECT_EQ(a->begin, std::nullopt);  // as soon as there is a device
  EXPECT_THAT(a->accounts, ElementsAre("project:p", "list:two"));
  const JobWork work = parse_job_work(a->work, "a");
  EXPECT_EQ(work.folder, "/here");
  EXPECT_EQ(work.rig, "local");
  EXPECT_EQ(work.time_scale, 1);  // a real device is as slow as it is
}

TEST(FleetPlan, AJobWaitsWhereThePlanChoseTheHour) {
  TwoJobs two;
  PlanOptions options;
  options.objective = Objective::price;
  options.start = Start::best;
  options.forecast = Forecast{{Seconds(0), Seconds(3600)}, {1.0, 0.1}};
  for (const FleetJob& job : two.planned(options)) {
    ASSERT_TRUE(job.begin.has_value());
    EXPECT_GE(*job.begin, "2027-01-15T09:00:00Z");
  }
}

}  // namespace
}  // namespace ampere
