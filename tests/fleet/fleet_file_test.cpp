#include "fleet/fleet_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/error_of.h"
#include "base/json.h"
#include "fleet/kinds.h"
#include "now.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_of;
using testing_support::kNow;

FleetFile fleet(const char* text) { return read_fleet_file(Json::parse(text), "fleet.toml"); }
JobFile jobs(const char* text) { return read_job_file(Json::parse(text), "night/jobs.toml", kNow); }

std::string job_error(const std::string& fields) {
  const std::string text =
      R"({"jobs": [{"name": "a", "model": "cnn5", "iterations": 5, )" + fields + "}]}";
  return error_of([&] { jobs(text.c_str()); }).what();
}

TEST(FleetFile, AKindIsAFeatureOfItsNameUnlessItSaysOtherwise) {
  const FleetFile file = fleet(R"({"devices": {
      "xavier": {"rig": "sim:xavier", "count": 2}, "phone": {"gres": "phone", "rig": "cmd:adb"}}})");
  ASSERT_EQ(file.kinds.size(), 2u);
  EXPECT_EQ(file.kinds[0].constraint, "xavier");
  EXPECT_EQ(file.kinds[0].count, 2);
  EXPECT_EQ(file.kinds[1].constraint, "");
  EXPECT_EQ(file.kinds[1].gres, "phone");
  EXPECT_EQ(file.time_scale, 1);
}

TEST(FleetFile, NamesWhatIsWrongWithIt) {
  const auto error = [](const char* text) {
    return std::string(error_of([&] { fleet(text); }).what());
  };
  EXPECT_THAT(error("{}"), HasSubstr("fleet.toml: there are no devices"));
  EXPECT_THAT(error(R"({"devices": {"a": {"contsraint": "b"}}})"),
              HasSubstr("did you mean 'constraint'?"));
  EXPECT_THAT(error(R"({"devices": {"a": {"count": 0}}})"), HasSubstr("devices.a.count"));
  EXPECT_THAT(error(R"({"devices": {"a b": {}}})"), HasSubstr("'a b' is not a name"));
  EXPECT_THAT(error(R"({"time_scale": -1, "devices": {"a": {}}})"), HasSubstr("time_scale"));
}

TEST(JobFile, ReadsAJobWithItsSetupAndLimits) {
  const JobFile file = jobs(R"({"name": "nightly", "accounts": ["project:vision"], "jobs": [
      {"name": "a", "model": "cnn5", "batch": 32, "optimizer": "adam", "epochs": 3, "samples": 100,
       "deadline": "2h", "budget": "5 kJ", "devices": ["xavier"], "confidence": 0.9}]})");
  EXPECT_EQ(file.name, "nightly");
  const JobSpec& job = file.jobs.at(0);
  EXPECT_EQ(job.setup.batch, 32);
  EXPECT_EQ(job.setup.optimizer, Optimizer::adam);
  EXPECT_EQ(job.iterations, 3 * 4);  // 100 samples are four batches
  EXPECT_EQ(job.deadline, Seconds(7200));
  EXPECT_EQ(job.budget, Joules{5000});
  EXPECT_EQ(job.confidence, 0.9);
  EXPECT_THAT(job.accounts, ElementsAre("project:vision"));
}

TEST(JobFile, ADeadlineMayBeAMoment) {
  const JobFile file = jobs(R"({"jobs": [{"name": "a", "model": "cnn5", "iterations": 5,
      "deadline": "2027-01-15T09:00:00Z"}]})");
  EXPECT_EQ(file.jobs.at(0).deadline, Seconds(3600));
  EXPECT_EQ(file.name, "jobs");  // of the file
}

TEST(JobFile, ManyAlikeHaveNumbers) {
  const JobFile file =
      jobs(R"({"jobs": [{"name": "a", "model": "cnn5", "iterations": 5, "count": 3}]})");
  ASSERT_EQ(file.jobs.size(), 3u);
  EXPECT_EQ(file.jobs[2].name, "a-3");
}

TEST(JobFile, AFileIsFoundBesideTheList) {
  const JobFile file = jobs(R"({"jobs": [{"name": "a", "model": "net.onnx", "iterations": 5}]})");
  EXPECT_EQ(file.jobs.at(0).model, "night/net.onnx");
}

