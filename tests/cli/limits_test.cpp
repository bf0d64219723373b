// Disks that are full, stores that others keep locked, and streams without an end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "ampere/store.h"
#include "cli.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

TEST(Limits, AFullDiskUnderARecordingIsAFailureThatSaysSo) {
  const Cli cli;
  const Ran ran = cli.run("run lenet5 --rig sim:ideal --store memory: --record /dev/full");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("/dev/full"), HasSubstr("No space left on device")));
}

class LockedStore : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cli_.run("run lenet5 --rig sim:ideal --store sqlite:s.db").status, 0);
    store_ = open_store("sqlite:" + cli_.path("s.db").string());
  }

  Cli cli_;
  std::unique_ptr<Store> store_;
};

TEST_F(LockedStore, IsWaitedForAndTheUserKnowsForWhom) {
  Ran ran;
  store_->atomically([&] {
    store_->put_document(1, {"test", "text"});
    ran = cli_.shell(
        "env -u AMPERE \"$AMPERE\" profiles remove 1 --store sqlite:s.db & pid=$!\n"
        "until grep -q waiting err; do sleep 0.1; done; kill -INT $pid; wait $pid");
  });
  EXPECT_EQ(ran.status, 130) << ran.err;
  const std::string holder = "process " + std::to_string(getpid()) + " (cli_test)";
  EXPECT_THAT(ran.err, AllOf(HasSubstr("s.db: waiting for "), HasSubstr("interrupted")));
  if (access("/proc/locks", R_OK) == 0) {
    EXPECT_THAT(ran.err, HasSubstr(holder));
  }
  EXPECT_EQ(store_->profiles().size(), 1U);
}

TEST_F(LockedStore, IsWrittenOnceItIsFree) {
  store_->atomically([&] {
    store_->put_document(1, {"test", "text"});
    cli_.shell(
        "(ampere profiles remove 1 --store sqlite:s.db; echo $? >status) >/dev/null 2>told &\n"
        "until grep -q waiting told; do sleep 0.1; done");
  });
  const Ran ran = cli_.shell("until [ -s status ]; do sleep 0.1; done; exit $(<status)");
  EXPECT_EQ(ran.status, 0) << cli_.read("told");
  EXPECT_TRUE(store_->profiles().empty());
}

// All memory that a program of this size may take; without limits it would take gigabytes. The
// address sanitizer reserves more for itself, so that there only the refusal is tested.
#ifdef __SANITIZE_ADDRESS__
constexpr const char* kBounded = "";
#else
constexpr const char* kBounded = "ulimit -v 1500000; ";
#endif

TEST(Limits, ALineWithoutEndIsRefusedInBoundedMemory) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --networks 4 --rig sim:server").status, 0);
  const Ran ran = cli.shell(std::string(kBounded) + "ampere estimate - < /dev/zero");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("standard input"), HasSubstr("longer than 64 MiB")));
}

TEST(Limits, KernelsArePredictedFromLinesOfBoundedLength) {
  const Cli cli;
  ASSERT_EQ(cli.run("kernels measure alexnet --configurations 20 --rig sim:oppo").status, 0);
  const Ran ran = cli.shell(std::string(kBounded) + "ampere kernels predict < /dev/zero");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("standard input"), HasSubstr("longer than 64 MiB")));
}

TEST(Limits, ARecordingThatUnpacksToTooMuchIsRefusedInBoundedMemory) {
  const Cli cli;
  ASSERT_EQ(cli.run("run lenet5 --rig sim:ideal --store memory: --record r.jsonl").status, 0);
  for (const auto& [bomb, words] : std::vector<std::pair<std::string, std::string>>{
           {"head -c 200000000 /dev/zero", "a line is longer than 64 MiB"},
           {"yes '' | head -c 100000000", "larger than 1024 MiB when it is unpacked"}}) {
    const Ran ran =
        cli.shell("{ head -1 r.jsonl; " + bomb + "; } | gzip -1 > bomb.jsonl.gz\n" +
                  std::string(kBounded) + "ampere run lenet5 --rig recorded:bomb.jsonl.gz");
    EXPECT_EQ(ran.status, 2) << bomb;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("bomb.jsonl.gz: "), HasSubstr(words))) << bomb;
  }
}

}  // namespace
}  // namespace ampere
