// The whole fleet on a real Slurm cluster: three nodes of three simulated kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/text.h"
#include "fleet_cluster.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Cluster;
using testing_support::FleetCluster;
using testing_support::kWatts;
using testing_support::Ran;

// Looks at Slurm and at the ledger again and again, until told to stop.
class Sampler {
 public:
  explicit Sampler(const Cluster& cluster) : cli_(cluster.new_cli()), thread_([this] { run(); }) {}
  ~Sampler() { stop(); }

  void stop() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
  }

  int samples = 0;
  double most_licences = 0, most_power = 0;
  double least_free = std::numeric_limits<double>::infinity();

 private:
  void run() {
    while (!done_) {
      look();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  void look() {
    double licences = 0, power = 0;
    // "watts:17" per running job.
    for (const std::string& line : split(cli_->shell("squeue -h -t RUNNING -o %W").out, '\n'))
      if (line.starts_with("watts:")) licences += std::stod(line.substr(6));
    const Ran status = cli_->run("fleet status --json"), ledger = cli_->run("fleet ledger --json");
    if (status.status != 0 || ledger.status != 0) return;  // before the first job
    const Json jobs = status.json().at("jobs"), accounts = ledger.json().at("accounts");
    for (const Json& job : jobs)
      if (job.at("state") == "running" && job.at("power_w").is_number())
        power += job.at("power_w").get<double>();
    for (const Json& account : accounts)
      least_free = std::min(least_free, account.at("free_j").get<double>());
    most_licences = std::max(most_licences, licences);
    most_power = std::max(most_power, power);
    ++samples;
  }

  std::unique_ptr<Cli> cli_;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

TEST_F(FleetCluster, KnowsItsDevicesAndTheirProfiles) {
  const Json devices = cli->run("fleet devices --json").json();
  ASSERT_EQ(devices.at("kinds").size(), 3u);
  for (const Json& kind : devices.at("kinds")) {
    EXPECT_EQ(kind.at("devices"), 1);
    EXPECT_EQ(kind.at("source"), "simulated");
    EXPECT_TRUE(kind.at("profile").is_number()) << kind;
  }
  EXPECT_EQ(devices.at("nodes").size(), 3u);
}

TEST_F(FleetCluster, DoesNotProfileWhatIsKnown) {
  const Ran again = cli->run("fleet profile cnn5 --wait");
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("xavier: known already"));
}

// The promise: cap and budget at every moment, and less energy than on the fastest devices.
TEST_F(FleetCluster, RunsThirtyJobsInsideCapAndBudget) {
  const std::string limits = "jobs.toml --budget 25kJ";
  ASSERT_EQ(cli->run("fleet grant project:example 50kJ").status, 0);
  const Json plan = cli->run("fleet plan " + limits + " --json").json();
  const double fastest = plan.at("energy_on_fastest_j").get<double>();
  Sampler sampler(*cluster);
  const Ran submitted = cli->run("fleet submit " + limits);
  ASSERT_EQ(submitted.status, 0) << submitted.err;
  const Ran watched = cli->run("fleet watch --interval 0.5");
  ASSERT_EQ(watched.status, 0) << watched.err;
  sampler.stop();
  EXPECT_GT(sampler.samples, 5);
  EXPECT_LE(sampler.most_licences, kWatts);
  EXPECT_LE(sampler.most_power, kWatts);
  EXPECT_GT(sampler.most_power, 0);
  EXPECT_GE(sampler.least_free, 0);

  const Json status = cli->run("fleet status --json").json();
  ASSERT_EQ(status.at("jobs").size(), 30u);
  double measured = 0, predicted = 0;
  for (const Json& job : status.at("jobs")) {
    EXPECT_EQ(job.at("state"), "finished") << job;
    EXPECT_EQ(job.at("iterations_done"), job.at("iterations"));
    EXPECT_EQ(job.at("source"), "simulated");
    EXPECT_LE(job.at("spent_j").get<double>(), job.at("reserved_j").get<double>());
    measured += job.at("spent_j").get<double>();
    predicted += job.at("estimated_j").at("mean").get<double>();
  }
  EXPECT_LE(measured, 0.75 * fastest);
  // A job also builds its network and waits for the meter after each chunk, which is not predicted.
  EXPECT_NEAR(measured / predicted, 1, 0.15);
  RecordProperty("measured_j", std::to_string(measured));
  std::printf(
      "predicted %.0f J, measured %.0f J (simulated), on the fastest devices %.0f J; at most "
      "%.0f W of licences and %.0f W measured in %d samples of a cap of %d W\n",
      predicted, measured, fastest, sampler.most_licences, sampler.most_power, sampler.samples,
      kWatts);

  // Nothing has changed about the devices: what jobs do beside their iterations is no drift.
  const Json devices = cli->run("fleet devices --json").json();
  for (const Json& kind : devices.at("kinds")) {
    EXPECT_GT(kind.at("compared_jobs"), 0) << kind;
    EXPECT_NEAR(kind.at("energy_drift").get<double>(), 0, 0.05) << kind;
    std::printf("drift of %s: %+.1f %% in %d jobs\n", kind.at("kind").get<std::string>().c_str(),
                100 * kind.at("energy_drift").get<double>(), kind.at("compared_jobs").get<int>());
  }

  // To the millijoule: what the jobs report is what the accounts have booked.
  const Json ledger = cli->run("fleet ledger --json").json();
  EXPECT_TRUE(ledger.at("audit").at("adds_up").get<bool>()) << ledger;
  for (const Json& account : ledger.at("accounts")) {
    EXPECT_NEAR(account.at("spent_j").get<double>(), measured, 1e-3 * 30) << account;
    EXPECT_EQ(account.at("reserved_j").get<double>(), 0) << account;
  }
}

TEST_F(FleetCluster, SubmittingTwiceSubmitsNothing) {
  ASSERT_EQ(cli->run("fleet grant project:twice 50kJ").status, 0);
  const std::string file =
      one_job("twice", "devices = [\"xavier\"]\naccounts = [\"project:twice\"]");
  EXPECT_EQ(cli->run("fleet submit " + file + " --json").json().at("submitted"), 1);
  EXPECT_EQ(cli->run("fleet submit " + file + " --json").json().at("submitted"), 0);
  EXPECT_EQ(cli->run("fleet watch twice --interval 0.2").status, 0);
  EXPECT_EQ(cli->run("fleet submit " + file + " --json").json().at("submitted"), 0);
}

TEST_F(FleetCluster, ACancelledJobGivesItsEnergyBack) {
  ASSERT_EQ(cli->run("fleet grant project:cancelled 50kJ").status, 0);
  const std::string file = one_job(
      "cancelled", "begin = \"1h\"\ndevices = [\"xavier\"]\naccounts = [\"project:cancelled\"]");
  ASSERT_EQ(cli->run("fleet submit " + file).status, 0);
  EXPECT_EQ(cli->run("fleet cancel cancelled --json").json().at("cancelled"), 1);
  const Json status = cli->run("fleet status cancelled --json").json();
  EXPECT_EQ(status.at("jobs").at(0).at("state"), "cancelled");
  EXPECT_EQ(status.at("accounts").at(0).at("reserved_j").get<double>(), 0);
  EXPECT_EQ(cli->shell("squeue -h -n ampere-cancelled-1 | wc -l").out, "0\n");
}

TEST_F(FleetCluster, NamesTheJobTheReasonAndWhatWouldFit) {
  const auto complaint = [&](const std::string& fields, const std::string& options = "") {
    const Ran ran = cli->run("fleet plan " + one_job("bad", fields) + " " + options);
    EXPECT_NE(ran.status, 0) << ran.out;
    return ran.err;
  };
  const std::string kind = complaint("devices = [\"xaver\"]");
  EXPECT_THAT(kind, HasSubstr("job 'a'"));
  EXPECT_THAT(kind, HasSubstr("did you mean 'xavier'?"));
  EXPECT_THAT(complaint("budget = \"1 J\""), HasSubstr("'a'"));
  EXPECT_THAT(complaint("deadline = \"10ms\""), HasSubstr("'a'"));
  EXPECT_THAT(complaint("", "--budget 1J"), HasSubstr("budget"));
  EXPECT_THAT(complaint("devices = [\"server\"]", "--cap 5W"), HasSubstr("'a'"));
}

TEST_F(FleetCluster, NamesAFeatureThatNoNodeHas) {
  cli->write("other.toml", "[devices.nano]\nrig = \"sim:tx2\"\n");
  const Ran ran = cli->run("fleet plan jobs.toml --fleet other.toml");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("no node of this cluster has the feature 'nano'"));
}

