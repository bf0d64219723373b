// The real runner at the other end: training on data from the host's request to the device and
// back.
#include <gmock/gmock.h>

#include "../data_set/written.h"
#include "ampere/rig.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using testing_support::npy;

// Two classes that one number tells apart.
void write_signs(const testing_support::DataFolder& folder) {
  for (const char* half : {"train", "test"}) {
    std::vector<float> numbers;
    std::vector<std::int32_t> labels;
    for (int i = 0; i < 64; ++i) {
      labels.push_back(i % 2);
      numbers.push_back(static_cast<float>(i % 2) + 0.01f * static_cast<float>(i % 7));
      numbers.push_back(static_cast<float>(i % 5));
    }
    folder.write(std::string("x_") + half + ".npy", npy("<f4", "(64, 2)", numbers));
    folder.write(std::string("y_") + half + ".npy", npy("<i4", "(64,)", labels));
  }
}

// Building the network is part of the first request and of no later one.
TEST(RealRunner, WorksWithinAnAmountOfEnergy) {
  const auto rig = open_rig(
      "cpu", {.meter = "modelled:static=5,core=10", .runner = AMPERE_BINARY_DIR "/ampere-runner"});
  ASSERT_TRUE(rig->can_work());
  const Model model = make_zoo_model("lenet5");
  const WorkDone first = rig->work({model, {}, 20});
  EXPECT_EQ(first.iterations, 20);
  EXPECT_EQ(first.source, Source::modelled);
  EXPECT_GT(first.energy.value, 0);
  EXPECT_GT(first.time.count(), 0);
  const WorkDone limited = rig->work({model, {}, 100'000'000, Joules{60}});
  EXPECT_GT(limited.iterations, 0);
  EXPECT_LT(limited.iterations, 100'000'000);
  EXPECT_LE(limited.energy.value, 60);
}

TEST(RealRunner, TimesTheOperationsOfItsNetworksAlone) {
  const auto rig = open_rig(
      "cpu", {.meter = "modelled:static=5,core=10", .runner = AMPERE_BINARY_DIR "/ampere-runner"});
  ASSERT_TRUE(rig->abilities().contains(Ability::operations));
  const Trace trace = rig->trace({TraceRequest::Network{make_zoo_model("lenet5"), {}}, {}});
  const Program& program = trace.program;
  EXPECT_EQ(program.origin.device, "cpu");
  Operation misfit = program.operations.front();
  misfit.name = "no_such_thing";
  std::vector<Operation> asked{misfit};
  for (const Operation& operation : program.operations)
    if (operation.launches) asked.push_back(operation);
  const OperationTimes times = rig->time(program.tensors, asked);
  ASSERT_EQ(times.each.size(), asked.size());
  EXPECT_THAT(std::get<std::string>(times.each.front()), HasSubstr("has no such operation"));
  for (std::size_t i = 1; i < asked.size(); ++i) {
    const auto* found = std::get_if<StepTimes>(&times.each[i]);
    ASSERT_TRUE(found) << asked[i].name << ": " << std::get<std::string>(times.each[i]);
    EXPECT_GT(found->device.count(), 0) << asked[i].name;
  }
}

TEST(RealRunner, TrainsOnDataAndGoesOn) {
  const testing_support::DataFolder folder;
  write_signs(folder);
  const auto rig = open_rig(
      "cpu", {.meter = "modelled:static=5,core=10", .runner = AMPERE_BINARY_DIR "/ampere-runner"});
  ASSERT_TRUE(rig->can_train());
  EXPECT_EQ(rig->describe_data(folder.path()).sample, flat(2));

  ModelBuilder net("line");
  net.add(Input{flat(2)});
  net.add(Linear{2}, "classes");
  TrainingTask task;
  task.model = std::move(net).build();
  task.setup.batch = 16;
  task.data = folder.path();
  task.epochs = 4;
  task.learning_rate = 0.2;
  std::vector<TrainingState> kept;
  TrainingListener listener;
  listener.epoch = [&](const TrainingState& state) { kept.push_back(state); };
  const TrainingResult result = rig->train(task, listener);
  ASSERT_TRUE(result.test);
  EXPECT_EQ(result.test->accuracy, 1);
  EXPECT_EQ(result.source, Source::modelled);
  ASSERT_EQ(kept.size(), 4u);

  task.from = kept[1];
  const TrainingState resumed = rig->train(task).state;
  EXPECT_EQ(resumed.weights.at("classes.weight").values,
            result.state.weights.at("classes.weight").values);

  task.from = {};
  task.data = "/nowhere";
  try {
    rig->train(task);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_THAT(error.what(), HasSubstr("/nowhere"));
  }
}

}  // namespace
}  // namespace ampere
