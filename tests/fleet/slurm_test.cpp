#include "fleet/slurm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/error_of.h"
#include "fake_slurm.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing_support::error_of;
using testing_support::FakeSlurm;

TEST(Slurm, ReadsNodesWithFeaturesAndGres) {
  const FakeSlurm fake;
  fake.prints("sinfo",
              "n1|idle|(null)|xavier,fast\n"
              "n2|allocated|gpu:a100:2(S:0-1),phone:3,plain|(null)\n");
  const std::vector<SlurmNode> nodes = Slurm().nodes();
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_THAT(nodes[0].features, ElementsAre("xavier", "fast"));
  EXPECT_TRUE(nodes[0].has("fast"));
  EXPECT_TRUE(nodes[0].gres.empty());
  EXPECT_TRUE(nodes[1].features.empty());
  EXPECT_EQ(nodes[1].gres.at("gpu"), 2);
  EXPECT_EQ(nodes[1].gres.at("phone"), 3);
  EXPECT_EQ(nodes[1].gres.at("plain"), 1);
}

TEST(Slurm, ListsANodeOfSeveralPartitionsOnce) {
  const FakeSlurm fake;
  fake.prints("sinfo", "n1|idle|(null)|a\nn1|idle|(null)|a\n");
  EXPECT_EQ(Slurm().nodes().size(), 1u);
}

TEST(Slurm, ANodeThatIsDownOrSilentIsNotUsable) {
  EXPECT_TRUE((SlurmNode{"n", "idle", {}, {}}.usable()));
  EXPECT_TRUE((SlurmNode{"n", "mixed", {}, {}}.usable()));
  EXPECT_TRUE((SlurmNode{"n", "idle~", {}, {}}.usable()));
  EXPECT_FALSE((SlurmNode{"n", "idle*", {}, {}}.usable()));
  EXPECT_FALSE((SlurmNode{"n", "down", {}, {}}.usable()));
  EXPECT_FALSE((SlurmNode{"n", "draining", {}, {}}.usable()));
}

TEST(Slurm, TakesItsOwnJobsOutOfTheQueueOfAllUsers) {
  const FakeSlurm fake;
  fake.prints("squeue",
              "7|RUNNING|None|n1|ampere-nightly-3\n"
              "8|PENDING|Licenses||ampere-nightly-4\n"
              "9|RUNNING|None|n2|somebody's | odd | job\n"
              "10_[1-5]|PENDING|Priority||array\n");
  const std::vector<SlurmJob> jobs = Slurm().jobs("ampere-");
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].id, "7");
  EXPECT_EQ(jobs[0].nodes, "n1");
  EXPECT_EQ(jobs[1].state, "PENDING");
  EXPECT_EQ(jobs[1].reason, "Licenses");
}

TEST(Slurm, ReadsLicences) {
  const FakeSlurm fake;
  fake.prints("scontrol",
              "LicenseName=matlab Total=3 Used=0 Free=3 Reserved=0 Remote=yes\n"
              "LicenseName=watts Total=1000 Used=400 Free=600 Reserved=0 Remote=no\n");
  EXPECT_EQ(Slurm().licences("watts")->total, 1000);
  EXPECT_EQ(Slurm().licences("watts")->used, 400);
  EXPECT_FALSE(Slurm().licences("amperes").has_value());
}

TEST(Slurm, ASiteWithoutLicencesHasNone) {
  const FakeSlurm fake;
  fake.prints("scontrol", "No licenses configured in Slurm.\n");
  EXPECT_FALSE(Slurm().licences("watts").has_value());
}

