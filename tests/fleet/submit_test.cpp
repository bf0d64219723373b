#include "fleet/submit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/error_of.h"
#include "fake_slurm.h"
#include "fleet/job_work.h"
#include "now.h"
#include "sql/sql.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::error_of;
using testing_support::FakeSlurm;
using testing_support::kNow;
using testing_support::TempFolder;

// A Slurm whose queue is a file: sbatch appends to it unless it is told to refuse.
class SubmittedJobs : public testing::Test {
 protected:
  SubmittedJobs() : table_(open_database("sqlite:" + folder_ / "fleet.db", Access::write)) {
    slurm_.program("sbatch", R"(
      test -e "$FOLDER/refuse" && { echo 'sbatch: error: it does not like this job' >&2; exit 1; }
      echo x >> "$FOLDER/calls"
      id=$(wc -l < "$FOLDER/calls" | tr -d ' ')
      name=; last=
      for a; do test "$last" = --job-name && name=$a; last=$a; echo "$a"; done > "$FOLDER/arguments"
      last=; for a; do test "$last" = --job-name && name=$a; last=$a; done
      cat > "$FOLDER/script"
      echo "$id|PENDING|Priority||$name" >> "$FOLDER/queue"
      echo "$id")");
    slurm_.program("squeue", "cat \"$FOLDER/queue\" 2>/dev/null; exit 0");
    fleet_.path = "fleet.toml";
    fleet_.kinds = {{.name = "xavier", .constraint = "xavier", .gres = "", .rig = "sim:xavier"}};
    options_ = {.store = "sqlite:it's.db", .program = "/opt/ampere", .logs = folder_ / "logs"};
    options_.now = kNow;
    table_.ledger().grant("project:p", Joules{1000});
  }

  std::vector<FleetJob> add(int count, const std::optional<std::string>& deadline = {}) {
    JobWork work;
    work.command = {"train"};
    std::vector<FleetJob> jobs;
    for (int i = 1; i <= count; ++i) {
      FleetJob& job = jobs.emplace_back();
      job.name = "a-" + std::to_string(i);
      job.work = to_text(work);
      job.kind = "xavier";
      job.energy_j = {10, 9, 12, 0.95};
      job.time_s = {100, 90, 120, 0.95};
      job.power_most = {13.2};
      job.reserved = {20};
      job.accounts = {"project:p"};
      job.deadline = deadline;
    }
    return table_.add("l", jobs);
  }

  Submitted submit() { return submit_list(table_, Slurm(), fleet_, "l", options_); }
  void forget_queue() { slurm_.program("squeue", "exit 0"); }
  double reserved() { return table_.ledger().account("project:p").reserved.value; }

  FakeSlurm slurm_;
  TempFolder folder_;
  JobTable table_;
  FleetFile fleet_;
  SubmitOptions options_;
};

TEST_F(SubmittedJobs, AreSubmittedOnce) {
  add(3);
  EXPECT_EQ(submit().submitted, 3);
  EXPECT_EQ(submit().submitted, 0);
  for (const FleetJob& job : table_.find()) EXPECT_EQ(job.state, JobState::submitted);
  EXPECT_EQ(split(slurm_.read("calls"), '\n').size(), 4u);  // the last one is empty
}

// The process died after sbatch and before it wrote down the id.
TEST_F(SubmittedJobs, AreFoundByTheirNamesWhenTheirIdsAreNotKnown) {
  const FleetJob job = add(1).front();
  slurm_.prints("squeue", "77|RUNNING|None|n1|" + slurm_name(job) + "\n");
  const Submitted done = submit();
  EXPECT_EQ(done.submitted, 0);
  EXPECT_EQ(table_.get(job.id).slurm_id, "77");
}

TEST_F(SubmittedJobs, GoOnAfterAJobThatSlurmRefused) {
  add(2);
  std::ofstream(slurm_.file("refuse")) << "x";
  const Error error = error_of([&] { submit(); });
  EXPECT_THAT(error.what(), HasSubstr("job 'a-1' on xavier: sbatch: it does not like this job"));
  std::filesystem::remove(slurm_.file("refuse"));
  EXPECT_EQ(submit().submitted, 2);
}

