#include <gtest/gtest.h>

#include "../support/error_of.h"
#include "base/json.h"
#include "report/fleet_json.h"

namespace ampere {
namespace {

using testing_support::error_of;

FleetJob job(std::int64_t id, const std::string& begin, const std::string& end, double power_w) {
  FleetJob job;
  job.id = id;
  job.name = "job-" + std::to_string(id);
  job.state = JobState::finished;
  job.source = Source::simulated;
  job.started_at = begin;
  job.ended_at = end;
  job.power_most = {power_w};
  return job;
}

double most_power(const FleetReport& report) {
  const Json payload = Json::parse(fleet_payload({}, report));
  double most = 0;
  for (const Json& row : payload.at("content").at("power"))
    most = std::max(most, row.at("most_w").get<double>());
  return most;
}

// The database counts milliseconds: jobs that followed each other on one device must not add up.
TEST(FleetPayload, JobsThatFollowEachOtherInOneMillisecondDoNotAddUp) {
  FleetReport report;
  report.jobs = {job(1, "2026-01-31T12:00:00Z", "2026-01-31T12:00:05Z", 100),
                 job(2, "2026-01-31T12:00:05Z", "2026-01-31T12:00:05Z", 100),
                 job(3, "2026-01-31T12:00:05Z", "2026-01-31T12:00:05Z", 100),
                 job(4, "2026-01-31T12:00:05Z", "2026-01-31T12:00:09Z", 100)};
  EXPECT_EQ(most_power(report), 100);
}

TEST(FleetPayload, JobsAtTheSameTimeAddUp) {
  FleetReport report;
  report.jobs = {job(1, "2026-01-31T12:00:00Z", "2026-01-31T12:00:05Z", 100),
                 job(2, "2026-01-31T12:00:03Z", "2026-01-31T12:00:09Z", 30)};
  EXPECT_EQ(most_power(report), 130);
}

TEST(FleetPayload, HasTimesWithinASecond) {
  FleetReport report;
  report.jobs = {job(1, "2026-01-31T12:00:00.900Z", "2026-01-31T12:00:01.150Z", 100),
                 job(2, "2026-01-31T12:00:01.200Z", "2026-01-31T12:00:01.700Z", 30)};
  EXPECT_EQ(most_power(report), 100) << "one after the other";
  const Json jobs = Json::parse(fleet_payload({}, report)).at("content").at("jobs");
  EXPECT_EQ(jobs.at(0).at("begin_s"), 0);
  EXPECT_EQ(jobs.at(0).at("end_s"), 0.25);
  EXPECT_EQ(jobs.at(1).at("begin_s"), 0.3);
}

TEST(FleetPayload, NamesWhereItsEnergiesComeFrom) {
  FleetReport report;
  report.jobs = {job(1, "2026-01-31T12:00:00Z", "", 100)};
  const Json content = Json::parse(fleet_payload({}, report)).at("content");
  EXPECT_EQ(content.at("sources").at(0), "simulated");
  EXPECT_TRUE(content.at("jobs").at(0).at("end_s").is_null());
}

TEST(FleetPayload, WithoutAJobThatBeganThereIsNothingToReport) {
  FleetReport report;
  report.jobs = {job(1, "", "", 100)};
  EXPECT_EQ(error_of([&] { fleet_payload({}, report); }).code(), ErrorCode::unknown);
}

}  // namespace
}  // namespace ampere
