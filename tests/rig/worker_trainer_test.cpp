#include "rig/worker_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "../support/error_of.h"
#include "../support/stepping_meter.h"
#include "../support/temp_folder.h"
#include "ampere/error.h"
#include "base/steady_now.h"
#include "rig/bench_rig.h"
#include "rig/real_clock.h"
#include "virtual_device.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::error_of;
using testing_support::tiny_model;

WorkerCommand fake_worker(const std::string& start = "well") {
  return {.argv = {AMPERE_FAKE_WORKER, start},
          .hello_timeout = Seconds{20},
          .prepare_timeout = Seconds{20},
          .step_timeout = Seconds{20}};
}

TEST(WorkerTrainer, SaysWhereAndHowItCanTrain) {
  const auto trainer = open_worker_trainer(fake_worker());
  EXPECT_EQ(trainer->place(), "cpu");
  EXPECT_EQ(trainer->device().name, "fake");
  EXPECT_EQ(trainer->device().framework, "fake 1.0");
  EXPECT_TRUE(trainer->runs_scripts());
  EXPECT_THAT(trainer->setups().precisions, ElementsAre("fp32", "bf16"));
  EXPECT_THAT(trainer->setups().optimizers, ElementsAre("sgd", "adamw"));
}

TEST(WorkerTrainer, TrainsThroughTheWorker) {
  const auto trainer = open_worker_trainer(fake_worker());
  const auto job = trainer->prepare(tiny_model(), {});
  job->run(3);
  EXPECT_EQ(job->run_ahead(5).iterations, 0) << "the answer is not waited for";
  const Completed completed = job->run_ahead(6);
  EXPECT_EQ(completed.iterations, 5);
  EXPECT_NEAR(completed.ago.count(), steady_now().count() - 0.25, 5);
  job->run(1);  // also takes the answer to the second call
  EXPECT_EQ(job->run_ahead(7).iterations, 0);
  const auto times = job->time_step();
  ASSERT_TRUE(times);
  EXPECT_DOUBLE_EQ(times->device.count(), 0.5);
  EXPECT_DOUBLE_EQ(times->host.count(), 0.125);
  EXPECT_FALSE(trainer->prepare(tiny_model("cpu"), {})->time_step());
}

TEST(WorkerTrainer, WorksWithinAnAmountOfEnergy) {
  DeviceInfo device;
  device.name = "fake";
  const auto rig = make_bench_rig(std::move(device), open_worker_trainer(fake_worker()),
                                  std::make_unique<testing_support::SteppingMeter>(Seconds{0.02}),
                                  make_real_clock());
  const WorkDone done = rig->work({tiny_model(), {}, 1000});
  EXPECT_EQ(done.iterations, 1000);
  EXPECT_NEAR(done.energy.value, 100 * done.time.count(), 10);
  const WorkDone limited = rig->work({tiny_model(), {}, 1'000'000'000'000, Joules{200}});
  EXPECT_LT(limited.iterations, 1'000'000'000'000);
  EXPECT_LE(limited.energy.value, 200);
}

TEST(WorkerTrainer, PreparesScripts) {
  const auto trainer = open_worker_trainer(fake_worker());
  const Trainer::ScriptJob script = trainer->prepare_script({Script{"/tmp/train.py", "build"}, {}});
  EXPECT_EQ(script.info.name, "build");
  EXPECT_EQ(script.info.batch, 7);
  EXPECT_EQ(script.info.parameters, 99);
  EXPECT_TRUE(script.info.has_data);
  script.job->run(1);
  const Error error = error_of([&] {
    trainer->prepare_script({Script{"/tmp/train.py", "raises"}, {}});
  });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("ValueError: no good"));
}

OperationTimesRequest two_operations() {
  OperationTimesRequest request;
  request.tensors = {{ElementType::fp32, {64, 64}, {64, 1}}};
  Operation product;
  product.name = "mm";
  product.arguments = {{TensorIndex{0}}, {TensorIndex{0}}};
  product.results = {{TensorIndex{0}}};
  Operation unknown;
  unknown.name = "unknown";
  request.operations = {product, unknown};
  return request;
}

