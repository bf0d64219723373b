// From the sum of kernels to a network.
#include <gtest/gtest.h>

#include <cmath>

#include "method/kernels/kernel_fit.h"

namespace ampere {
namespace {

// Networks of 10 to 200 kernels whose mean kernel takes 1 to 8 mJ and a hundredth of that in
// seconds, measured as this law has it.
std::vector<ComposedNetwork> networks_of(double scale, double each_j, double wobble = 0) {
  std::vector<ComposedNetwork> networks;
  for (int i = 0; i < 12; ++i) {
    ComposedNetwork network;
    network.kernels = 10 + 17 * (i % 5) + 11 * i;
    network.sum_j = {network.kernels * 0.001 * (1 + i % 8), 0};
    network.sum_s = {network.sum_j.mean / 100, 0};
    const double off = 1 + wobble * (i % 2 == 0 ? 1 : -1);
    network.energy_j = (scale * network.sum_j.mean + each_j * network.kernels) * off;
    network.time_s = network.energy_j / 100;
    networks.push_back(network);
  }
  return networks;
}

TEST(Composition, FindsWhatEachKernelCostsMore) {
  const auto found = fit_composition(networks_of(1.02, 8e-4));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->networks, 12);
  EXPECT_NEAR(found->energy.scale, 1.02, 0.01);
  EXPECT_NEAR(found->energy.each, 8e-4, 3e-5);
  EXPECT_NEAR(found->time.each, 8e-6, 3e-7);
  EXPECT_LT(found->energy.error, 0.01);
}

TEST(Composition, OfNetworksThatAreTheirSumsIsTheSum) {
  const auto found = fit_composition(networks_of(1, 0));
  EXPECT_NEAR(found->energy.scale, 1, 1e-9);
  EXPECT_NEAR(found->energy.each, 0, 1e-12);
  EXPECT_NEAR(found->energy.error, 0, 1e-9);
}

TEST(Composition, KernelsNeverCostLessInANetworkThanNothing) {
  EXPECT_EQ(fit_composition(networks_of(1, -3e-4))->energy.each, 0);
}

TEST(Composition, SaysHowFarOffItIs) {
  const auto found = fit_composition(networks_of(1, 8e-4, 0.1));
  EXPECT_NEAR(found->energy.error, 0.1, 0.03);
  std::vector<ComposedNetwork> explained = networks_of(1, 8e-4, 0.1);
  for (ComposedNetwork& network : explained) network.sum_j.stddev = 0.3 * network.sum_j.mean;
  EXPECT_LT(fit_composition(explained)->energy.error, 0.06)
      << "the predictors said that they might be off";
}

TEST(Composition, TakesThreeNetworks) {
  std::vector<ComposedNetwork> networks = networks_of(1, 8e-4);
  networks.resize(3);
  EXPECT_TRUE(fit_composition(networks));
  networks.pop_back();
  EXPECT_FALSE(fit_composition(networks));
  EXPECT_FALSE(fit_composition({}));
}

}  // namespace
}  // namespace ampere
