#include "method/dual/repeats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ampere {
namespace {

MeasuredNetwork measured(double energy_j, double time_s) {
  MeasuredNetwork network;
  network.energy_j = energy_j, network.time_s = time_s;
  return network;
}

TEST(Repeats, WithoutRepeatsNothingIsKnown) {
  EXPECT_FALSE(scatter_of_repeats({}, {}));
  const std::vector<MeasuredNetwork> networks{measured(1, 1), measured(5, 2)};
  EXPECT_FALSE(scatter_of_repeats(networks, std::vector<std::size_t>{0, 1}));
}

TEST(Repeats, TwoRunsMayScatterMuchMoreThanTheyShow) {
  const std::vector<MeasuredNetwork> networks{measured(std::exp(0.1), 1), measured(1, 1)};
  const auto scatter = scatter_of_repeats(networks, std::vector<std::size_t>{3, 3});
  ASSERT_TRUE(scatter);
  // One degree of freedom: Student's t at 95 % is 6.314 where the normal quantile is 1.645.
  EXPECT_NEAR(scatter->energy, 0.1 / std::sqrt(2) * 6.314 / 1.645, 1e-3);
  EXPECT_EQ(scatter->time, 0);
}

TEST(Repeats, ManyRunsOfSeveralNetworksGiveTheScatterOfEach) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<MeasuredNetwork> networks;
  std::vector<std::size_t> identity;
  for (std::size_t network = 0; network < 40; ++network)
    for (int run = 0; run < 6; ++run) {
      const double usual = static_cast<double>(network + 1);
      networks.push_back(measured(usual * std::exp(0.03 * normal(random)),
                                  usual * std::exp(0.08 * normal(random))));
      identity.push_back(network);
    }
  const auto scatter = scatter_of_repeats(networks, identity);
  ASSERT_TRUE(scatter);
  EXPECT_NEAR(scatter->energy, 0.03, 0.004);
  EXPECT_NEAR(scatter->time, 0.08, 0.01);
}

}  // namespace
}  // namespace ampere
