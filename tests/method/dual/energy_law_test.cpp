#include "method/dual/energy_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <random>

#include "method/dual/dynamic_energy.h"
#include "method/dual/tabulated_energy.h"

namespace ampere {
namespace {

constexpr PowerProcess kNone{1, 0, 0.01};

struct Coefficients {
  double ready_w = 100, device_w = 200, j_per_flop = 1e-11, j_per_byte = 2e-10, j_per_block = 1e-3;
  std::function<double(const BlockTerms&, double)> more_w;  // dynamic power beside the sums
};

double even(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// Work, bytes and device time of a block vary on their own. `waiting`: the host takes up to twice
// as long as the device.
std::vector<MeasuredNetwork> measure(const Coefficients& law, int count, unsigned seed,
                                     bool waiting = true) {
  std::mt19937_64 random(seed);
  std::vector<MeasuredNetwork> networks;
  for (int i = 0; i < count; ++i) {
    MeasuredNetwork measured;
    MappedNetwork& network = measured.network;
    const int depth = 3 + static_cast<int>(random() % 6);
    double dynamic_j = 0;
    for (int j = 0; j < depth; ++j) {
      BlockTerms block{"a", {}, 1, 0, 0, j == 0, j + 1 == depth};
      const double device_s = 1e-3 * std::pow(10, even(random));
      block.flops = 1e10 * std::pow(10, even(random));
      block.bytes = 1e8 * std::pow(10, even(random));
      dynamic_j += law.device_w * device_s + law.j_per_flop * block.flops +
                   law.j_per_byte * block.bytes + law.j_per_block +
                   (law.more_w ? device_s * law.more_w(block, device_s) : 0);
      network.blocks.push_back(block);
      network.times.push_back({device_s, 0, 0});
      network.device_s += device_s;
    }
    measured.device_s = network.device_s;
    measured.time_s = network.device_s * (waiting ? 1 + even(random) : 1);
    measured.energy_j = law.ready_w * measured.time_s + dynamic_j;
    networks.push_back(std::move(measured));
  }
  return networks;
}

Window idle_at(double watts) {
  Window window;
  window.time = Seconds(2);
  window.energy = {2 * watts};
  return window;
}

EnergyLaw fit(const std::vector<MeasuredNetwork>& networks, const std::optional<Window>& idle,
              const std::optional<PowerProcess>& process = {}, bool synchronous = false) {
  std::vector<const MeasuredNetwork*> pointers;
  for (const MeasuredNetwork& network : networks) pointers.push_back(&network);
  return fit_energy_law(pointers, synchronous, idle, process);
}

// The blocks' device times are stretched to a whole of `device_s`.
struct WorkOf {
  DynamicEnergy dynamic;
  DynamicEnergy::Answer energy;

  WorkOf(const EnergyLaw& law, const MappedNetwork& network, double device_s) : dynamic(law) {
    const auto count = static_cast<Eigen::Index>(network.blocks.size());
    dynamic.begin(count);
    for (Eigen::Index i = 0; i < count; ++i)
      dynamic.set(i, power_block(network.blocks[i]),
                  device_s / network.device_s * network.times[i].device_s);
    energy = dynamic.ask();
  }
  WorkOf(const EnergyLaw& law, const MeasuredNetwork& network)
      : WorkOf(law, network.network, *network.device_s) {}
};

double energy_of(const EnergyLaw& law, const MeasuredNetwork& network) {
  return law.ready_w * network.time_s + WorkOf(law, network).energy.dynamic_j;
}

double mean_error(const EnergyLaw& law, const std::vector<MeasuredNetwork>& networks) {
  double sum = 0;
  for (const MeasuredNetwork& network : networks)
    sum += std::abs(energy_of(law, network) / network.energy_j - 1);
  return sum / static_cast<double>(networks.size());
}

TEST(EnergyLaw, FindsEveryCoefficient) {
  const Coefficients truth;
  const EnergyLaw law = fit(measure(truth, 40, 1), idle_at(100), kNone);
  EXPECT_NEAR(law.ready_w, truth.ready_w, 0.01 * truth.ready_w);
  EXPECT_NEAR(law.device_w, truth.device_w, 0.01 * truth.device_w);
  EXPECT_NEAR(law.j_per_flop, truth.j_per_flop, 0.01 * truth.j_per_flop);
  EXPECT_NEAR(law.j_per_byte, truth.j_per_byte, 0.01 * truth.j_per_byte);
  EXPECT_NEAR(law.j_per_block, truth.j_per_block, 0.01 * truth.j_per_block);
}

TEST(EnergyLaw, NothingCostsLessThanNothing) {
  Coefficients truth;
  truth.device_w = -20;
  const EnergyLaw law = fit(measure(truth, 40, 1), idle_at(100), kNone);
  EXPECT_EQ(law.device_w, 0);
  EXPECT_GT(law.ready_w, 0);
}

// Where one never waits, T = d, and only the idle window tells P0 from γ.
TEST(EnergyLaw, TheIdleWindowTellsReadyPowerFromThePowerOfWork) {
  const std::vector<MeasuredNetwork> busy = measure({}, 40, 1, false);
  for (const double watts : {30, 100, 250}) {
    const EnergyLaw law = fit(busy, idle_at(watts), kNone);
    EXPECT_NEAR(law.ready_w, watts, 0.02 * watts);
    EXPECT_NEAR(law.ready_w + law.device_w, 300, 6);
    EXPECT_LT(mean_error(law, measure({}, 50, 9, false)), 0.01);
  }
}

TEST(EnergyLaw, AnIdleWindowOfNothingIsPassedOver) {
  const std::vector<MeasuredNetwork> networks = measure({}, 40, 1);
  EXPECT_NEAR(fit(networks, idle_at(0), kNone).ready_w, fit(networks, {}, kNone).ready_w, 1e-6);
}

TEST(EnergyLaw, OfASynchronousDeviceNeedsNoTimings) {
  std::vector<MeasuredNetwork> networks = measure({}, 40, 1, false);
  for (MeasuredNetwork& network : networks) network.device_s.reset();
  const EnergyLaw law = fit(networks, idle_at(100), kNone, true);
  EXPECT_NEAR(law.ready_w + law.device_w, 300, 6);
}

double bump_w(const BlockTerms& block, double device_s) {
  return 80 * std::sin(1.5 * std::log2(block.flops / device_s));
}

TEST(EnergyLaw, TheProcessFindsWhatTheSumsDoNot) {
  const Coefficients truth{.more_w = bump_w};
  const std::vector<MeasuredNetwork> seen = measure(truth, 60, 1), unseen = measure(truth, 100, 2);
  const EnergyLaw plain = fit(seen, idle_at(100), kNone), law = fit(seen, idle_at(100));
  EXPECT_GT(law.process.variance, 0);
  EXPECT_LT(mean_error(law, unseen), 0.7 * mean_error(plain, unseen));
  EXPECT_LT(mean_error(law, seen), mean_error(law, unseen));
}

TEST(EnergyLaw, WhereTheSumsAreRightTheProcessIsNothing) {
  const EnergyLaw law = fit(measure({}, 40, 1), idle_at(100));
  EXPECT_LT(mean_error(law, measure({}, 100, 2)), 0.005);
  for (const MeasuredNetwork& network : measure({}, 20, 3))
    EXPECT_LT(WorkOf(law, network).energy.sd, 0.02 * network.energy_j);
}

TEST(EnergyLaw, IsLessSureOfWhatItHasNotSeen) {
  const std::vector<MeasuredNetwork> seen = measure({.more_w = bump_w}, 60, 1);
  const EnergyLaw law = fit(seen, idle_at(100));
  MeasuredNetwork strange = seen[0];
  for (BlockTerms& block : strange.network.blocks) block.flops *= 1e4;
  const double known = WorkOf(law, seen[0]).energy.sd;
  EXPECT_GT(WorkOf(law, strange).energy.sd, 2 * known);
}

TEST(EnergyLaw, BlocksAddUp) {
  const std::vector<MeasuredNetwork> networks = measure({.more_w = bump_w}, 40, 1);
  const EnergyLaw law = fit(networks, idle_at(100));
  for (const MeasuredNetwork& network : networks) {
    const WorkOf work(law, network);
    const Eigen::VectorXd& by_block = work.dynamic.by_block();
    EXPECT_EQ(by_block.size(), static_cast<Eigen::Index>(network.network.blocks.size()));
    EXPECT_NEAR(by_block.sum(), work.energy.dynamic_j, 1e-12 * work.energy.dynamic_j);
  }
}

// What is asked often is tabulated over the stretch of the network, and a network that differs from
// the last one in a block or two is found from it.
TEST(EnergyLaw, AskedOftenItSaysTheSame) {
  const EnergyLaw law = fit(measure({.more_w = bump_w}, 60, 1), idle_at(100));
  ASSERT_GT(law.process.variance, 0);
  TabulatedEnergy often(law);
  MappedNetwork all;
  for (const MeasuredNetwork& measured : measure({.more_w = bump_w}, 5, 2)) {
    std::ranges::copy(measured.network.blocks, std::back_inserter(all.blocks));
    std::ranges::copy(measured.network.times, std::back_inserter(all.times));
  }
  const auto add_all = [&] {
    for (std::size_t i = 0; i < all.blocks.size(); ++i)
      often.add(power_block(all.blocks[i]), all.times[i].device_s);
  };
  add_all();
  std::mt19937_64 random(3);
  std::vector<int> asked(6, 0);
  for (int time = 0; time < 400; ++time) {
    if (time % 40 == 0) asked.resize(4 + random() % 4);
    const std::size_t replaced = time % 10 == 0 ? asked.size() : 1 + random() % 2;
    for (std::size_t i = 0; i < replaced; ++i)
      asked[replaced == asked.size() ? i : random() % asked.size()] =
          static_cast<int>(random() % all.blocks.size());
    const double stretch = 1 + 0.013 * (time / 5 % 17);
    DynamicEnergy exact(law);
    exact.begin(static_cast<Eigen::Index>(asked.size()));
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto block = static_cast<std::size_t>(asked[i]);
      exact.set(static_cast<Eigen::Index>(i), power_block(all.blocks[block]),
                stretch * all.times[block].device_s);
    }
    ASSERT_TRUE(often.answers(asked, stretch));
    const DynamicEnergy::Answer found = often.ask(asked, stretch), once = exact.ask();
    ASSERT_NEAR(found.dynamic_j / once.dynamic_j, 1, 1e-9) << time;
    ASSERT_NEAR(found.sd / once.sd, 1, 1e-7) << time;
    if (time == 300) often.forget(), add_all();
  }
}

TEST(EnergyLaw, BlocksThatTakeNoTimeAreNotTabulated) {
  const EnergyLaw law = fit(measure({.more_w = bump_w}, 60, 1), idle_at(100));
  TabulatedEnergy often(law);
  often.add({}, 0);
  often.add({}, 1e-3);
  EXPECT_FALSE(often.answers(std::vector<int>{0, 1}, 1));
  EXPECT_FALSE(often.answers(std::vector<int>{1}, 1e-6));
  EXPECT_TRUE(often.answers(std::vector<int>{1}, 1));
}

TEST(EnergyLaw, StretchesBlocksToTheDeviceTimeOfTheWhole) {
  const MeasuredNetwork network = measure({}, 1, 1)[0];
  EnergyLaw law;
  law.device_w = 10;
  EXPECT_NEAR(WorkOf(law, network.network, 2 * network.network.device_s).energy.dynamic_j,
              20 * network.network.device_s, 1e-12);
}

TEST(EnergyLaw, OfOneNetworkIsThatNetwork) {
  const std::vector<MeasuredNetwork> one = measure({}, 1, 1);
  EXPECT_NEAR(energy_of(fit(one, {}), one[0]), one[0].energy_j, 0.02 * one[0].energy_j);
}

}  // namespace
}  // namespace ampere