TEST_F(FleetCluster, NamesTheCommandThatProfilesWhatIsMissing) {
  cli->write("new.toml", "[[jobs]]\nname = \"a\"\nmodel = \"lenet5\"\niterations = 5\n");
  const Ran ran = cli->run("fleet plan new.toml");
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("`ampere fleet profile lenet5 --on xavier`"));
}

TEST_F(FleetCluster, AnAccountWithoutEnergyIsNamed) {
  const Ran ran = cli->run("fleet submit " + one_job("poor", "accounts = [\"user:nobody\"]"));
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("user:nobody"));
  EXPECT_THAT(cli->run("fleet status poor").err, HasSubstr("there is no list of jobs 'poor'"));
}

TEST_F(FleetCluster, AFileWhoseDeadlineHasPassedStillNamesItsList) {
  const std::string file = one_job("past", "deadline = \"2020-01-31T12:00:00Z\"");
  EXPECT_THAT(cli->run("fleet status " + file).err, HasSubstr("there is no list of jobs 'past'"));
  EXPECT_THAT(cli->run("fleet plan " + file).err, HasSubstr("has passed"));
}

TEST_F(FleetCluster, AJobThatNobodyPaysForIsRefused) {
  const Ran ran = cli->run("fleet submit " + one_job("free", ""));
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("job 'a': names no account"));
}

// On a laptop, where the file says how many devices there are.
TEST_F(FleetCluster, PlansWithoutSlurm) {
  cli->write("counts.toml",
             "[devices.xavier]\nrig = \"sim:xavier\"\ncount = 2\n[devices.server]\nrig = "
             "\"sim:server\"\ncount = 1\n");
  const std::string file = one_job("laptop", "count = 5");
  const Ran ran = cli->shell("PATH=/nowhere\n\"$AMPERE\" fleet plan " + file +
                             " --fleet counts.toml --json 2>&1");
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("\"number\":1"));  // both are used
}

}  // namespace
}  // namespace ampere
