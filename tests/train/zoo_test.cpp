#include <gmock/gmock.h>

#include "ampere/model.h"
#include "small_zoo.h"
#include "train/torch_trainer.h"

namespace ampere {
namespace {

using testing::IsEmpty;
using testing_support::for_each_network;
using testing_support::small_version;

TEST(ZooTraining, HasTheParametersTheModelCounts) {
  for_each_network([](const ZooEntry& entry) {
    const Model model = make_zoo_model(entry.name);
    EXPECT_EQ(torch_parameters(model), count(model, 1).parameters);
  });
}

TEST(ZooTraining, RunsTwiceAtSmallWidths) {
  const auto trainer = open_torch_trainer("cpu");
  for_each_network([&](const ZooEntry& entry) {
    trainer->prepare(small_version(entry), {2, Optimizer::adam})->run(2);
  });
}

TEST(ZooTraining, TrainsEveryLayerAndLeavesRawDataAlone) {
  for_each_network([](const ZooEntry& entry) {
    const TrainingCheck check = check_training(small_version(entry), {2}, "cpu", 0.01, 1);
    EXPECT_THAT(check.untrained, IsEmpty());
    EXPECT_THAT(check.fed_back, IsEmpty());
    EXPECT_FALSE(check.trained.empty());
    EXPECT_GT(check.changed_parameters, 0);
  });
}

}  // namespace
}  // namespace ampere
