// What the job table promises, whatever database it is in.
#include "fleet/job_table.h"

#include <gmock/gmock.h>

#include <cmath>

#include "../support/each_database.h"
#include "../support/error_of.h"
#include "sample_jobs.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing_support::error_of;
using testing_support::kVision;
using testing_support::sample_job;

class JobTableContract : public testing_support::EachDatabase {
 protected:
  void SetUp() override {
    EachDatabase::SetUp();
    if (!database_) return;
    table_.emplace(database_);
    table_->ledger().grant(kVision, {1000});
  }
  void TearDown() override {
    if (!table_) return;
    EXPECT_THAT(table_->ledger().audit().differences, IsEmpty());
    EXPECT_THAT(table_->ledger().audit().overdrawn, IsEmpty());
  }

  FleetJob add(const std::string& name = "a", double reserved = 100) {
    return table_->add("nightly", {sample_job(name, reserved)}).at(0);
  }
  Attempt begin(std::int64_t id, const std::string& slurm_id = "7") {
    return std::get<Attempt>(table_->begin(id, slurm_id, "node1"));
  }
  Refusal refusal(std::int64_t id, const std::string& slurm_id = "7") {
    return std::get<Refusal>(table_->begin(id, slurm_id, "node2"));
  }
  double reserved() { return table_->ledger().account(kVision).reserved.value; }
  double spent() { return table_->ledger().account(kVision).spent.value; }
  std::vector<std::string> endings(std::int64_t id) {
    std::vector<std::string> all;
    const auto row =
        rows(*database_, "SELECT ending FROM fleet_attempt WHERE job = ?1 ORDER BY number", id);
    while (row->next()) all.push_back(row->text(0));
    return all;
  }

  std::optional<JobTable> table_;
};
INSTANTIATE_FOR_EACH_DATABASE(JobTableContract);

AttemptProgress progress(std::int64_t iterations, double spent) {
  return {iterations, {spent}, Watts{10}, Source::simulated};
}

TEST_P(JobTableContract, AddsJobsAndReservesTheirEnergyAllOrNone) {
  FleetJob full = sample_job("full", 40);
  full.begin = "2026-01-31T12:00:00Z";
  full.energy_j = {20, 15, 30, 0.95};
  full.time_s = {5, 4, 6, 0.95};
  full.power_most = {12.5};
  const std::vector<FleetJob> added = table_->add("nightly", {sample_job("a", 60), full});
  ASSERT_THAT(added, SizeIs(2));
  EXPECT_EQ(reserved(), 100);
  const FleetJob job = table_->get(added[1].id);
  EXPECT_EQ(job.list, "nightly");
  EXPECT_EQ(job.name, "full");
  EXPECT_EQ(job.work, full.work);
  EXPECT_EQ(job.begin, full.begin);
  EXPECT_EQ(job.deadline, std::nullopt);
  EXPECT_EQ(job.energy_j.high, 30);
  EXPECT_EQ(job.time_s.low, 4);
  EXPECT_EQ(job.time_s.confidence, 0.95);
  EXPECT_EQ(job.power_most.value, 12.5);
  EXPECT_EQ(job.reserved.value, 40);
  EXPECT_THAT(job.accounts, ElementsAre(kVision));
  EXPECT_EQ(job.state, JobState::planned);
  EXPECT_FALSE(job.added_at.empty());
  EXPECT_TRUE(job.started_at.empty());

  const Error error = error_of([&] {
    table_->add("nightly", {sample_job("c", 800), sample_job("d", 500)});
  });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("project:vision lacks 400 J"));
  EXPECT_THAT(table_->find(), SizeIs(2));
  EXPECT_EQ(reserved(), 100);
}

TEST_P(JobTableContract, AddingTwiceIsAddingOnce) {
  const std::vector<FleetJob> first = table_->add("nightly", {sample_job("a"), sample_job("b")});
  const std::vector<FleetJob> again =
      table_->add("nightly", {sample_job("b"), sample_job("a"), sample_job("c")});
  EXPECT_EQ(again[0].id, first[1].id);
  EXPECT_EQ(again[1].id, first[0].id);
  EXPECT_EQ(reserved(), 300);
  EXPECT_THAT(error_of([&] { table_->add("nightly", {sample_job("a", 99)}); }).what(),
              HasSubstr("there is a job a already"));
  EXPECT_EQ(table_->add("weekly", {sample_job("a", 99)}).at(0).name, "a");
  ASSERT_THAT(table_->lists(), SizeIs(2));
  EXPECT_EQ(table_->lists()[0].name, "weekly");
  EXPECT_EQ(table_->lists()[1].jobs, 3);
  EXPECT_THAT(table_->find({.list = "nightly", .states = {JobState::planned}}), SizeIs(3));
  EXPECT_THAT(table_->find({.list = {}, .states = {JobState::lost}}), IsEmpty());
}

