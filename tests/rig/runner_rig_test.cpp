#include "rig/runner_rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../support/error_of.h"
#include "ampere/error.h"
#include "virtual_device.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing_support::error_of;
using testing_support::tiny_model;

RunnerCommand fake_runner(const std::string& start = "well") {
  return {.argv = {AMPERE_FAKE_RUNNER, start},
          .verbose = false,
          .hello_timeout = Seconds{20},
          .margin = Seconds{20}};
}

Measurement measure(Rig& rig, const std::string& model = "tiny") {
  Precision precision;
  precision.time_limit = Seconds{5};
  return rig.measure(tiny_model(model), {}, precision);
}

Error open_error(RunnerCommand command) {
  return error_of([&] { open_runner_rig(std::move(command)); });
}

Error measure_error(Rig& rig, const std::string& model) {
  return error_of([&] { measure(rig, model); });
}

TEST(RunnerRig, MeasuresThroughTheRunner) {
  const auto rig = open_runner_rig(fake_runner());
  EXPECT_EQ(rig->device().name, "virtual");
  EXPECT_EQ(rig->device().source, Source::simulated);
  const Measurement result = measure(*rig);
  EXPECT_NEAR(result.energy_j.mean, 200 * 0.0037, 0.01);
  EXPECT_GE(result.windows.size(), 3u);
  EXPECT_NEAR(measure(*rig).energy_j.mean, result.energy_j.mean, 0.01);
}

