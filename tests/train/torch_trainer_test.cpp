#include "train/torch_trainer.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cfenv>
#include <fstream>
#include <functional>
#include <thread>

#include "ampere/error.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Model perceptron(TensorShape input = flat(12), bool boundary = false) {
  ModelBuilder net("perceptron");
  net.add(Input{std::move(input), boundary});
  net.add(Linear{16}, "hidden");
  net.add(Activation{Function::tanh});
  net.add(Linear{4}, "classes");
  return std::move(net).build();
}

void expect_error(ErrorCode code, const std::string& part, const std::function<void()>& work) {
  try {
    work();
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(TorchTrainer, LossFallsWithEveryOptimizer) {
  for (const Optimizer optimizer :
       {Optimizer::sgd, Optimizer::plain_sgd, Optimizer::adam, Optimizer::adamw}) {
    const double rate = optimizer == Optimizer::plain_sgd ? 0.1 : 0.01;  // without momentum
    const TrainingCheck check = check_training(perceptron(), {8, optimizer}, "cpu", rate, 30);
    EXPECT_LT(check.losses.back(), 0.9 * check.losses.front()) << to_string(optimizer);
    EXPECT_EQ(check.changed_parameters, 4);
  }
}

// With ηλ = 1 nothing is left of the weights but one small step, so all classes are equally likely.
TEST(TorchTrainer, WeightDecayShrinksTheWeights) {
  for (const Optimizer optimizer : {Optimizer::plain_sgd, Optimizer::adamw}) {
    ampere::Setup setup{8, optimizer};
    setup.options.weight_decay = 1000;
    const TrainingCheck check = check_training(perceptron(), setup, "cpu", 0.001, 2);
    EXPECT_GT(std::abs(check.losses[0] - std::log(4)), 0.01) << to_string(optimizer);
    EXPECT_NEAR(check.losses[1], std::log(4), 0.005) << to_string(optimizer);
  }
}

TEST(TorchTrainer, RunsEachPhaseAlone) {
  const auto trainer = open_torch_trainer("cpu");
  for (const Phase phase : {Phase::forward, Phase::backward, Phase::update, Phase::inference}) {
    ampere::Setup setup;
    setup.phase = phase;
    const auto job = trainer->prepare(perceptron(), setup);
    EXPECT_NO_THROW(job->run(3)) << to_string(phase);
  }
}

ampere::Setup block_of(std::int64_t batch, Optimizer optimizer = Optimizer::sgd) {
  ampere::Setup setup{batch, optimizer};
  setup.phase = Phase::block;
  return setup;
}

TEST(TorchTrainer, ABlockGivesGradientsToParametersAndBoundaryInputs) {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adam}) {
    const TrainingCheck inner =
        check_training(perceptron(flat(12), true), block_of(4, optimizer), "cpu", 0.01, 3);
    EXPECT_THAT(inner.trained, ElementsAre("hidden", "classes"));
    EXPECT_THAT(inner.fed_back, ElementsAre("input"));
    EXPECT_EQ(inner.changed_parameters, 4);
    const TrainingCheck first =
        check_training(perceptron(flat(12), false), block_of(4, optimizer), "cpu", 0, 1);
    EXPECT_THAT(first.trained, ElementsAre("hidden", "classes"));
    EXPECT_THAT(first.fed_back, IsEmpty());
  }
}