TEST_P(JobTableContract, RefusesJobsThatAreNone) {
  const auto code_with = [&](const auto& change) {
    FleetJob job = sample_job("a");
    change(job);
    return error_of([&] { table_->add("nightly", {job}); }).code();
  };
  EXPECT_EQ(code_with([](FleetJob& job) { job.name = "a b"; }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.name = ""; }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.name = "$(reboot)"; }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.name = std::string(500, 'x'); }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.work = ""; }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.reserved = {0}; }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.reserved = {std::nan("")}; }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.energy_j.high = std::nan(""); }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.time_s.low = -1; }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.iterations = -1; }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.accounts = {}; }), ErrorCode::usage);
  EXPECT_EQ(code_with([](FleetJob& job) { job.accounts = {"user:nobody"}; }), ErrorCode::unknown);
  EXPECT_EQ(error_of([&] { table_->add("a/b", {sample_job("a")}); }).code(), ErrorCode::usage);
  EXPECT_THAT(error_of([&] {
                table_->add("x", {sample_job("a"), sample_job("a")});
              }).what(),
              HasSubstr("two jobs are named a"));
  EXPECT_EQ(error_of([&] { table_->get(99); }).code(), ErrorCode::unknown);
  EXPECT_EQ(error_of([&] { table_->begin(99, "1", "n"); }).code(), ErrorCode::unknown);
  EXPECT_EQ(error_of([&] { table_->cancel(99, ""); }).code(), ErrorCode::unknown);
}

TEST_P(JobTableContract, RunsAJobFromItsPlanToItsEnd) {
  const std::int64_t id = add().id;
  table_->submitted(id, "7");
  EXPECT_EQ(table_->get(id).state, JobState::submitted);
  const Attempt attempt = begin(id);
  EXPECT_EQ(attempt.number, 1);
  EXPECT_EQ(attempt.spent_before.value, 0);
  EXPECT_EQ(table_->draw(attempt, {30}).value, 30);
  table_->progress(attempt, progress(400, 25));
  FleetJob job = table_->get(id);
  EXPECT_EQ(job.state, JobState::running);
  EXPECT_EQ(job.node, "node1");
  EXPECT_EQ(job.iterations_done, 400);
  EXPECT_EQ(job.spent.value, 25);
  EXPECT_EQ(job.source, Source::simulated);
  EXPECT_EQ(job.power->value, 10);
  EXPECT_LT(job.silent->count(), 30);
  table_->draw(attempt, {60});
  table_->finish(attempt, JobState::finished, "", progress(1000, 55));
  table_->finish(attempt, JobState::finished, "", progress(1000, 55));
  job = table_->get(id);
  EXPECT_EQ(job.state, JobState::finished);
  EXPECT_EQ(job.iterations_done, 1000);
  EXPECT_FALSE(job.ended_at.empty());
  EXPECT_EQ(reserved(), 0);
  EXPECT_EQ(spent(), 55);
  EXPECT_EQ(table_->ledger().find("fleet:" + std::to_string(id))->how, Settled::simulated);
  EXPECT_TRUE(refusal(id).finished);
  EXPECT_THAT(table_->samples("nightly"), SizeIs(2));
  EXPECT_EQ(table_->samples("nightly")[1].spent.value, 55);
  table_->submitted(id, "7");  // the job was faster than whoever submitted it
  EXPECT_EQ(error_of([&] { table_->submitted(id, "8"); }).code(), ErrorCode::failed);
}

