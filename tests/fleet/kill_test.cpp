// Everything that can die is killed with SIGKILL at random moments, on a real cluster. AMPERE_KILLS
// is how often (default: 5), AMPERE_KILL_SEED which moments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <random>
#include <thread>

#include "base/text.h"
#include "cluster.h"

namespace ampere {
namespace {

using testing_support::Cli;
using testing_support::Cluster;
using testing_support::Ran;

constexpr const char* kSubmit = "fleet submit kills.toml --silence 3";

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

class FleetKills : public testing::Test {
 protected:
  FleetKills()
      : cluster_(1000), random_(static_cast<unsigned>(number_from("AMPERE_KILL_SEED", 1))) {}

  void SetUp() override {
    if (!cluster_.missing().empty()) GTEST_SKIP() << cluster_.missing();
    cli_ = cluster_.new_cli();
    ASSERT_EQ(cli_->run("fleet profile cnn5 --wait").status, 0);
    ASSERT_EQ(cli_->run("fleet grant project:kills 50MJ").status, 0);
    // About eight seconds each, so many that there is nearly always one that runs.
    std::string text = "name = \"kills\"\naccounts = [\"project:kills\"]\n";
    for (const auto& [kind, iterations] :
         {std::pair("xavier", 230'000), std::pair("tx2", 140'000), std::pair("server", 700'000)})
      text += "[[jobs]]\nname = \"" + std::string(kind) + "\"\nmodel = \"cnn5:4,8,16,32\"\n" +
              "iterations = " + std::to_string(iterations) + "\ndevices = [\"" + kind +
              "\"]\ncount = " + std::to_string(jobs_ / 3) + "\n";
    cli_->write("kills.toml", text);
  }

  static bool is_no_executor(const std::string& victim) { return victim != "executor"; }

  int draw(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  void pause(int most_ms) { std::this_thread::sleep_for(std::chrono::milliseconds(draw(most_ms))); }

  // Starts to submit and is killed on the way.
  void kill_submitter() {
    Cli& cli = *cli_;
    cli.shell("env -u AMPERE -u FAKE_RUNNER \"$AMPERE\" " + std::string(kSubmit) +
              " >/dev/null 2>&1 & sleep 0." + std::to_string(100 + draw(400)) + "; kill -9 $!");
  }

  // Everybody in turn, in an order that changes with every turn. The first one is an executor,
  // while there are jobs for sure.
  std::string next_victim() {
    if (victims_.empty()) {
      victims_ = {"executor", "slurmd", "database", "submitter", "slurmctld"};
      std::ranges::shuffle(victims_, random_);
      if (killed_.empty()) std::ranges::partition(victims_, is_no_executor);
    }
    const std::string victim = victims_.back();
    victims_.pop_back();
    return victim;
  }

  // Slurm may just be starting the next one.
  bool kill_executor() {
    for (int look = 0; look < 15; ++look) {
      pause(1500);
      if (cluster_.kill_executor(static_cast<unsigned>(draw(1000)))) return true;
    }
    return false;
  }

  void kill_something() {
    const std::string victim = next_victim();
    if (victim == "executor" && !kill_executor()) return;
    if (victim == "slurmd") cluster_.kill_daemon("n" + std::to_string(1 + draw(3)));
    if (victim == "database") cluster_.kill_database();
    if (victim == "submitter") kill_submitter();
    if (victim == "slurmctld") cluster_.kill_daemon("slurmctld");
    ++killed_[victim];
  }

  Json status() { return cli_->run("fleet status kills --silence 3 --json").json(); }

  bool all_finished(const Json& status) const {
    for (const Json& job : status.at("jobs"))
      if (job.at("state") != "finished") return false;
    return true;
  }

  Cluster cluster_;
  std::unique_ptr<Cli> cli_;
  std::mt19937 random_;
  const int kills_ = number_from("AMPERE_KILLS", 5);
  const int jobs_ = 3 * std::max(2, kills_ / 2);
  std::vector<std::string> victims_;
  std::map<std::string, int> killed_;
};

TEST_F(FleetKills, NoJobIsForgottenOrRunsTwiceAndTheLedgerAddsUp) {
  cli_->run(kSubmit);
  for (int i = 0; i < kills_; ++i) {
    kill_something();
    pause(700);
    cluster_.start();
    cli_->run(kSubmit);
    pause(700);
  }
  // Whoever is lost is offered again, until nobody is.
  Json last;
  for (int round = 0; round < 600; ++round) {
    // Also resumes nodes that Slurm drained when its controller had forgotten jobs.
    cluster_.start();
    cli_->run(kSubmit);
    last = status();
    if (all_finished(last)) break;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  ASSERT_EQ(last.at("jobs").size(), static_cast<std::size_t>(jobs_));
  double spent = 0, assumed = 0, attempts = 0;
  for (const Json& job : last.at("jobs")) {
    EXPECT_EQ(job.at("state"), "finished") << job;
    EXPECT_EQ(job.at("iterations_done"), job.at("iterations")) << job;
    spent += job.at("spent_j").get<double>();
    assumed += job.at("assumed_j").get<double>();
    attempts += job.at("attempt").get<double>();
  }

  const Json ledger = cli_->run("fleet ledger --journal --json").json();
  EXPECT_TRUE(ledger.at("audit").at("adds_up").get<bool>()) << ledger.at("audit");
  EXPECT_TRUE(ledger.at("audit").at("overspent").empty()) << ledger.at("audit");
  EXPECT_NEAR(ledger.at("accounts").at(0).at("spent_j").get<double>(), spent, 1e-3 * jobs_);
  EXPECT_EQ(ledger.at("accounts").at(0).at("reserved_j").get<double>(), 0);
  // Every reservation ended once.
  std::map<std::string, int> ends;
  for (const Json& entry : ledger.at("journal"))
    if (entry.at("what") == "settle" || entry.at("what") == "release")
      ++ends[entry.at("job").get<std::string>() + " " + entry.at("account").get<std::string>()];
  for (const auto& [reservation, count] : ends) EXPECT_EQ(count, 1) << reservation;

  EXPECT_GT(killed_["executor"], 0);
  std::string counts;
  for (const auto& [victim, count] : killed_) counts += " " + std::to_string(count) + " " + victim;
  std::printf(
      "killed:%s; %d jobs finished in %.0f attempts, %.3f J settled (simulated), %.3f J of it "
      "assumed\n",
      counts.c_str(), jobs_, attempts, spent, assumed);
}

}  // namespace
}  // namespace ampere