TEST(RunnerRig, TracesAndTimesOperationsThroughTheWorkerOfTheRunner) {
  const auto rig = open_runner_rig(fake_runner("worker"));
  EXPECT_TRUE(rig->abilities().contains(Ability::operations));
  const Trace trace = rig->trace({TraceRequest::Network{tiny_model("long"), {}}});
  EXPECT_EQ(trace.program.steps.size(), 500'001u) << "some megabytes on one line";
  EXPECT_THAT(trace.notes, ::testing::ElementsAre("traced by nobody"));
  const OperationTimes times = rig->time(trace.program.tensors, trace.program.operations);
  ASSERT_EQ(times.each.size(), 1u);
  EXPECT_DOUBLE_EQ(std::get<StepTimes>(times.each[0]).device.count(), 0.25);
}

TEST(RunnerRig, WhatARunnerDoesNotAnnounceIsRefused) {
  const auto rig = open_runner_rig(fake_runner());
  const Error error = error_of([&] { rig->trace({TraceRequest::Network{tiny_model(), {}}}); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("(the rig \"torch\" can)"));
  const auto worker = open_runner_rig(fake_runner("worker"));
  ampere::Setup setup;
  setup.precision = "fp16";
  EXPECT_THAT(error_of([&] {
                worker->trace({TraceRequest::Network{tiny_model(), setup}});
              }).what(),
              HasSubstr("cannot train in fp16"));
}

TEST(RunnerRig, PassesOverALoginBanner) {
  const auto rig = open_runner_rig(fake_runner("banner"));
  EXPECT_GT(measure(*rig).energy_j.mean, 0);
}

TEST(RunnerRig, PassesRefusalsOnAndKeepsTheRunner) {
  const auto rig = open_runner_rig(fake_runner());
  const Error oom = measure_error(*rig, "oom");
  EXPECT_EQ(oom.code(), ErrorCode::failed);
  EXPECT_STREQ(oom.what(), "out of memory on the device");
  EXPECT_EQ(measure_error(*rig, "no_meter").code(), ErrorCode::no_meter);
  EXPECT_GT(measure(*rig).energy_j.mean, 0);
}

TEST(RunnerRig, SurvivesTheDeathOfTheRunner) {
  const auto rig = open_runner_rig(fake_runner());
  measure(*rig);
  const Error killed = measure_error(*rig, "killed");
  EXPECT_EQ(killed.code(), ErrorCode::failed);
  EXPECT_THAT(killed.what(), AllOf(HasSubstr("SIGKILL"), HasSubstr("about to use all memory")));
  EXPECT_GT(measure(*rig).energy_j.mean, 0);
  EXPECT_THAT(measure_error(*rig, "exits").what(), HasSubstr("ended with status 3"));
  EXPECT_GT(measure(*rig).energy_j.mean, 0);
}

TEST(RunnerRig, TakesNonsenseAsAFailureAndStartsAfresh) {
  const auto rig = open_runner_rig(fake_runner());
  for (const char* model : {"garbage", "wrong_id"}) {
    EXPECT_EQ(measure_error(*rig, model).code(), ErrorCode::failed) << model;
    EXPECT_GT(measure(*rig).energy_j.mean, 0) << "after " << model;
  }
}

// A measurement in words of the protocol, with one of its numbers replaced.
std::string lie(const std::string& number, const std::string& otherwise) {
  std::string line =
      R"({"id": 1, "measurement": {"source": "measured", "elapsed_s": 4, "windows": [)"
      R"({"iterations": 297, "time_s": 1.5, "energy_j": 220.5}], )"
      R"("energy_j_per_iteration": {"mean": 0.7424242424242424, "standard_error": 0.001}, )"
      R"("time_s_per_iteration": {"mean": 0.005050505050505051, "standard_error": 0.001}}})";
  const std::size_t at = line.find(number);
  return at == std::string::npos ? line : line.replace(at, number.size(), otherwise);
}

TEST(RunnerRig, TakesNoNumberFromARunnerThatLies) {
  for (const auto& [number, otherwise] : std::vector<std::pair<std::string, std::string>>{
           {"220.5", "-220.5"},
           {"220.5", "1e308"},
           {"220.5", "0"},
           {"220.5", "null"},
           {"220.5", "NaN"},
           {"220.5", "1e999"},
           {"1.5", "-1"},
           {"1.5", "0"},
           {"297", "0"},
           {"297", "-297"},
           {"297", "2970"},
           {"297", "1e30"},
           {"0.7424242424242424", "7.424242424242424"},
           {"0.7424242424242424", "-0.7"},
           {"0.005050505050505051", "1e-9"},
           {"\"windows\": [{\"iterations\": 297, \"time_s\": 1.5, \"energy_j\": 220.5}]",
            "\"windows\": []"}}) {
    const auto rig = open_runner_rig(fake_runner());
    const Error error = measure_error(*rig, "says " + lie(number, otherwise));
    EXPECT_EQ(error.code(), ErrorCode::failed)
        << number << " as " << otherwise << ": " << error.what();
  }
  const auto rig = open_runner_rig(fake_runner());
  EXPECT_NEAR(measure(*rig, "says " + lie("", "")).energy_j.mean, 0.742, 0.001) << "the truth";
}

TEST(RunnerRig, GivesUpOnARunnerThatFloodsOrStopsInALine) {
  const auto rig = open_runner_rig(fake_runner());
  for (const char* model : {"truncates", "floods", "floods lines"}) {
    EXPECT_EQ(measure_error(*rig, model).code(), ErrorCode::failed) << model;
    EXPECT_GT(measure(*rig).energy_j.mean, 0) << "after " << model;
  }
}

TEST(RunnerRig, TakesIncompleteAnswersAsAFailure) {
  for (const char* model : {"incomplete", "bad_code"}) {
    const auto rig = open_runner_rig(fake_runner());
    EXPECT_EQ(measure_error(*rig, model).code(), ErrorCode::failed) << model;
    EXPECT_GT(measure(*rig).energy_j.mean, 0) << "after " << model;
  }
}

TEST(RunnerRig, DoesNotStopBecauseTheRunnerWasInterrupted) {
  const auto rig = open_runner_rig(fake_runner());
  EXPECT_EQ(measure_error(*rig, "interrupted_there").code(), ErrorCode::failed);
}

TEST(RunnerRig, StartsARunnerThatEndedBetweenMeasurementsAgain) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "runner_rig_runner_pid";
  RunnerCommand command = fake_runner();
  command.argv = {"/bin/sh", "-c", "echo $$ > " + path.string() + "; exec " AMPERE_FAKE_RUNNER};
  const auto rig = open_runner_rig(command);
  measure(*rig);
  pid_t runner = 0;
  std::ifstream(path) >> runner;
  ASSERT_GT(runner, 0);
  kill(runner, SIGKILL);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(runner), &info, WEXITED | WNOWAIT);
  EXPECT_GT(measure(*rig).energy_j.mean, 0);
}

TEST(RunnerRig, GivesUpOnARunnerThatHangs) {
  RunnerCommand command = fake_runner();
  command.margin = Seconds{0.2};
  const auto rig = open_runner_rig(command);
  Precision precision;
  precision.time_limit = Seconds{0.1};
  const Error hung = error_of([&] { rig->measure(tiny_model("hangs"), {}, precision); });
  EXPECT_EQ(hung.code(), ErrorCode::failed);
  EXPECT_THAT(hung.what(), HasSubstr("did not answer in time"));
}

