// Many processes at one ledger, some of which are killed at any moment.
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "../support/each_database.h"
#include "ledger/ledger.h"

extern char** environ;

namespace ampere {
namespace {

using ::testing::IsEmpty;

constexpr int kProcesses = 8, kKills = 12;

class ConcurrentLedger : public testing_support::EachDatabase {
 protected:
  pid_t start(unsigned seed, const char* seconds) const {
    std::string program = AMPERE_LEDGER_WORKER, url = url_, number = std::to_string(seed),
                time = seconds;
    char* argv[] = {program.data(), url.data(), number.data(), time.data(), nullptr};
    pid_t pid = -1;
    EXPECT_EQ(posix_spawn(&pid, program.c_str(), nullptr, nullptr, argv, environ), 0);
    return pid;
  }
};
INSTANTIATE_FOR_EACH_DATABASE(ConcurrentLedger);

TEST_P(ConcurrentLedger, AddsUpWhateverHappensAtOnceAndWhoeverIsKilled) {
  Ledger ledger(database_);
  for (const char* account : {"project:p0", "project:p1", "project:p2", "project:p3"})
    ledger.grant(account, {100});
  std::mt19937 random(20260131);
  std::vector<pid_t> workers;
  unsigned seed = 0;
  for (int i = 0; i < kProcesses; ++i) workers.push_back(start(++seed, "4"));
  for (int i = 0; i < kKills; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100 + random() % 200));
    pid_t& victim = workers[random() % workers.size()];
    kill(victim, SIGKILL);
    waitpid(victim, nullptr, 0);
    victim = start(++seed, "3");
  }
  for (const pid_t worker : workers) {
    int status = 0;
    waitpid(worker, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const Audit audit = ledger.audit();
  EXPECT_GT(audit.entries, 100) << "they did something";
  EXPECT_THAT(audit.differences, IsEmpty());
  EXPECT_THAT(audit.overspent, IsEmpty());
  EXPECT_THAT(audit.overdrawn, IsEmpty()) << "no account was ever over its grant";
  for (const Account& account : ledger.accounts()) EXPECT_GE(account.free().value, 0);
  RecordProperty("entries", static_cast<int>(audit.entries));
}

}  // namespace
}  // namespace ampere