TEST(WorkerTrainer, TracesNetworksAndScripts) {
  const auto trainer = open_worker_trainer(fake_worker());
  ASSERT_NE(trainer->tracer(), nullptr);
  ampere::Setup setup;
  setup.precision = "bf16";
  const Trace trace = trainer->tracer()->trace({TraceRequest::Network{tiny_model(), setup}});
  EXPECT_EQ(trace.program.name, tiny_model().name());
  EXPECT_EQ(trace.program.setup, setup);
  EXPECT_THAT(trace.notes, ElementsAre("traced by nobody"));
  const Trace script = trainer->tracer()->trace({Script{"/tmp/train.py", "build"}, TraceWay::run});
  EXPECT_EQ(script.program.name, "build");
  EXPECT_EQ(script.program.origin.way, TraceWay::run);
}

TEST(WorkerTrainer, TakesProgramsOfSomeMegabytes) {
  const auto trainer = open_worker_trainer(fake_worker());
  const Trace trace = trainer->tracer()->trace({TraceRequest::Network{tiny_model("long"), {}}});
  EXPECT_EQ(trace.program.steps.size(), 500'001u);
}

TEST(WorkerTrainer, AProgramThatMakesNoSenseIsAFailureOfTheWorker) {
  const auto trainer = open_worker_trainer(fake_worker());
  const Error error = error_of([&] {
    trainer->tracer()->trace({TraceRequest::Network{tiny_model("broken"), {}}});
  });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_STREQ(error.what(),
               "the worker's answer: program.steps[0]: operation 7 does not exist (there is 1)");
}

TEST(WorkerTrainer, AFailedTraceLeavesItUsable) {
  const auto trainer = open_worker_trainer(fake_worker());
  for (const char* name : {"raises", "killed"})
    EXPECT_EQ(error_of([&] {
                trainer->tracer()->trace({TraceRequest::Network{tiny_model(name), {}}});
              }).code(),
              ErrorCode::failed)
        << name;
  EXPECT_EQ(trainer->tracer()->time(two_operations()).each.size(), 2u);
}

TEST(WorkerTrainer, TimesOperationsOrSaysWhyNot) {
  const auto trainer = open_worker_trainer(fake_worker());
  const OperationTimes times = trainer->tracer()->time(two_operations());
  ASSERT_EQ(times.each.size(), 2u);
  EXPECT_DOUBLE_EQ(std::get<StepTimes>(times.each[0]).device.count(), 0.25);
  EXPECT_DOUBLE_EQ(std::get<StepTimes>(times.each[0]).host.count(), 0.125);
  EXPECT_EQ(std::get<std::string>(times.each[1]), "there is no such operation");
}

TEST(WorkerTrainer, AWorkerThatDoesNotAnnounceItIsNotAskedToTrace) {
  setenv("AMPERE_PASS_ENVIRONMENT", "FAKE_WORKER_*", 1);
  setenv("FAKE_WORKER_NO_OPERATIONS", "1", 1);
  const auto trainer = open_worker_trainer(fake_worker());
  unsetenv("FAKE_WORKER_NO_OPERATIONS");
  EXPECT_EQ(trainer->tracer(), nullptr);
}

TEST(WorkerTrainer, SkipsWhatComesBeforeTheHello) {
  EXPECT_EQ(open_worker_trainer(fake_worker("chatter"))->place(), "cpu");
}

struct BadStart {
  const char* start;
  ErrorCode code;
  const char* says;
};
void PrintTo(const BadStart& bad, std::ostream* out) { *out << bad.start; }

class WorkerThatStarts : public ::testing::TestWithParam<BadStart> {};

TEST_P(WorkerThatStarts, BadlySaysWhy) {
  WorkerCommand command = fake_worker(GetParam().start);
  command.hello_timeout = Seconds{GetParam().start == std::string("silent") ? 0.3 : 20.0};
  const Error error = error_of([&] { open_worker_trainer(command); });
  EXPECT_EQ(error.code(), GetParam().code) << error.what();
  EXPECT_THAT(error.what(), AllOf(HasSubstr(GetParam().says), HasSubstr("fake_worker")));
}

INSTANTIATE_TEST_SUITE_P(
    Rig, WorkerThatStarts,
    ::testing::Values(BadStart{"exits", ErrorCode::failed, "No module named torch"},
                      BadStart{"silent", ErrorCode::failed, "did not answer in time"},
                      BadStart{"newer", ErrorCode::failed, "version 99"},
                      BadStart{"refuses", ErrorCode::unknown, "there is no cuda:7"},
                      BadStart{"no_place", ErrorCode::failed, "place"}));

TEST(WorkerTrainer, ACommandThatDoesNotExistIsUnknown) {
  const Error error = error_of([] { open_worker_trainer({.argv = {"/nowhere/python3"}}); });
  EXPECT_EQ(error.code(), ErrorCode::unknown);
  EXPECT_THAT(error.what(), HasSubstr("/nowhere/python3"));
}

TEST(WorkerTrainer, AnErrorOfTheWorkerLeavesItUsable) {
  const auto trainer = open_worker_trainer(fake_worker());
  const auto before = trainer->prepare(tiny_model(), {});
  const Error error = error_of([&] { trainer->prepare(tiny_model("oom"), {}); });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("out of memory: 12 GiB asked"));
  before->run(1);
}