// No loss is made of it: what cannot be classified is no different.
TEST(TorchTrainer, ABlockMayEndInAnything) {
  const auto trainer = open_torch_trainer("cpu");
  ModelBuilder picture("picture");
  picture.add(Input{image(3, 6, 6), true});
  picture.add(Conv{4, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  picture.add(BatchNorm{});
  ModelBuilder pool("pool");
  pool.add(Input{image(3, 6, 6), true});
  pool.add(Pool{Pooling::max, {2, 2}, {2, 2}, {0, 0}});
  for (const Model& model :
       {std::move(picture).build(), std::move(pool).build(), perceptron(sequence(7, 12), true)})
    EXPECT_NO_THROW(trainer->prepare(model, block_of(4))->run(3)) << model.name();
}

TEST(TorchTrainer, LeavesTimingOnTheCpuToTheClock) {
  EXPECT_FALSE(open_torch_trainer("cpu")->prepare(perceptron(), block_of(4))->time_step());
}

// Training it would fail: a batch norm that sees one value per channel.
TEST(TorchTrainer, InfersFromASingleSample) {
  ModelBuilder net("norm");
  net.add(Input{image(3, 1, 1)});
  net.add(BatchNorm{});
  const Model norm = std::move(net).build();
  const auto trainer = open_torch_trainer("cpu");
  expect_error(ErrorCode::failed, "norm", [&] { trainer->prepare(norm, {.batch = 1}); });
  const auto job = trainer->prepare(norm, {.batch = 1, .phase = Phase::inference});
  EXPECT_NO_THROW(job->run(3));
}

TEST(TorchTrainer, APhaseWithNothingToDoIsRefused) {
  ModelBuilder net("pool");
  net.add(Input{image(3, 8, 8)});
  net.add(Pool{Pooling::max, {2, 2}, {2, 2}, {0, 0}});
  const Model pool = std::move(net).build();
  ampere::Setup setup;
  setup.phase = Phase::forward;
  EXPECT_NO_THROW(open_torch_trainer("cpu")->prepare(pool, setup));
  setup.phase = Phase::update;
  expect_error(ErrorCode::usage, "no parameters",
               [&] { open_torch_trainer("cpu")->prepare(pool, setup); });
  for (const Phase phase : {Phase::backward, Phase::block}) {
    setup.phase = phase;
    expect_error(ErrorCode::usage, "nothing to train",
                 [&] { open_torch_trainer("cpu")->prepare(pool, setup); });
  }
}

TEST(TorchTrainer, LossFallsForEveryKindOfOutput) {
  ModelBuilder picture("picture");
  picture.add(Input{image(3, 6, 6)});
  picture.add(Conv{4, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  ModelBuilder number("number");
  number.add(Input{flat(5)});
  number.add(Linear{1});
  for (const Model& model :
       {perceptron(sequence(7, 12)), std::move(picture).build(), std::move(number).build()}) {
    const TrainingCheck check = check_training(model, {4}, "cpu", 0.02, 30);
    EXPECT_LT(check.losses.back(), check.losses.front()) << model.name();
  }
}

TEST(TorchTrainer, AtLearningRateZeroNothingMoves) {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adam}) {
    const TrainingCheck check = check_training(perceptron(), {8, optimizer}, "cpu", 0, 5);
    EXPECT_EQ(check.changed_parameters, 0);
    EXPECT_EQ(check.losses.front(), check.losses.back());
    EXPECT_THAT(check.trained, ElementsAre("hidden", "classes"));
  }
}

TEST(TorchTrainer, EveryJobSeesTheSameNumbers) {
  const auto losses = [] { return check_training(perceptron(), {8}, "cpu", 0.1, 3).losses; };
  EXPECT_EQ(losses(), losses());
}

TEST(TorchTrainer, BoundaryInputsGetGradientsAndRawDataNone) {
  EXPECT_THAT(check_training(perceptron(flat(12), true), {4}, "cpu", 0, 1).fed_back,
              ElementsAre("input"));
  EXPECT_THAT(check_training(perceptron(flat(12), false), {4}, "cpu", 0, 1).fed_back, IsEmpty());
}

TEST(TorchTrainer, SeveralInputsAreFedInOrder) {
  ModelBuilder net("two inputs");
  const int left = net.add(Input{image(3, 4, 4), true}, {}, "left");
  const int right = net.add(Input{flat(5)}, {}, "right");
  const int side = net.add(Flatten{}, {left});
  const int joined = net.add(Concat{}, {side, right});
  net.add(Linear{3}, {joined}, "classes");
  const TrainingCheck check = check_training(std::move(net).build(), {2}, "cpu", 0, 2);
  EXPECT_THAT(check.fed_back, ElementsAre("left"));
  EXPECT_THAT(check.trained, ElementsAre("classes"));
}

TEST(TorchTrainer, LayersThatNothingReadsRunButAreNotTrained) {
  ModelBuilder net("dangling");
  const int input = net.add(Input{flat(6)});
  net.add(Linear{5}, {input}, "dangling");
  net.add(Linear{3}, {input}, "classes");
  const Model model = std::move(net).build();
  const TrainingCheck check = check_training(model, {2}, "cpu", 0.1, 3);
  EXPECT_THAT(check.trained, ElementsAre("classes"));
  EXPECT_THAT(check.untrained, ElementsAre("dangling"));
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adam})
    EXPECT_NO_THROW(open_torch_trainer("cpu")->prepare(model, {2, optimizer})->run(2));
}

TEST(TorchTrainer, ANetworkWithoutParametersTrainsWhenItsInputIsABoundary) {
  ModelBuilder net("pool");
  net.add(Input{image(4, 6, 6), true});
  net.add(Pool{Pooling::max, {2, 2}, {2, 2}, {0, 0}});
  EXPECT_NO_THROW(open_torch_trainer("cpu")->prepare(std::move(net).build(), {})->run(2));
}

TEST(TorchTrainer, RefusesANetworkWithNothingToTrain) {
  ModelBuilder net("pool");
  net.add(Input{image(4, 6, 6)});
  net.add(Flatten{});
  const Model model = std::move(net).build();
  expect_error(ErrorCode::usage, "nothing to train",
               [&] { open_torch_trainer("cpu")->prepare(model, {}); });
}

TEST(TorchTrainer, RefusesBatchNormOverASingleValueByName) {
  ModelBuilder net("single");
  net.add(Input{image(4, 1, 1)});
  net.add(Conv{4, {1, 1}, {1, 1}, {0, 0}, {1, 1}});
  net.add(BatchNorm{}, "lonely");
  const Model model = std::move(net).build();
  const auto trainer = open_torch_trainer("cpu");
  expect_error(ErrorCode::failed, "'lonely'", [&] { trainer->prepare(model, {1}); });
  EXPECT_NO_THROW(trainer->prepare(model, {2})->run(1));
}