TEST_F(SubmittedJobs, HaveLimitsThatComeFromTheirUpperBounds) {
  add(1, "2027-01-15T10:00:00Z");
  submit();
  const std::string arguments = slurm_.read("arguments");
  EXPECT_THAT(arguments, HasSubstr("--licenses\nwatts:14\n"));
  EXPECT_THAT(arguments, HasSubstr("--constraint\nxavier\n"));
  EXPECT_THAT(arguments, HasSubstr("--deadline\n"));
  EXPECT_THAT(arguments, Not(HasSubstr("--begin\n")));
  const std::size_t at = arguments.find("--time\n") + 7;
  EXPECT_GE(std::stoi(arguments.substr(at)), 3);  // 120 s and a minute
  EXPECT_THAT(slurm_.read("script"), HasSubstr("AMPERE_STORE='sqlite:it'\\''s.db'"));
  EXPECT_THAT(slurm_.read("script"), HasSubstr("exec /opt/ampere fleet execute 1"));
}

// Slurm keeps scripts where others can read them.
TEST_F(SubmittedJobs, CarryNoPassword) {
  add(1);
  options_.store = "postgresql://ana:s3cret@db/ampere";
  const Error error = error_of([&] { submit(); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("PGPASSFILE"));
  EXPECT_THAT(error.what(), HasSubstr("service file"));
  EXPECT_THAT(error.what(), HasSubstr("postgresql://ana:***@db/ampere"));
  EXPECT_THAT(error.what(), Not(HasSubstr("s3cret")));
  EXPECT_FALSE(std::filesystem::exists(slurm_.file("calls")));
  options_.store = "postgresql://ana@db/ampere";
  EXPECT_EQ(submit().submitted, 1);
}

TEST_F(SubmittedJobs, WithoutLicencesAskForNone) {
  add(1);
  options_.with_watts = false;
  submit();
  EXPECT_THAT(slurm_.read("arguments"), Not(HasSubstr("--licenses")));
}

TEST_F(SubmittedJobs, ThatCannotKeepTheirDeadlineAnyMoreAreCancelled) {
  const FleetJob job = add(1, "2027-01-15T08:01:00Z").front();  // takes up to two minutes
  const Submitted done = submit();
  EXPECT_EQ(done.submitted, 0);
  ASSERT_EQ(done.too_late.size(), 1u);
  EXPECT_EQ(table_.get(job.id).state, JobState::cancelled);
  EXPECT_EQ(reserved(), 0);
}

TEST_F(SubmittedJobs, ThatSlurmForgotAreLostAndOfferedAgain) {
  const FleetJob job = add(1).front();
  submit();
  EXPECT_TRUE(reconcile(table_, Slurm(), Seconds(60)).lost.empty());
  forget_queue();
  EXPECT_EQ(reconcile(table_, Slurm(), Seconds(60)).lost.size(), 1u);
  EXPECT_EQ(table_.get(job.id).state, JobState::lost);
  EXPECT_EQ(reserved(), 0);
  const Submitted done = submit();
  EXPECT_EQ(done.submitted, 1);
  EXPECT_EQ(done.again, 1);
  EXPECT_GT(reserved(), 0);
}

// What a dead attempt had drawn may be missing at the end, by no fault of the job.
TEST_F(SubmittedJobs, ThatLackEnergyBecauseAttemptsDiedAreOfferedAgain) {
  slurm_.program("scancel", "exit 0");
  const FleetJob job = add(1).front();
  submit();
  const std::string slurm_id = table_.get(job.id).slurm_id;
  table_.draw(std::get<Attempt>(table_.begin(job.id, slurm_id, "n1")), Joules{15});
  const auto second = std::get<Attempt>(table_.begin(job.id, slurm_id, "n1"));
  table_.finish(second, JobState::stopped, "no energy", {0, {19}, {}, Source::simulated});
  EXPECT_EQ(submit().again, 1);
  EXPECT_GT(reserved(), 0);
  // One that uses more than its upper bound by itself is not.
  const auto third = std::get<Attempt>(table_.begin(job.id, table_.get(job.id).slurm_id, "n1"));
  table_.finish(third, JobState::stopped, "no energy", {0, {1}, {}, Source::simulated});
  EXPECT_EQ(submit().again, 0);
  EXPECT_EQ(table_.get(job.id).state, JobState::stopped);
}

TEST_F(SubmittedJobs, ThatStillReportAreNotLost) {
  const FleetJob job = add(1).front();
  submit();
  const auto attempt = std::get<Attempt>(table_.begin(job.id, table_.get(job.id).slurm_id, "n1"));
  table_.draw(attempt, Joules{5});
  forget_queue();
  EXPECT_TRUE(reconcile(table_, Slurm(), Seconds(3600)).lost.empty());
  EXPECT_EQ(reconcile(table_, Slurm(), Seconds(0)).lost.size(), 1u);
  // Nobody knows how much of it was used, so all of it counts.
  EXPECT_EQ(table_.ledger().account("project:p").spent, Joules{5});
  EXPECT_TRUE(table_.ledger().audit().adds_up());
}

TEST_F(SubmittedJobs, ThatHaveEndedDoNotStayInTheQueue) {
  const FleetJob job = add(1).front();
  submit();
  table_.cancel(job.id, "not wanted");
  slurm_.program("scancel", "for a; do echo \"$a\"; done > \"$FOLDER/cancelled\"");
  submit();
  EXPECT_THAT(slurm_.read("cancelled"), HasSubstr("\n" + table_.get(job.id).slurm_id + "\n"));
}

// A controller that was killed believes that a job still runs whose end it did not write down.
TEST_F(SubmittedJobs, ThatEndedLongAgoDoNotKeepTheirNodeBusy) {
  const FleetJob job = add(1).front();
  submit();
  table_.cancel(job.id, "not wanted");
  slurm_.prints("squeue", "1|RUNNING|None|n1|" + slurm_name(job) + "\n");
  slurm_.program("scancel", "for a; do echo \"$a\"; done > \"$FOLDER/cancelled\"");
  submit();
  EXPECT_FALSE(std::filesystem::exists(slurm_.file("cancelled"))) << "it may just be about to exit";
  options_.silence = Seconds(-2);
  submit();
  EXPECT_EQ(slurm_.read("cancelled"), "--quiet\n1\n");
}

// Its node died, and Slurm has put it back into its queue.
TEST_F(SubmittedJobs, WhoseNodeDiedAreNotShownAsRunning) {
  const FleetJob job = add(1).front();
  submit();
  const auto attempt = std::get<Attempt>(table_.begin(job.id, table_.get(job.id).slurm_id, "n1"));
  table_.draw(attempt, Joules{5});
  reconcile(table_, Slurm(), Seconds(3600));
  EXPECT_EQ(table_.get(job.id).state, JobState::running) << "it may still report";
  reconcile(table_, Slurm(), Seconds(0));
  EXPECT_EQ(table_.get(job.id).state, JobState::submitted);
  EXPECT_EQ(table_.get(job.id).assumed, Joules{5});
  EXPECT_EQ(error_of([&] { table_.draw(attempt, Joules{6}); }).code(), ErrorCode::failed);
  const auto next = std::get<Attempt>(table_.begin(job.id, table_.get(job.id).slurm_id, "n2"));
  EXPECT_EQ(next.number, 2);
  EXPECT_EQ(next.spent_before, Joules{5});
  EXPECT_TRUE(table_.ledger().audit().adds_up());
}

TEST_F(SubmittedJobs, ThatSlurmCouldNotStartAreReleased) {
  const FleetJob job = add(1).front();
  slurm_.program("scontrol", "for a; do echo \"$a\"; done > \"$FOLDER/released\"");
  slurm_.prints("squeue", "77|PENDING|launch failed requeued held||" + slurm_name(job) + "\n");
  submit();
  EXPECT_EQ(slurm_.read("released"), "release\n77\n");
}

TEST_F(SubmittedJobs, AreNotLostWhenSlurmDoesNotAnswer) {
  const FleetJob job = add(1).front();
  submit();
  slurm_.program("squeue", "echo 'Unable to contact slurm controller' >&2; exit 1");
  EXPECT_EQ(error_of([&] { reconcile(table_, Slurm(), Seconds(0)); }).code(), ErrorCode::failed);
  EXPECT_EQ(table_.get(job.id).state, JobState::submitted);
}

}  // namespace
}  // namespace ampere