TEST(RunnerRig, IsNotBlockedByWhatTheRunnerLogs) {
  const auto rig = open_runner_rig(fake_runner());
  EXPECT_GT(measure(*rig, "talks").energy_j.mean, 0);
}

TEST(RunnerRig, SendsNetworksLargerThanAPipe) {
  ModelBuilder builder("deep");
  builder.add(Input{flat(8), false}, std::vector<int>{}, "in");
  for (int i = 0; i < 3000; ++i) builder.add(Linear{8, true}, "layer_" + std::to_string(i));
  const Model deep = std::move(builder).build();
  ASSERT_GT(to_json(deep).size(), 100'000u);
  const auto rig = open_runner_rig(fake_runner());
  EXPECT_GT(rig->measure(deep, {}, {}).energy_j.mean, 0);
}

TEST(RunnerRig, RefusesToGoOnWithAnotherDevice) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "runner_rig_device_name";
  std::ofstream(path) << "first\n";
  RunnerCommand command = fake_runner("named");
  command.argv.push_back(path);
  const auto rig = open_runner_rig(command);
  measure_error(*rig, "killed");
  std::ofstream(path) << "second\n";
  const Error changed = measure_error(*rig, "tiny");
  EXPECT_EQ(changed.code(), ErrorCode::unknown);
  EXPECT_THAT(changed.what(), AllOf(HasSubstr("first"), HasSubstr("second")));
  std::ofstream(path) << "first\n";
  EXPECT_GT(measure(*rig).energy_j.mean, 0);
}

TEST(RunnerRig, SaysWhenTheRunnerDoesNotComeBack) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "runner_rig_once";
  std::filesystem::remove(path);
  RunnerCommand command = fake_runner();
  command.argv = {"/bin/sh", "-c",
                  "test -e " + path.string() + " && exit 9; touch " + path.string() +
                      "; exec " AMPERE_FAKE_RUNNER};
  const auto rig = open_runner_rig(command);
  measure_error(*rig, "killed");
  const Error gone = measure_error(*rig, "tiny");
  EXPECT_EQ(gone.code(), ErrorCode::unknown);
  EXPECT_THAT(gone.what(), HasSubstr("did not start again"));
}

TEST(RunnerRig, ExplainsWhyARunnerCannotBeUsed) {
  const Error exits = open_error(fake_runner("exits"));
  EXPECT_EQ(exits.code(), ErrorCode::failed);
  EXPECT_THAT(exits.what(), AllOf(HasSubstr("status 4"), HasSubstr("libtorch.so")));

  const Error newer = open_error(fake_runner("newer"));
  EXPECT_EQ(newer.code(), ErrorCode::failed);
  EXPECT_THAT(newer.what(), AllOf(HasSubstr("version 99"), HasSubstr("same version of ampere")));

  const Error no_device = open_error(fake_runner("no_device"));
  EXPECT_EQ(no_device.code(), ErrorCode::failed);
  EXPECT_THAT(no_device.what(), HasSubstr("device"));

  const Error refuses = open_error(fake_runner("refuses"));
  EXPECT_EQ(refuses.code(), ErrorCode::no_meter);
  EXPECT_THAT(refuses.what(), HasSubstr("no counter here"));

  EXPECT_THAT(open_error(fake_runner("chatter")).what(), HasSubstr("no hello"));
}

TEST(RunnerRig, GivesUpOnARunnerThatSaysNothing) {
  RunnerCommand command = fake_runner("silent");
  command.hello_timeout = Seconds{0.2};
  const Error error = open_error(command);
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("in time"));
}

TEST(RunnerRig, KnowsNoMissingProgram) {
  RunnerCommand command = fake_runner();
  command.argv = {"/no/such/ampere-runner"};
  const Error missing = open_error(command);
  EXPECT_EQ(missing.code(), ErrorCode::unknown);
  EXPECT_THAT(missing.what(), HasSubstr("/no/such/ampere-runner"));
  const auto text = std::filesystem::path(::testing::TempDir()) / "runner_rig_not_a_program";
  std::ofstream(text) << "text\n";
  command.argv = {text};
  EXPECT_EQ(open_error(command).code(), ErrorCode::permission);
}