TEST(JobFile, NamesTheJobAndTheField) {
  EXPECT_THAT(job_error(R"("deadline": "2027-01-15T07:00:00Z")"),
              HasSubstr("night/jobs.toml: job 'a': deadline: 2027-01-15T07:00:00Z has passed"));
  EXPECT_THAT(job_error(R"("deadline": "soon")"), HasSubstr("job 'a': deadline"));
  EXPECT_THAT(job_error(R"("budget": "5")"), HasSubstr("job 'a': budget: '5' has no unit"));
  EXPECT_THAT(job_error(R"("confidence": 1)"), HasSubstr("job 'a': confidence"));
  EXPECT_THAT(job_error(R"("batch": 0)"), HasSubstr("job 'a': batch"));
  EXPECT_THAT(job_error(R"("optimizer": "magic")"), HasSubstr("job 'a': optimizer"));
  EXPECT_THAT(job_error(R"("epochs": 2)"), HasSubstr("job 'a': has iterations as well as epochs"));
  EXPECT_THAT(job_error(R"("devices": [])"), HasSubstr("job 'a': devices"));
  EXPECT_THAT(job_error(R"("dedline": "2h")"), HasSubstr("did you mean 'deadline'?"));
}

TEST(JobFile, SaysHowManyIterationsCanBeGiven) {
  const auto neither = [] { jobs(R"({"jobs": [{"name": "a", "model": "cnn5", "epochs": 2}]})"); };
  EXPECT_THAT(error_of(neither).what(), HasSubstr("needs either iterations, or epochs"));
}

TEST(JobFile, RefusesTwoJobsOfOneName) {
  const auto both = [] {
    jobs(R"({"jobs": [{"name": "a-1", "model": "cnn5", "iterations": 5},
                      {"name": "a", "model": "cnn5", "iterations": 5, "count": 2}]})");
  };
  EXPECT_THAT(error_of(both).what(), HasSubstr("job 'a-1' occurs twice"));
}

TEST(JobFile, ACommandNeedsANetworkToEstimateItBy) {
  const auto command = [] {
    jobs(R"({"jobs": [{"name": "a", "command": ["train"], "iterations": 5}]})");
  };
  EXPECT_THAT(error_of(command).what(), HasSubstr("no model to estimate its energy by"));
}

const std::vector<SlurmNode> kNodes{{"n1", "idle", {"xavier"}, {}},
                                    {"n2", "down*", {"xavier"}, {}},
                                    {"n3", "idle", {"server"}, {{"phone", 4}}}};

TEST(KindsNow, CountsTheDevicesThatCanBeUsed) {
  const FleetFile file = fleet(R"({"devices": {"xavier": {}, "phone": {"gres": "phone"}}})");
  const auto kinds = kinds_now(file, std::span<const SlurmNode>(kNodes));
  EXPECT_EQ(kinds[0].count, 1);
  EXPECT_THAT(kinds[0].nodes, ElementsAre("n1", "n2"));
  EXPECT_EQ(kinds[1].count, 4);
}

TEST(KindsNow, NamesAFeatureThatNoNodeHas) {
  const FleetFile file = fleet(R"({"devices": {"a": {"constraint": "xavior"}}})");
  const Error error = error_of([&] { kinds_now(file, std::span<const SlurmNode>(kNodes)); });
  EXPECT_EQ(error.code(), ErrorCode::unknown);
  EXPECT_THAT(error.what(),
              HasSubstr("devices.a: no node of this cluster has the feature 'xavior'; "
                        "did you mean 'xavier'?"));
}

TEST(KindsNow, WithoutSlurmTheFileHasToCount) {
  EXPECT_EQ(kinds_now(fleet(R"({"devices": {"a": {"count": 3}}})"), std::nullopt)[0].count, 3);
  EXPECT_THAT(error_of([] { kinds_now(fleet(R"({"devices": {"a": {}}})"), std::nullopt); }).what(),
              HasSubstr("devices.a: without Slurm"));
}

}  // namespace
}  // namespace ampere