TEST(Slurm, SubmitsWithExplicitOptions) {
  const FakeSlurm fake;
  fake.program(
      "sbatch",
      "for a; do echo \"$a\"; done > \"$FOLDER/arguments\"; cat > \"$FOLDER/script\"; echo "
      "'42;cluster'");
  SlurmRequest request;
  request.name = "ampere-nightly-3";
  request.script = "#!/bin/sh\necho it's here\n";
  request.constraint = "xavier";
  request.watts = 17;
  request.minutes = 5;
  request.begin_in = Seconds(59.2);
  request.deadline_in = Seconds(3600);
  request.output = "/tmp/a b.log";
  EXPECT_EQ(Slurm().submit(request), "42");
  EXPECT_EQ(fake.read("script"), request.script);
  const std::string arguments = fake.read("arguments");
  for (const char* expected :
       {"--job-name\nampere-nightly-3\n", "--constraint\nxavier\n", "--exclusive\n",
        "--licenses\nwatts:17\n", "--time\n5\n", "--begin\nnow+60\n", "--deadline\nnow+3600\n",
        "--output\n/tmp/a b.log\n", "--requeue\n", "--open-mode\nappend\n"})
    EXPECT_THAT(arguments, HasSubstr(expected));
}

TEST(Slurm, ADeviceBehindAGatewaySharesItsNode) {
  const FakeSlurm fake;
  fake.program("sbatch", "for a; do echo \"$a\"; done > \"$FOLDER/arguments\"; echo 1");
  SlurmRequest request;
  request.name = "ampere-a-1";
  request.gres = "phone";
  Slurm().submit(request);
  EXPECT_THAT(fake.read("arguments"), HasSubstr("--gres\nphone\n"));
  EXPECT_THAT(fake.read("arguments"), Not(HasSubstr("--exclusive")));
}

TEST(Slurm, PassesOnWhyAJobIsRefused) {
  const FakeSlurm fake;
  fake.program("sbatch",
               "echo 'sbatch: error: Batch job submission failed: Invalid feature specification' "
               ">&2; exit 1");
  const Error error = error_of([] { Slurm().submit({}); });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("Invalid feature specification"));
}

TEST(Slurm, SaysThatItIsNotInstalled) {
  const FakeSlurm fake;
  fake.hide_everything_else();
  const Error error = error_of([] { Slurm().nodes(); });
  EXPECT_EQ(error.code(), ErrorCode::unknown);
  EXPECT_THAT(error.what(), HasSubstr("Slurm is not installed here"));
  EXPECT_FALSE(has_slurm());
}

TEST(Slurm, SaysThatItsControllerDoesNotAnswer) {
  const FakeSlurm fake;
  fake.program("squeue",
               "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' "
               ">&2; exit 1");
  const Error error = error_of([] { Slurm().jobs(""); });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("Slurm's controller does not answer"));
}

// Slurm's own programs wait a minute for such a file.
TEST(Slurm, DoesNotWaitForAConfigurationThatIsNotThere) {
  const FakeSlurm fake;
  fake.program("sinfo", "sleep 100");
  setenv("SLURM_CONF", "/nowhere/slurm.conf", 1);
  const Error error = error_of([] { Slurm().nodes(); });
  unsetenv("SLURM_CONF");
  EXPECT_EQ(error.code(), ErrorCode::unknown);
  EXPECT_THAT(error.what(), HasSubstr("/nowhere/slurm.conf"));
}

class OddOutput : public testing::TestWithParam<std::string> {};

TEST_P(OddOutput, IsAnErrorAndNeverANodeOrAJob) {
  const FakeSlurm fake;
  for (const char* name : {"sinfo", "squeue", "sbatch"}) fake.prints(name, GetParam());
  EXPECT_EQ(error_of([] { Slurm().nodes(); }).code(), ErrorCode::failed);
  EXPECT_EQ(error_of([] { Slurm().jobs(""); }).code(), ErrorCode::failed);
  EXPECT_EQ(error_of([] { Slurm().submit({}); }).code(), ErrorCode::failed);
}

INSTANTIATE_TEST_SUITE_P(Slurm, OddOutput,
                         testing::Values("usage: sinfo [OPTIONS]\n", "n1|idle\n",
                                         std::string("\x00\xff\x1b[2J|\n", 8), "|||||\n",
                                         std::string(200'000, 'x'), "Submitted batch job 7\n"));

TEST(Slurm, AMessageWithControlCharactersCannotReachTheTerminal) {
  const FakeSlurm fake;
  fake.program("sinfo", "printf 'sinfo: error: \\033[2Jgone' >&2; exit 1");
  EXPECT_THAT(error_of([] { Slurm().nodes(); }).what(), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace ampere
