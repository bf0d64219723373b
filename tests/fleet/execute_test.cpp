#include "fleet/execute.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../support/each_database.h"
#include "../support/error_of.h"
#include "../support/stepping_meter.h"
#include "ampere/rig.h"
#include "fleet/chunks.h"
#include "fleet/job_work.h"
#include "sample_jobs.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::error_of;
using testing_support::kVision;
using testing_support::sample_job;

const char* kDevice = "xavier";

// What the network takes on the simulated device, and a reservation that suffices.
FleetJob model_job(const std::string& name, std::int64_t iterations, double share = 1) {
  JobWork work;
  work.model = open_model("lenet5");
  work.iterations = iterations;
  work.rig = std::string("sim:") + kDevice;
  work.time_scale = 0;
  const Measurement measured = open_rig(work.rig)->measure(*work.model, work.setup, {});
  const double energy = measured.energy_j.mean * static_cast<double>(iterations);
  const double time = measured.time_s.mean * static_cast<double>(iterations);
  FleetJob job = sample_job(name);
  job.work = to_text(work);
  job.iterations = iterations;
  job.energy_j = {energy, 0.9 * energy, 1.1 * energy, 0.95};
  job.time_s = {time, 0.9 * time, 1.1 * time, 0.95};
  job.power_most = {1.2 * energy / time};
  job.reserved = {share * (1.1 * energy +
                           execution_overhead(Seconds{1.1 * time}, job.power_most).energy.value)};
  return job;
}

FleetJob command_job(const std::string& name, const std::string& script, double reserved = 1000,
                     double power = 20, const std::string& meter = "") {
  JobWork work;
  work.command = {"/bin/sh", "-c", script};
  work.rig = "sim:xavier";
  work.checkpoint_grace = Seconds{1};
  work.meter = meter;
  FleetJob job = sample_job(name, reserved);
  job.work = to_text(work);
  job.iterations = 0;
  job.power_most = {power};
  return job;
}

class Execute : public testing_support::EachDatabase {
 protected:
  void SetUp() override {
    EachDatabase::SetUp();
    if (!database_) return;
    table_.emplace(database_);
    table_->ledger().grant(kVision, {1e6});
  }
  void TearDown() override {
    if (!table_) return;
    const Audit audit = table_->ledger().audit();
    EXPECT_THAT(audit.differences, IsEmpty());
    EXPECT_THAT(audit.overspent, IsEmpty());
    EXPECT_THAT(audit.overdrawn, IsEmpty());
  }

  std::int64_t add(const FleetJob& job) { return table_->add("nightly", {job}).at(0).id; }
  Executed execute(std::int64_t id, StopToken stop = {}) {
    return execute_job(
        *table_, id,
        {"7", "node1", stop, [this](const std::string& line) { log_.push_back(line); }, ""});
  }

  std::optional<JobTable> table_;
  std::vector<std::string> log_;
};
INSTANTIATE_FOR_EACH_DATABASE(Execute);