TEST(WorkerTrainer, AStepThatFailedAheadIsReleasedAllTheSame) {
  const testing_support::TempFolder folder;
  const std::string file = folder / "released";
  setenv("AMPERE_PASS_ENVIRONMENT", "FAKE_WORKER_*", 1);
  setenv("FAKE_WORKER_RELEASED", file.c_str(), 1);
  const auto trainer = open_worker_trainer(fake_worker());
  unsetenv("FAKE_WORKER_RELEASED");
  trainer->prepare(tiny_model("oom later"), {})->run_ahead(1);
  std::string released;
  std::getline(std::ifstream(file), released);
  EXPECT_EQ(released, "oom later");
  trainer->prepare(tiny_model(), {})->run(1);
}

class WorkerFault : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(WorkerFault, EndsTheJobAndNotTheTrainer) {
  const auto [name, says] = GetParam();
  WorkerCommand command = fake_worker();
  if (name == std::string("hangs")) command.step_timeout = Seconds{0.3};
  const auto trainer = open_worker_trainer(command);
  const auto job = trainer->prepare(tiny_model(name), {});
  const Error error = error_of([&job = *job] {
    job.run_ahead(2);
    job.run_ahead(2);
  });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr(says));
  trainer->prepare(tiny_model(), {})->run(1);
}

INSTANTIATE_TEST_SUITE_P(Rig, WorkerFault,
                         ::testing::Values(std::pair{"killed", "about to use all memory"},
                                           std::pair{"hangs", "the worker did not answer in time"},
                                           std::pair{"garbage", "is not JSON"},
                                           std::pair{"wrong_id", "does not belong to the request"},
                                           std::pair{"textual", "completed"}));

TEST(WorkerTrainer, AWorkerThatComesBackWithAnotherFrameworkIsRefused) {
  const testing_support::TempFolder folder;
  const auto trainer = open_worker_trainer(fake_worker("changes:" + (folder / "mark")));
  EXPECT_THROW(trainer->prepare(tiny_model("killed"), {})->run(1), Error);
  const Error error = error_of([&] { trainer->prepare(tiny_model(), {}); });
  EXPECT_EQ(error.code(), ErrorCode::unknown);
  EXPECT_THAT(error.what(), HasSubstr("fake 2.0"));
}

}  // namespace
}  // namespace ampere