TEST(RunnerRig, StopsWhenInterrupted) {
  std::atomic<bool> stop{false};
  RunnerCommand command = fake_runner();
  command.stop = StopToken(stop);
  const auto rig = open_runner_rig(command);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    stop = true;
  });
  const Error stopped = measure_error(*rig, "hangs");
  later.join();
  stop = false;
  EXPECT_EQ(stopped.code(), ErrorCode::interrupted);
  EXPECT_GT(measure(*rig).energy_j.mean, 0) << "the runner is started again";
}

TEST(RunnerRig, LeavesNoProcessBehind) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "runner_rig_pid";
  RunnerCommand command = fake_runner();
  command.argv = {"/bin/sh", "-c",
                  "sleep 1000 & echo $! > " + path.string() + "; exec " AMPERE_FAKE_RUNNER};
  open_runner_rig(command).reset();
  pid_t sleeper = 0;
  std::ifstream(path) >> sleeper;
  ASSERT_GT(sleeper, 0);
  for (int i = 0; i < 500 && std::filesystem::exists("/proc/" + std::to_string(sleeper)); ++i) {
    std::string status;
    std::ifstream stat("/proc/" + std::to_string(sleeper) + "/stat");
    if (std::getline(stat, status) && status.find(" Z ") != std::string::npos) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(std::filesystem::exists("/proc/" + std::to_string(sleeper)));
}