TEST_P(Execute, TrainsAModelInChunksToItsEnd) {
  const std::int64_t id = add(model_job("a", 30'000));
  const Executed end = execute(id);
  EXPECT_EQ(end.state, JobState::finished) << end.message;
  EXPECT_EQ(end.exit_status, 0);
  const FleetJob job = table_->get(id);
  EXPECT_EQ(job.iterations_done, 30'000);
  EXPECT_EQ(job.source, Source::simulated);
  EXPECT_GT(job.spent.value, 0.8 * job.energy_j.mean);
  EXPECT_LE(job.spent, job.reserved);
  EXPECT_EQ(job.assumed.value, 0);
  EXPECT_GE(table_->samples("nightly").size(), 4u);
  EXPECT_GE(log_.size(), 4u);
}

// What the profile predicts is found again in the iterations, although the job uses more.
TEST_P(Execute, ComparesIterationsWithoutWhatComesBeforeAndAfterThem) {
  const std::int64_t id = add(model_job("a", 30'000));
  execute(id);
  const FleetJob job = table_->get(id);
  ASSERT_GT(job.steady.iterations, job.iterations / 3);
  EXPECT_LT(job.steady.iterations, job.iterations);
  const double predicted = job.energy_j.mean / static_cast<double>(job.iterations);
  const double steady = job.steady.energy.value / static_cast<double>(job.steady.iterations);
  EXPECT_NEAR(steady / predicted, 1, 0.03);
  EXPECT_GT(job.spent.value / job.energy_j.mean, 1.03);
}

TEST_P(Execute, AFinishedJobExitsAtOnce) {
  const std::int64_t id = add(model_job("a", 100));
  execute(id);
  const double spent = table_->get(id).spent.value;
  const Executed again = execute(id);
  EXPECT_EQ(again.exit_status, 0);
  EXPECT_THAT(again.message, HasSubstr("is finished"));
  EXPECT_EQ(table_->get(id).attempt, 1);
  EXPECT_EQ(table_->get(id).spent.value, spent);
}

TEST_P(Execute, AJobThatRunsElsewhereIsLeftAlone) {
  const std::int64_t id = add(model_job("a", 100));
  table_->begin(id, "6", "node9");
  const Error error = error_of([&] { execute(id); });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("runs elsewhere: as Slurm's job 6 on node9"));
  EXPECT_EQ(error_of([&] { execute(999); }).code(), ErrorCode::unknown);
}

TEST_P(Execute, StopsBeforeItUsesMoreThanWasReserved) {
  const std::int64_t id = add(model_job("a", 30'000, 0.5));
  const Executed end = execute(id);
  EXPECT_EQ(end.state, JobState::stopped);
  EXPECT_EQ(end.exit_status, 1);
  const FleetJob job = table_->get(id);
  EXPECT_LE(job.spent, job.reserved);
  EXPECT_GT(job.spent.value, 0.5 * job.reserved.value);
  EXPECT_GT(job.iterations_done, 5000);
  EXPECT_LT(job.iterations_done, 30'000);
  EXPECT_THAT(job.reason,
              AllOf(HasSubstr("of 30000 iterations"), HasSubstr("does not cover more")));
}

TEST_P(Execute, AReservationTooSmallForAnythingStopsTheJobAtOnce) {
  FleetJob job = model_job("a", 30'000);
  job.reserved = {0.002};
  const std::int64_t id = add(job);
  EXPECT_EQ(execute(id).state, JobState::stopped);
  EXPECT_EQ(table_->get(id).iterations_done, 0);
}

TEST_P(Execute, GoesOnWhereItWasSuspended) {
  const std::int64_t id = add(model_job("a", 30'000));
  std::atomic<bool> stop{false};
  ExecuteOptions options{"7", "node1", StopToken(stop), {}, ""};
  int lines = 0;
  options.tell = [&](const std::string&) { stop = ++lines >= 2; };
  const Executed end = execute_job(*table_, id, options);
  EXPECT_EQ(end.state, JobState::submitted);
  const FleetJob half = table_->get(id);
  EXPECT_EQ(half.state, JobState::submitted);
  EXPECT_GT(half.iterations_done, 0);
  EXPECT_LT(half.iterations_done, 30'000);
  EXPECT_EQ(table_->ledger().find(reservation_name(half))->drawn, half.spent) << "exact books";
  EXPECT_EQ(execute(id).state, JobState::finished);
  const FleetJob job = table_->get(id);
  EXPECT_EQ(job.iterations_done, 30'000);
  EXPECT_EQ(job.attempt, 2);
  EXPECT_EQ(job.assumed.value, 0);
}

TEST_P(Execute, IsCancelledBetweenTwoChunks) {
  const std::int64_t id = add(model_job("a", 30'000));
  const auto other = open();
  JobTable cancelling(other);
  ExecuteOptions options{"7", "node1", {}, {}, ""};
  options.tell = [&](const std::string&) { cancelling.cancel(id, "not needed"); };
  const Executed end = execute_job(*table_, id, options);
  EXPECT_EQ(end.state, JobState::cancelled);
  const FleetJob job = table_->get(id);
  EXPECT_GT(job.spent.value, 0);
  EXPECT_EQ(job.assumed.value, 0);
  EXPECT_LT(job.iterations_done, 30'000);
}

TEST_P(Execute, StopsWhenAnotherAttemptTookOver) {
  const std::int64_t id = add(model_job("a", 30'000));
  JobTable other(open());
  ExecuteOptions options{"7", "node1", {}, {}, ""};
  options.tell = [&](const std::string&) { other.begin(id, "7", "node2"); };
  const Error error = error_of([&] { execute_job(*table_, id, options); });
  EXPECT_THAT(error.what(), HasSubstr("attempt 2 took over on node2"));
  EXPECT_EQ(table_->get(id).state, JobState::running);
}

TEST_P(Execute, FailsWithoutEnergyWhereThereIsNothingToTrainWith) {
  FleetJob job = model_job("a", 100);
  JobWork work = parse_job_work(job.work, "x");
  work.rig = "sim:nothing";
  job.work = to_text(work);
  FleetJob broken = model_job("b", 100);
  broken.work = "{}";
  for (const FleetJob& each : {job, broken}) {
    const std::int64_t id = add(each);
    const Executed end = execute(id);
    EXPECT_EQ(end.state, JobState::failed);
    EXPECT_EQ(end.exit_status, 1);
    EXPECT_EQ(table_->get(id).spent.value, 0);
    EXPECT_FALSE(table_->get(id).reason.empty());
  }
  EXPECT_EQ(table_->ledger().account(kVision).reserved.value, 0);
}

TEST_P(Execute, ARunnerThatDiesHasUsedWhatWasDrawn) {
  FleetJob job = model_job("a", 100);
  JobWork work = parse_job_work(job.work, "x");
  work.rig =
      R"(cmd:/bin/sh -c 'echo "{\"ampere_runner\": 1, \"device\": {\"name\": \"x\", \"source\": \"measured\"}, \"abilities\": [\"work\"]}"; read line; exit 3')";
  job.work = to_text(work);
  const std::int64_t id = add(job);
  EXPECT_EQ(execute(id).state, JobState::failed);
  const FleetJob end = table_->get(id);
  EXPECT_GT(end.spent.value, 0);
  EXPECT_EQ(end.assumed, end.spent);
  EXPECT_THAT(end.reason, HasSubstr("ended with status 3"));
}

// Slurm's signal reaches the runner as well.
TEST_P(Execute, ARunnerThatDiesOfSlurmsSignalSuspendsTheJob) {
  FleetJob job = model_job("a", 100);
  JobWork work = parse_job_work(job.work, "x");
  const std::string begun = folder_ / "begun";
  work.rig = R"(cmd:/bin/sh -c 'echo "{\"ampere_runner\": 1, \"device\": {\"name\": \"x\", )"
             R"(\"source\": \"measured\"}, \"abilities\": [\"work\"]}"; read line; touch )" +
             begun + "; sleep 0.3; kill -15 $$'";
  job.work = to_text(work);
  const std::int64_t id = add(job);
  std::atomic<bool> stop{false};
  std::thread slurm([&] {
    while (!std::filesystem::exists(begun)) usleep(10'000);
    usleep(200'000);
    stop = true;
  });
  const Executed end = execute(id, StopToken(stop));
  slurm.join();
  EXPECT_EQ(end.state, JobState::submitted) << end.message;
  const FleetJob suspended = table_->get(id);
  EXPECT_GT(suspended.spent.value, 0);
  EXPECT_EQ(suspended.assumed, suspended.spent);
}

TEST_P(Execute, AnOldRunnerIsRefused) {
  FleetJob job = model_job("a", 100);
  JobWork work = parse_job_work(job.work, "x");
  work.rig =
      R"(cmd:/bin/sh -c 'echo "{\"ampere_runner\": 1, \"device\": {\"name\": \"x\", \"source\": \"measured\"}, \"abilities\": [\"measure\"]}"; cat > /dev/null')";
  job.work = to_text(work);
  const std::int64_t id = add(job);
  EXPECT_EQ(execute(id).state, JobState::failed);
  EXPECT_THAT(table_->get(id).reason, HasSubstr("a newer runner may"));
  EXPECT_EQ(table_->get(id).spent.value, 0);
}

TEST_P(Execute, RunsACommandUnderTheModelWhereTheDeviceIsSimulated) {
  const std::int64_t id = add(command_job("a", "sleep 1"));
  const Executed end = execute(id);
  EXPECT_EQ(end.state, JobState::finished) << end.message;
  const FleetJob job = table_->get(id);
  EXPECT_EQ(job.source, Source::modelled);
  EXPECT_GT(job.spent.value, 1);
  EXPECT_EQ(table_->ledger().find(reservation_name(job))->how, Settled::modelled);
}

TEST_P(Execute, SaysHowACommandFailed) {
  const std::int64_t status = add(command_job("a", "exit 3"));
  EXPECT_EQ(execute(status).state, JobState::failed);
  EXPECT_EQ(table_->get(status).reason, "it ended with status 3");
  const std::int64_t killed = add(command_job("b", "kill -9 $$"));
  EXPECT_EQ(execute(killed).state, JobState::failed);
  EXPECT_EQ(table_->get(killed).reason, "it was killed by SIGKILL");
  FleetJob none = command_job("c", "");
  JobWork work = parse_job_work(none.work, "x");
  work.command = {"there-is-no-such-command"};
  none.work = to_text(work);
  const std::int64_t missing = add(none);
  EXPECT_EQ(execute(missing).state, JobState::failed);
  EXPECT_THAT(table_->get(missing).reason, HasSubstr("there is no such command in PATH"));
  EXPECT_EQ(table_->get(missing).spent.value, 0);
}

TEST_P(Execute, ACommandMaySaveItselfAndIsStoppedBeforeItUsesTooMuch) {
  const std::string saved = folder_ / "saved";
  const std::string script = "trap 'echo yes > " + saved + "' USR1; while :; do sleep 0.1; done";
  const std::int64_t id = add(command_job("a", script, 90, 12, "modelled:static=10,core=0.001"));
  const Executed end = execute(id);
  EXPECT_EQ(end.state, JobState::stopped) << end.message;
  EXPECT_TRUE(std::filesystem::exists(saved));
  const FleetJob job = table_->get(id);
  EXPECT_LE(job.spent.value, 90);
  EXPECT_GT(job.spent.value, 30);
  EXPECT_THAT(job.reason, AllOf(HasSubstr("before it would have used more than the 90 J"),
                                HasSubstr("it was killed by SIGTERM")));
}

// Counts 100 W for a while, and is then gone.
class FlakyMeter final : public Meter {
 public:
  const MeterInfo& info() const override { return meter_.info(); }
  Reading read() override {
    meter_.fails = ++reads_ > 4;
    return meter_.read();
  }

 private:
  testing_support::SteppingMeter meter_{Seconds{0}};
  int reads_ = 0;
};

TEST_P(Execute, ACommandWhoseMeterFailsIsEndedAndHasUsedWhatWasDrawn) {
  static const bool added = [] {
    add_meter_kind({"flaky", [](std::string_view) { return std::make_unique<FlakyMeter>(); },
                    [] { return std::vector<MeterProbe>{}; }});
    return true;
  }();
  ASSERT_TRUE(added);
  const std::int64_t id = add(command_job("a", "exec sleep 1000", 5000, 100, "flaky"));
  EXPECT_EQ(execute(id).state, JobState::failed);
  const FleetJob job = table_->get(id);
  EXPECT_EQ(job.reason, "stepping: it is gone");
  EXPECT_GT(job.assumed.value, 0);
  EXPECT_EQ(table_->ledger().find(reservation_name(job))->how, Settled::assumed);
}

TEST_P(Execute, ACommandWithoutAMeterUsesNothing) {
  const std::int64_t id = add(command_job("a", "sleep 1000", 5000, 100, "no-such-meter"));
  EXPECT_EQ(execute(id).state, JobState::failed);
  EXPECT_THAT(table_->get(id).reason, HasSubstr("no-such-meter"));
  EXPECT_EQ(table_->get(id).spent.value, 0);
}

// Whether the process is stopped, as /proc says.
bool is_held(const std::string& pid_file) {
  std::ifstream file(pid_file);
  std::string pid, field, state;
  if (!(file >> pid)) return false;
  std::ifstream status("/proc/" + pid + "/stat");
  status >> field >> field >> state;
  return state == "T";
}

TEST_P(Execute, ACommandIsHeldWhileTheLedgerCannotBeReached) {
  if (std::string(GetParam()) != "postgresql")
    GTEST_SKIP() << "a file cannot be out of reach as a server can";
  auto& server = testing_support::PostgresServer::shared();
  const std::string pid_file = folder_ / "pid", counter = folder_ / "counter";
  const std::string script =
      "echo $$ > " + pid_file +
      "; i=0; while [ $i -lt 160 ]; do i=$((i+1)); sleep 0.1; done; echo $i > " + counter;
  const std::int64_t id = add(command_job("a", script, 2000, 10, "modelled:static=10,core=0.001"));
  std::atomic<bool> held{false};
  std::thread outage([&] {
    while (!std::filesystem::exists(pid_file)) usleep(10'000);
    server.kill();
    for (int i = 0; i < 4000 && !held; ++i) {
      usleep(10'000);
      held = is_held(pid_file);
    }
    usleep(500'000);
    server.start();
  });
  const Executed end = execute(id);
  outage.join();
  EXPECT_TRUE(held);
  EXPECT_EQ(end.state, JobState::finished) << end.message;
  EXPECT_TRUE(std::filesystem::exists(counter)) << "it went on where it was held";
  EXPECT_EQ(table_->get(id).attempt, 1);
  EXPECT_THAT(log_, Contains("it is held until the ledger can be reached"));
}

TEST_P(Execute, ACommandIsEndedWhenSlurmSaysSo) {
  const std::int64_t id = add(command_job("a", "exec sleep 100"));
  std::atomic<bool> stop{false};
  std::thread slurm([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    stop = true;
  });
  const Executed end = execute(id, StopToken(stop));
  slurm.join();
  EXPECT_EQ(end.state, JobState::submitted);
  const FleetJob job = table_->get(id);
  EXPECT_EQ(job.state, JobState::submitted);
  EXPECT_EQ(table_->ledger().find(reservation_name(job))->drawn, job.spent);
}

TEST_P(Execute, ACommandIsCancelled) {
  const std::int64_t id = add(command_job("a", "exec sleep 100"));
  JobTable other(open());
  std::thread user([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    other.cancel(id, "not needed");
  });
  const Executed end = execute(id);
  user.join();
  EXPECT_EQ(end.state, JobState::cancelled);
  EXPECT_EQ(table_->get(id).assumed.value, 0);
}

}  // namespace
}  // namespace ampere