TEST_P(JobTableContract, OnlyTheLatestAttemptIsHeard) {
  const std::int64_t id = add().id;
  const Attempt first = begin(id);
  table_->draw(first, {30});
  table_->progress(first, progress(400, 25));
  const Attempt second = begin(id);
  EXPECT_EQ(second.number, 2);
  EXPECT_EQ(second.spent_before.value, 30) << "all that was drawn counts as spent";
  EXPECT_EQ(second.job.iterations_done, 400);
  for (const auto& late : std::vector<std::function<void()>>{
           [&] { table_->draw(first, {40}); }, [&] { table_->progress(first, progress(500, 28)); },
           [&] { table_->suspend(first, progress(500, 28), ""); },
           [&] { table_->finish(first, JobState::finished, "", progress(1000, 28)); }}) {
    const Error error = error_of(late);
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_THAT(error.what(), HasSubstr("attempt 2 took over on node1; this is attempt 1"));
  }
  table_->draw(second, {70});
  table_->finish(second, JobState::finished, "", progress(1000, 62));
  EXPECT_EQ(spent(), 62);
  EXPECT_EQ(table_->get(id).assumed.value, 5);
  EXPECT_EQ(table_->ledger().find("fleet:" + std::to_string(id))->how, Settled::assumed);
  EXPECT_THAT(endings(id), ElementsAre("died", "finished"));
}

TEST_P(JobTableContract, AJobRunsInOnePlace) {
  const std::int64_t id = add().id;
  begin(id, "7");
  const Refusal elsewhere = refusal(id, "8");
  EXPECT_FALSE(elsewhere.finished);
  EXPECT_THAT(elsewhere.reason, AllOf(HasSubstr("runs elsewhere: as Slurm's job 7 on node1"),
                                      HasSubstr("this is Slurm's job 8")));
}

TEST_P(JobTableContract, ASuspendedJobKeepsExactBooks) {
  const std::int64_t id = add().id;
  const Attempt first = begin(id);
  table_->draw(first, {30});
  table_->suspend(first, progress(450, 27.5), "requeued");
  EXPECT_EQ(table_->get(id).state, JobState::submitted);
  const Attempt second = begin(id);
  EXPECT_EQ(second.spent_before.value, 27.5);
  EXPECT_EQ(second.job.iterations_done, 450);
  EXPECT_EQ(table_->get(id).assumed.value, 0);
  EXPECT_THAT(endings(id), ElementsAre("suspended", ""));
  table_->finish(second, JobState::failed, "out of memory", progress(450, 27.5));
  EXPECT_EQ(spent(), 27.5);
  EXPECT_EQ(table_->get(id).reason, "out of memory");
}

TEST_P(JobTableContract, ALostJobIsSettledWithWhatWasDrawnAndMayRunAgain) {
  const std::int64_t id = add().id;
  EXPECT_EQ(error_of([&] { table_->lose(id, "gone"); }).code(), ErrorCode::failed);
  const Attempt first = begin(id);
  table_->draw(first, {30});
  table_->progress(first, progress(400, 25));
  table_->draw(first, {50});
  table_->lose(id, "its node died");
  table_->lose(id, "its node died");
  FleetJob job = table_->get(id);
  EXPECT_EQ(job.state, JobState::lost);
  EXPECT_EQ(job.reason, "its node died");
  EXPECT_EQ(job.spent.value, 50);
  EXPECT_EQ(job.assumed.value, 25);
  EXPECT_EQ(spent(), 50);
  EXPECT_EQ(reserved(), 0);
  EXPECT_THAT(refusal(id).reason, HasSubstr("is lost (its node died): submit it again"));
  EXPECT_EQ(error_of([&] { table_->progress(first, progress(500, 30)); }).code(),
            ErrorCode::failed);

  table_->again(id, {80});
  EXPECT_EQ(reserved(), 80);
  const Attempt second = begin(id, "9");
  EXPECT_EQ(second.spent_before.value, 0);
  EXPECT_EQ(second.job.iterations_done, 400);
  EXPECT_EQ(second.job.reserved.value, 80);
  table_->draw(second, {60});
  table_->finish(second, JobState::finished, "", progress(1000, 40));
  job = table_->get(id);
  EXPECT_EQ(job.spent.value, 90);
  EXPECT_EQ(job.assumed.value, 25);
  EXPECT_EQ(job.round, 2);
  EXPECT_EQ(spent(), 90);
  EXPECT_EQ(error_of([&] { table_->again(id, {80}); }).code(), ErrorCode::failed);
}

