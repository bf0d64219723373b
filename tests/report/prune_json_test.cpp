#include "report/prune_json.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

PrunedNetwork trained(std::initializer_list<TrainingEpoch> epochs) {
  PrunedNetwork network;
  network.estimated.energy_j = 2;
  network.training.emplace().state.epochs = epochs;
  return network;
}

TrainingEpoch epoch(std::int64_t iterations, double energy_j) {
  TrainingEpoch epoch;
  epoch.iterations = iterations;
  epoch.energy = Joules{energy_j};
  epoch.test_energy = Joules{1000};
  return epoch;
}

TEST(TrainingEnergy, IsThatOfAllIterationsWithoutTesting) {
  const auto energy = training_energy(trained({epoch(10, 19), epoch(5, 12)}));
  ASSERT_TRUE(energy);
  EXPECT_EQ(energy->iterations, 15);
  EXPECT_DOUBLE_EQ(energy->used.value, 31);
  EXPECT_DOUBLE_EQ(energy->estimated.value, 30);
}

TEST(TrainingEnergy, IsNotKnownWhereNothingWasTrained) {
  EXPECT_FALSE(training_energy(PrunedNetwork{}));
  EXPECT_FALSE(training_energy(trained({})));
  EXPECT_FALSE(training_energy(trained({epoch(0, 0)}))) << "stopped before its first iteration";
}

}  // namespace
}  // namespace ampere
