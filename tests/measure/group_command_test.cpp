#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "measure/command.h"
#include "support/temp_folder.h"

namespace ampere {
namespace {

CommandEnd end_of(GroupCommand& command) {
  for (;;) {
    if (const auto end = command.end()) return *end;
    usleep(2000);
  }
}

std::string read_word(const std::string& path) {
  for (int i = 0; i < 5000; ++i) {
    std::string word;
    if (std::ifstream(path) >> word) return word;
    usleep(2000);
  }
  return "";
}

bool is_gone(pid_t pid) {
  for (int i = 0; i < 5000; ++i) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    if (!(status >> number >> name >> state) || state == "Z") return true;
    usleep(2000);
  }
  return false;
}

TEST(GroupCommand, TellsHowItEnded) {
  GroupCommand status({"/bin/sh", "-c", "exit 7"}, "");
  EXPECT_EQ(end_of(status).status, 7);
  EXPECT_EQ(end_of(status).signal, 0) << "asked again";
  GroupCommand killed({"/bin/sh", "-c", "kill -15 $$"}, "");
  EXPECT_EQ(end_of(killed).signal, SIGTERM);
}

TEST(GroupCommand, SaysWhyItCannotRun) {
  const auto refusal = [](const std::vector<std::string>& argv, const std::string& folder) {
    try {
      GroupCommand command(argv, folder);
    } catch (const CannotRun& error) {
      return error.status();
    }
    return 0;
  };
  EXPECT_EQ(refusal({"there-is-no-such-command"}, ""), 127);
  EXPECT_EQ(refusal({"/etc/passwd"}, ""), 126);
  EXPECT_EQ(refusal({"true"}, "/there/is/no/such/folder"), 127);
}

TEST(GroupCommand, RunsInAFolder) {
  const testing_support::TempFolder folder;
  GroupCommand command({"/bin/sh", "-c", "pwd > here"}, folder.path());
  end_of(command);
  EXPECT_EQ(read_word(folder / "here"), std::filesystem::canonical(folder.path()).string());
}

TEST(GroupCommand, SignalsReachEveryProcessOfTheGroup) {
  const testing_support::TempFolder folder;
  GroupCommand command(
      {"/bin/sh", "-c",
       "(trap 'echo yes > child; exit' USR1; echo 1 > ready; while :; do sleep 0.01; "
       "done) & trap '' USR1; wait; wait"},
      folder.path());
  EXPECT_EQ(read_word(folder / "ready"), "1");
  command.signal(SIGUSR1);
  EXPECT_EQ(read_word(folder / "child"), "yes");
}

TEST(GroupCommand, TakesWhatItLeftWithIt) {
  const testing_support::TempFolder folder;
  GroupCommand command({"/bin/sh", "-c", "sleep 1000 & echo $! > pid"}, folder.path());
  end_of(command);
  EXPECT_TRUE(is_gone(std::stoi(read_word(folder / "pid"))));
}

TEST(GroupCommand, TwoAtOnceEndInAnyOrder) {
  auto first = std::make_unique<GroupCommand>(std::vector<std::string>{"sleep", "1000"}, "");
  GroupCommand second({"sleep", "1000"}, "");
  first.reset();
  EXPECT_FALSE(second.end());
}

TEST(GroupCommand, DoesNotOutliveAKilledParent) {
  const testing_support::TempFolder folder;
  const pid_t parent = fork();
  if (parent == 0) {
    GroupCommand command({"/bin/sh", "-c", "sleep 1000 & echo $! > pid; wait"}, folder.path());
    for (;;) pause();
  }
  const pid_t grandchild = std::stoi(read_word(folder / "pid"));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(is_gone(grandchild));
}

}  // namespace
}  // namespace ampere