TEST_P(JobTableContract, AJobThatCannotBePlannedAgainKeepsItsState) {
  const std::int64_t id = add().id;
  table_->cancel(id, "not needed");
  EXPECT_EQ(error_of([&] { table_->again(id, {5000}); }).code(), ErrorCode::failed);
  EXPECT_EQ(table_->get(id).state, JobState::cancelled);
  EXPECT_EQ(table_->get(id).round, 1);
  EXPECT_EQ(error_of([&] { table_->again(id, {-5}); }).code(), ErrorCode::usage);
}

TEST_P(JobTableContract, CancelsAtOnceWhatDoesNotRun) {
  const std::int64_t id = add().id;
  table_->submitted(id, "7");
  table_->cancel(id, "not needed");
  table_->cancel(id, "twice");
  EXPECT_EQ(table_->get(id).state, JobState::cancelled);
  EXPECT_EQ(table_->get(id).reason, "not needed");
  EXPECT_EQ(reserved(), 0);
  EXPECT_THAT(refusal(id).reason, HasSubstr("is cancelled (not needed)"));
}

TEST_P(JobTableContract, TellsARunningJobThatItIsCancelled) {
  const std::int64_t id = add().id;
  const Attempt attempt = begin(id);
  table_->draw(attempt, {30});
  table_->cancel(id, "not needed");
  EXPECT_TRUE(table_->get(id).cancelling);
  EXPECT_THROW(table_->progress(attempt, progress(1, 1)), JobCancelled);
  EXPECT_THROW(table_->draw(attempt, {40}), JobCancelled);
  EXPECT_THROW(table_->suspend(attempt, progress(1, 1), ""), JobCancelled);
  table_->finish(attempt, JobState::cancelled, "not needed", progress(100, 12));
  EXPECT_EQ(spent(), 12);
  EXPECT_EQ(table_->get(id).state, JobState::cancelled);
}

TEST_P(JobTableContract, ACancelledJobThatDiesIsCancelled) {
  const std::int64_t id = add().id;
  const Attempt attempt = begin(id);
  table_->draw(attempt, {30});
  table_->cancel(id, "not needed");
  EXPECT_THAT(refusal(id).reason, HasSubstr("is being cancelled: not needed"));
  table_->lose(id, "its node died");
  EXPECT_EQ(table_->get(id).state, JobState::cancelled);
  EXPECT_EQ(spent(), 30);
}

TEST_P(JobTableContract, AJobThatIsQueuedAgainHasSpentWhatItHadDrawn) {
  const std::int64_t id = add().id;
  const Attempt first = begin(id);
  table_->draw(first, {30});
  table_->progress(first, progress(100, 10));
  table_->requeued(id, first.number);
  EXPECT_EQ(table_->get(id).state, JobState::submitted);
  EXPECT_EQ(table_->get(id).spent.value, 30);
  EXPECT_EQ(table_->get(id).assumed.value, 20);
  EXPECT_THROW(table_->progress(first, progress(200, 20)), Error);
  const Attempt second = begin(id);
  table_->requeued(id, first.number);  // by somebody who looked before
  EXPECT_EQ(table_->get(id).state, JobState::running);
  table_->draw(second, {45});
  table_->cancel(id, "not needed");
  table_->requeued(id, second.number);
  EXPECT_EQ(table_->get(id).state, JobState::cancelled);
  EXPECT_EQ(spent(), 45);
  EXPECT_EQ(reserved(), 0);
}

TEST_P(JobTableContract, WhatNobodyMeasuredIsAssumed) {
  const std::int64_t id = add().id;
  const Attempt attempt = begin(id);
  table_->draw(attempt, {30});
  table_->progress(attempt, progress(100, 10));
  table_->finish(attempt, JobState::failed, "the runner died", {100, {30}, {}, {}});
  EXPECT_EQ(table_->get(id).assumed.value, 20);
  EXPECT_EQ(spent(), 30);
  EXPECT_EQ(table_->ledger().find("fleet:" + std::to_string(id))->how, Settled::assumed);
}

TEST_P(JobTableContract, AJobThatUsedNothingFreesEverything) {
  const std::int64_t id = add().id;
  const Attempt attempt = begin(id);
  table_->finish(attempt, JobState::failed, "no such rig", {});
  EXPECT_EQ(spent(), 0);
  EXPECT_EQ(reserved(), 0);
  EXPECT_EQ(error_of([&] { table_->finish(attempt, JobState::running, "", {}); }).code(),
            ErrorCode::usage);
}

}  // namespace
}  // namespace ampere