// It would pass over the key and answer with whole iterations: a plausible number.
TEST(RunnerRig, AsksForAPhaseOnlyWhereTheRunnerKnowsPhases) {
  const std::string hello =
      R"({"ampere_runner": 1, "device": {"name": "x", "source": "measured"}, "abilities": ["measure"]})";
  const auto rig = open_runner_rig(
      {.argv = {"/bin/sh", "-c", "echo '" + hello + "'; cat > /dev/null"}, .verbose = false});
  ampere::Setup forward;
  forward.phase = Phase::forward;
  const Error error = error_of([&] { rig->measure(tiny_model("tiny"), forward, {}); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("forward phase"));
  const ampere::Setup inference = with_phase({}, Phase::inference);
  const Error old = error_of([&] { rig->measure(tiny_model("tiny"), inference, {}); });
  EXPECT_EQ(old.code(), ErrorCode::usage);
  EXPECT_THAT(old.what(), HasSubstr("inference phase"));
  EXPECT_NO_THROW(open_runner_rig(fake_runner())->measure(tiny_model("tiny"), inference, {}));
  EXPECT_NO_THROW(open_runner_rig(fake_runner())->measure(tiny_model("tiny"), forward, {}));
}

std::unique_ptr<Rig> open_with_abilities(const std::string& abilities) {
  const std::string hello =
      R"({"ampere_runner": 1, "device": {"name": "x", "source": "measured"}, "abilities": )" +
      abilities + "}";
  return open_runner_rig(
      {.argv = {"/bin/sh", "-c", "echo '" + hello + "'; cat > /dev/null"}, .verbose = false});
}

// An old runner would answer with an error at best.
TEST(RunnerRig, AsksForTimesAndRestOnlyWhereTheRunnerAnnouncesThem) {
  ampere::Setup block;
  block.phase = Phase::block;
  for (const char* abilities : {"[]", R"(["measure", "phases"])", "null"}) {
    const auto rig = open_with_abilities(abilities);
    EXPECT_FALSE(rig->can_time()) << abilities;
    EXPECT_FALSE(rig->can_pace()) << abilities;
    EXPECT_FALSE(rig->can_idle()) << abilities;
    const Error pace = error_of([&] { rig->pace(tiny_model(), tiny_model(), {}); });
    EXPECT_EQ(pace.code(), ErrorCode::usage);
    EXPECT_THAT(pace.what(), HasSubstr("a newer runner may"));
    const Error timing = error_of([&] { rig->time(tiny_model(), {}); });
    EXPECT_EQ(timing.code(), ErrorCode::usage);
    EXPECT_THAT(timing.what(), HasSubstr("a newer runner may"));
    EXPECT_EQ(error_of([&] { rig->idle_after(tiny_model(), {}); }).code(), ErrorCode::usage);
    EXPECT_FALSE(rig->can_work()) << abilities;
    const Error work = error_of([&] { rig->work({tiny_model(), {}, 5}); });
    EXPECT_EQ(work.code(), ErrorCode::usage);
    EXPECT_THAT(work.what(), HasSubstr("train a number of iterations within an amount of energy"));
    EXPECT_THAT(work.what(), HasSubstr("a newer runner may"));
    const Error energy = error_of([&] { rig->measure(tiny_model(), block, {}); });
    EXPECT_EQ(energy.code(), ErrorCode::usage);
    EXPECT_THAT(energy.what(), HasSubstr("block phase"));
  }
  const auto timer = open_with_abilities(R"(["timing"])");
  EXPECT_TRUE(timer->can_time());
  EXPECT_FALSE(timer->can_pace());
  EXPECT_FALSE(timer->can_idle());
  EXPECT_TRUE(open_with_abilities(R"(["measure", "pace"])")->can_pace());
}

TEST(RunnerRig, WorksThroughTheRunnerAndHearsWhatIsDone) {
  const auto rig = open_runner_rig(fake_runner());
  std::vector<WorkDone> heard;
  const WorkDone done = rig->work({tiny_model(), {}, 1000, Joules{5000}},
                                  [&](const WorkDone& work) { heard.push_back(work); });
  EXPECT_EQ(done.iterations, 1000);
  EXPECT_GE(done.energy.value, 1000 * 200 * 0.0037);
  EXPECT_LE(done.energy.value, 5000);
  ASSERT_GE(heard.size(), 2u) << "it takes 3.7 s";
  EXPECT_LT(heard.front().iterations, heard.back().iterations);
  EXPECT_LT(heard.back().energy.value, done.energy.value);
}

TEST(RunnerRig, PacesThroughTheRunner) {
  const auto rig = open_runner_rig(fake_runner());
  ASSERT_TRUE(rig->can_pace());
  const Pace paced = rig->pace(tiny_model(), tiny_model("half as fast"), {});
  EXPECT_NEAR(paced.time_s, 0.0037, 1e-9);
  EXPECT_NEAR(paced.reference_s, 0.0074, 1e-9);
  EXPECT_GT(paced.elapsed.count(), 1);
}

TEST(RunnerRig, TakesAMalformedPaceAsAFailure) {
  for (const char* model : {"standing", "textual", "incomplete", "garbage", "killed"}) {
    const auto rig = open_runner_rig(fake_runner());
    EXPECT_EQ(error_of([&] { rig->pace(tiny_model(model), tiny_model(), {}); }).code(),
              ErrorCode::failed);
    EXPECT_GT(rig->pace(tiny_model(), tiny_model(), {}).time_s, 0) << "after " << model;
  }
  const auto rig = open_runner_rig(fake_runner());
  const Error oom = error_of([&] { rig->pace(tiny_model(), tiny_model("oom"), {}); });
  EXPECT_EQ(oom.code(), ErrorCode::failed);
  EXPECT_STREQ(oom.what(), "out of memory on the device");
}

TEST(RunnerRig, TimesThroughTheRunner) {
  const auto rig = open_runner_rig(fake_runner());
  ampere::Setup block;
  block.phase = Phase::block;
  const Timing timing = rig->time(tiny_model(), block);
  EXPECT_NEAR(timing.device_s, 0.0037, 1e-9);
  EXPECT_FALSE(timing.host_s);
  EXPECT_NEAR(rig->idle_after(tiny_model(), {}).time.count(), 1, 0.15);
}

TEST(RunnerRig, TakesMalformedTimesAsAFailure) {
  for (const char* model : {"negative", "textual", "incomplete", "garbage", "killed"}) {
    const auto rig = open_runner_rig(fake_runner());
    EXPECT_EQ(error_of([&] { rig->time(tiny_model(model), {}); }).code(), ErrorCode::failed);
    EXPECT_GT(rig->time(tiny_model(), {}).device_s, 0) << "after " << model;
  }
  const auto rig = open_runner_rig(fake_runner());
  EXPECT_EQ(error_of([&] { rig->idle_after(tiny_model("no_energy"), {}); }).code(),
            ErrorCode::failed);
  EXPECT_GT(rig->idle_after(tiny_model(), {}).energy.value, 0);
}

TEST(RunnerRig, PassesRefusalsToTimeOn) {
  const auto rig = open_runner_rig(fake_runner());
  const Error oom = error_of([&] { rig->time(tiny_model("oom"), {}); });
  EXPECT_EQ(oom.code(), ErrorCode::failed);
  EXPECT_STREQ(oom.what(), "out of memory on the device");
}

}  // namespace
}  // namespace ampere