TEST(TorchTrainer, RefusesWhatCannotFitBeforeAllocatingIt) {
  ModelBuilder wide("wide");
  wide.add(Input{flat(1 << 20)});
  wide.add(Linear{1 << 19});
  const Model model = std::move(wide).build();
  const auto trainer = open_torch_trainer("cpu");
  expect_error(ErrorCode::failed, "out of memory", [&] { trainer->prepare(model, {}); });
  ampere::Setup setup;
  setup.batch = std::int64_t{1} << 61;
  expect_error(ErrorCode::failed, "out of memory", [&] { trainer->prepare(perceptron(), setup); });
  EXPECT_NO_THROW(trainer->prepare(perceptron(), {})->run(1));
}

TEST(TorchTrainer, RefusesSetupsItDoesNotHave) {
  const auto trainer = open_torch_trainer("cpu");
  ampere::Setup half;
  half.precision = "fp16";
  expect_error(ErrorCode::usage, "fp16", [&] { trainer->prepare(perceptron(), half); });
  for (const std::int64_t batch : {0, -3})
    expect_error(ErrorCode::usage, "batch", [&] { trainer->prepare(perceptron(), {batch}); });
}

TEST(TorchTrainer, RefusesDevicesThatAreNotThere) {
  for (const char* device : {"", "gpu", "CPU", "cpu:0", "cuda", "cuda:", "cuda:x", "cuda:1x"})
    expect_error(ErrorCode::usage, "device", [&] { open_torch_trainer(device); });
  for (const char* device : {"cuda:100000", "cuda:-1"})
    expect_error(ErrorCode::unknown, device, [&] { open_torch_trainer(device); });
}

TEST(TorchTrainer, AJobOutlivesItsTrainerAndRunsOnAnotherThread) {
  std::unique_ptr<TrainJob> job = open_torch_trainer("cpu")->prepare(perceptron(), {});
  bool flushed = false;
  std::thread([&] {
    job->run(2);
    flushed = denormals_flushed();
  }).join();
  EXPECT_TRUE(flushed);
}

std::int64_t resident_kib() {
  std::int64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE) / 1024;
}

TEST(TorchTrainer, ManyIterationsAndManyJobsLeakNothing) {
  const auto trainer = open_torch_trainer("cpu");
  const auto work = [&](int iterations, int jobs) {
    for (int i = 0; i < jobs; ++i)
      trainer->prepare(perceptron(sequence(32, 64), true), {16, Optimizer::adam})->run(iterations);
  };
  work(100, 10);
  const std::int64_t before = resident_kib();
  work(1000, 1);
  work(1, 200);
  // One kept activation per iteration or one kept job would be 30 MB and more.
  EXPECT_LT(resident_kib() - before, 8 * 1024);
}

class TorchThreads : public testing::Test {
 protected:
  void TearDown() override { set_threads(1); }
};

TEST_F(TorchThreads, FlushDenormalsOnAllOfThem) {
  for (const int threads : {1, 2, 4, 3}) {
    set_threads(threads);
    open_torch_trainer("cpu")->prepare(perceptron(), {});
    EXPECT_TRUE(denormals_flushed()) << threads;
  }
}

TEST_F(TorchThreads, AreFlushedAnewByEveryRun) {
  const auto job = open_torch_trainer("cpu")->prepare(perceptron(), {});
  std::fesetenv(FE_DFL_ENV);
  EXPECT_FALSE(denormals_flushed());
  job->run(1);
  EXPECT_TRUE(denormals_flushed());
}

TEST_F(TorchThreads, AreAsManyAsAskedFor) {
  for (const int threads : {1, 3}) {
    set_threads(threads);
    EXPECT_THAT(torch_info("cpu").framework, HasSubstr(", " + std::to_string(threads) + " thread"));
  }
}

TEST_F(TorchThreads, AreAtLeastOne) {
  for (const int threads : {0, -1})
    expect_error(ErrorCode::usage, "threads", [&] { set_threads(threads); });
}

TEST(TorchInfo, NamesFrameworkBlasAndMachine) {
  const TorchInfo info = torch_info("cpu");
  EXPECT_THAT(info.framework, testing::MatchesRegex("libtorch [0-9.]+, .+, [0-9]+ threads?"));
  EXPECT_FALSE(info.name.empty());
  EXPECT_FALSE(info.hardware.empty());
  EXPECT_FALSE(info.driver.empty());
}

TEST(TorchInfo, KnowsEveryDeviceItLists) {
  const std::vector<std::string> devices = torch_devices();
  EXPECT_EQ(devices.front(), "cpu");
  for (const std::string& device : devices) {
    EXPECT_FALSE(torch_info(device).name.empty()) << device;
    const auto job = open_torch_trainer(device)->prepare(perceptron(), {});
    EXPECT_NO_THROW(job->run(2)) << device;
    EXPECT_EQ(job->time_step().has_value(), device != "cpu") << device;
  }
}

}  // namespace
}  // namespace ampere
