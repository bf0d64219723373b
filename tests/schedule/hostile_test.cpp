// Tasks that make no sense are refused with the name of what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "schedule/check_schedule.h"
#include "schedule/simple_task.h"
#include "support/error_of.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::error_of;
using testing_support::simple_choice;
using testing_support::simple_task;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

void expect_refused(const Task& task, const std::string& part) {
  const Error error = error_of([&] { make_schedule(task); });
  EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
  EXPECT_THAT(error.what(), HasSubstr(part));
}

TEST(HostileTask, NeedsJobsKindsAndChoices) {
  expect_refused(simple_task(0), "no jobs");
  Task task = simple_task();
  task.kinds.clear();
  expect_refused(task, "no kinds");
  task = simple_task();
  task.jobs[0].choices.clear();
  expect_refused(task, "job 'job0': it has no kind");
  task = simple_task();
  task.jobs[0].choices[0].kind = 7;
  expect_refused(task, "of kind 7");
  task = simple_task();
  task.jobs[0].choices.push_back(simple_choice(0));
  expect_refused(task, "'kind0' is among its choices twice");
}

TEST(HostileTask, RefusesCountsOutOfRange) {
  Task task = simple_task();
  task.kinds[0].count = -1;
  expect_refused(task, "'kind0': its count is -1");
  task.kinds[0].count = std::numeric_limits<std::int64_t>::max();
  expect_refused(task, "'kind0': its count is");
  task = simple_task(1, 2);
  task.kinds[1].name = "kind0";
  expect_refused(task, "'kind0' occurs twice");
}

TEST(HostileTask, RefusesNumbersThatAreNone) {
  for (const double bad : {kNan, kInf, -kInf, -1., 1e300}) {
    const auto refused = [&](const char* part, const auto& spoil) {
      Task task = simple_task();
      spoil(task, task.jobs[0], task.jobs[0].choices[0]);
      expect_refused(task, part);
    };
    using T = Task;
    refused("the energy", [&](T&, Job&, Choice& c) { c.energy.value = bad; });
    refused("the highest energy", [&](T&, Job&, Choice& c) { c.energy_most.value = bad; });
    refused("the time", [&](T&, Job&, Choice& c) { c.time = Seconds{bad}; });
    refused("the longest time", [&](T&, Job&, Choice& c) { c.time_most = Seconds{bad}; });
    refused("the highest power", [&](T&, Job&, Choice& c) { c.power_most.value = bad; });
    refused("earliest begin", [&](T&, Job& j, Choice&) { j.begin_after = Seconds{bad}; });
    refused("its budget", [&](T&, Job& j, Choice&) { j.budget = Joules{bad}; });
    refused("the power cap", [&](T& t, Job&, Choice&) { t.cap = Watts{bad}; });
    refused("the energy budget", [&](T& t, Job&, Choice&) { t.budget = Joules{bad}; });
  }
  Task task = simple_task();
  task.jobs[0].deadline = Seconds{kNan};
  expect_refused(task, "its deadline");
}

TEST(HostileTask, RefusesMeansAboveUpperBounds) {
  Task task = simple_task();
  task.jobs[0].choices[0].energy = Joules{201};
  expect_refused(task, "the highest energy (200 J) is less than the expected one (201 J)");
  task = simple_task();
  task.jobs[0].choices[0].time = Seconds{11};
  expect_refused(task, "the longest time (10 s) is less than the expected one (11 s)");
  task.jobs[0].choices[0].time = task.jobs[0].choices[0].time_most = Seconds{0};
  expect_refused(task, "the longest time is 0");
}

TEST(HostileTask, RefusesForecastsOutOfOrder) {
  const auto refused = [](Forecast forecast, const char* part) {
    Task task = simple_task();
    task.forecast = std::move(forecast);
    expect_refused(task, part);
  };
  refused({{}, {}}, "the forecast is empty");
  refused({{Seconds{0}}, {}}, "1 times and 0 values");
  refused({{Seconds{5}}, {1}}, "begins at 5 s");
  refused({{Seconds{0}, Seconds{9}, Seconds{9}}, {1, 2, 3}}, "value 3");
  refused({{Seconds{0}}, {kNan}}, "value 1");
  Task task = simple_task();
  task.objective = Objective::carbon;
  expect_refused(task, "carbon needs a forecast");
}

TEST(HostileTask, MayHaveABillionDevices) {
  Task task = simple_task(3);
  task.kinds[0].count = 1'000'000'000;
  for (const Objective objective : {Objective::energy, Objective::time}) {
    task.objective = objective;
    const Schedule schedule = make_schedule(task);
    EXPECT_THAT(check_schedule(task, schedule), IsEmpty());
    EXPECT_EQ(schedule.end, Seconds{10});
    EXPECT_LE(schedule.gap(), 1e-6);
  }
}

TEST(HostileTask, MayHaveNegativePrices) {
  Task task = simple_task(2);
  task.objective = Objective::price;
  task.start = Start::best;
  task.forecast = Forecast{{Seconds{0}, Seconds{100}, Seconds{120}}, {0.3, -0.1, 0.2}};
  const Schedule schedule = make_schedule(task);
  EXPECT_THAT(check_schedule(task, schedule), IsEmpty());
  EXPECT_NEAR(schedule.value, -0.1 * 2 * 180 / 3.6e6, 1e-12);
  EXPECT_LE(schedule.gap(), 1e-6);
}

}  // namespace
}  // namespace ampere
