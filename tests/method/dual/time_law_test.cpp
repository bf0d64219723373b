#include "method/dual/time_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ampere/error.h"
#include "method/dual/dual_model.h"

namespace ampere {
namespace {

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

MappedNetwork network_of(const std::vector<std::pair<std::string, BlockTime>>& blocks) {
  MappedNetwork network;
  for (const auto& [kind, time] : blocks) {
    // Equal blocks take equal times: those of other times have other widths.
    const auto width = static_cast<std::int64_t>(network.blocks.size()) + 1;
    network.blocks.push_back({kind, {width}, 1, 0, 0, false, false});
    network.times.push_back(time);
    network.device_s += time.device_s;
    network.host_s += time.host_s;
    ++network.kinds[kind];
  }
  return network;
}

// Three to eight blocks of two kinds, from far host-bound to far device-bound.
std::vector<MappedNetwork> draw(int count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<MappedNetwork> networks;
  for (int i = 0; i < count; ++i) {
    const double size = std::pow(10, -5 + 1.5 * uniform(random));
    std::vector<std::pair<std::string, BlockTime>> blocks;
    const int depth = 3 + static_cast<int>(random() % 6);
    for (int j = 0; j < depth; ++j)
      blocks.push_back({random() % 2 == 0 ? "a" : "b", {size * (0.5 + uniform(random)), 0, 6e-5}});
    networks.push_back(network_of(blocks));
  }
  return networks;
}

struct Device {
  double device_constant = 0, device_scale = 1;
  double host_constant = 0, host_of_b = 0;
  double overlap = 1;
  bool synchronous = false, timed = true;

  double device_s(const MappedNetwork& network) const {
    return device_constant + device_scale * network.device_s;
  }
  double time_s(const MappedNetwork& network) const {
    const double device = device_s(network);
    if (synchronous) return device;
    const auto b = network.kinds.find("b");
    const double host =
        host_constant + network.host_s + (b == network.kinds.end() ? 0 : host_of_b * b->second);
    return std::max(host, device) + (1 - overlap) * std::min(host, device);
  }
  std::vector<MeasuredNetwork> measure(const std::vector<MappedNetwork>& networks) const {
    std::vector<MeasuredNetwork> measured;
    for (const MappedNetwork& network : networks) {
      measured.push_back({network, 1, time_s(network), time_s(network), 1, {}});
      if (timed) measured.back().device_s = device_s(network);
    }
    return measured;
  }
};

TimeLaw fit(const std::vector<MeasuredNetwork>& networks, bool synchronous = false) {
  std::vector<const MeasuredNetwork*> pointers;
  for (const MeasuredNetwork& network : networks) pointers.push_back(&network);
  return fit_time_law(pointers, synchronous);
}

NetworkTime time_of(const TimeLaw& law, const MappedNetwork& network) {
  DualModel model;
  model.time = law;
  return predict(model, network).time;
}

double worst_error(const TimeLaw& law, const Device& device) {
  double worst = 0;
  for (const MappedNetwork& network : draw(200, 77))
    worst = std::max(worst, std::abs(time_of(law, network).time_s / device.time_s(network) - 1));
  return worst;
}

TEST(TimeLaw, FindsTheLongerOfHostAndDevice) {
  const Device device{.device_constant = 2e-5, .device_scale = 1.1, .host_constant = 1e-4};
  const TimeLaw law = fit(device.measure(draw(30, 1)));
  EXPECT_EQ(law.overlap, 1);
  EXPECT_NEAR(law.device_scale, 1.1, 0.02);
  EXPECT_NEAR(law.host_constant, 1e-4, 1e-5);
  EXPECT_LT(worst_error(law, device), 0.03);
}

TEST(TimeLaw, FindsAPartialOverlap) {
  const Device device{.host_constant = 1e-4, .overlap = 0.5};
  const TimeLaw law = fit(device.measure(draw(30, 1)));
  EXPECT_NEAR(law.overlap, 0.5, 1e-9);
  EXPECT_LT(worst_error(law, device), 0.03);
}

TEST(TimeLaw, FindsThatNothingOverlaps) {
  const Device device{.host_constant = 1e-4, .overlap = 0};
  const TimeLaw law = fit(device.measure(draw(30, 1)));
  EXPECT_NEAR(law.overlap, 0, 1e-9);
  EXPECT_LT(worst_error(law, device), 0.03);
}

TEST(TimeLaw, OfASynchronousDeviceIsTheDevicesTime) {
  const Device device{
      .device_constant = 5e-5, .device_scale = 0.9, .synchronous = true, .timed = false};
  const TimeLaw law = fit(device.measure(draw(30, 1)), true);
  EXPECT_TRUE(law.synchronous);
  EXPECT_LT(worst_error(law, device), 0.02);
  const NetworkTime time = time_of(law, draw(1, 3)[0]);
  EXPECT_EQ(time.time_s, time.device_s);
  EXPECT_EQ(time.time_sd, time.device_sd);
  EXPECT_EQ(time.host_s, 0);
  EXPECT_EQ(time.by_device, 1);
  EXPECT_EQ(time.by_host, 0);
}

TEST(TimeLaw, KindsMayHaveAHostTimeOfTheirOwn) {
  const Device device{.host_of_b = 8e-5};
  const TimeLaw law = fit(device.measure(draw(40, 1)));
  ASSERT_TRUE(law.host_per_kind.contains("b"));
  EXPECT_LT(worst_error(law, device), 0.08);
}

TEST(TimeLaw, WithFewHostBoundNetworksTheHostIsTheSumOfItsBlocks) {
  Device device;
  std::vector<MappedNetwork> slow = draw(30, 1);
  for (MappedNetwork& network : slow) {
    for (BlockTime& time : network.times) time.device_s += 1e-3;
    network.device_s += 1e-3 * static_cast<double>(network.times.size());
  }
  const TimeLaw law = fit(device.measure(slow));
  EXPECT_EQ(law.host_scale, 1);
  EXPECT_EQ(law.host_constant, 0);
  EXPECT_EQ(law.overlap, 1);
  EXPECT_NEAR(time_of(law, slow[0]).time_s, device.time_s(slow[0]), 0.01 * device.time_s(slow[0]));
}

TEST(TimeLaw, NetworksThatWereNotTimedAreTakenAtTheSumOfTheirBlocks) {
  const Device device{.host_constant = 1e-4, .timed = false};
  const TimeLaw law = fit(device.measure(draw(30, 1)));
  EXPECT_EQ(law.device_scale, 1);
  EXPECT_LT(worst_error(law, device), 0.03);
}

TEST(TimeLaw, StatesTheErrorOfTheDeviceBesideThatOfTheMaps) {
  std::mt19937_64 random(5);
  std::vector<MeasuredNetwork> networks = Device{}.measure(draw(60, 1));
  for (MeasuredNetwork& network : networks) *network.device_s *= 0.9 + 0.2 * uniform(random);
  EXPECT_NEAR(fit(networks).device_error, 0.2 / std::sqrt(12), 0.015);
  for (MeasuredNetwork& network : networks) network.network.device_error = 0.2 / std::sqrt(12);
  EXPECT_LT(fit(networks).device_error, 0.03) << "the maps explain it";
}

TEST(TimeLaw, OfFewNetworksStillAnswers) {
  for (const int count : {1, 2, 3, 4, 5}) {
    const TimeLaw law = fit(Device{}.measure(draw(count, 1)));
    EXPECT_LT(worst_error(law, Device{}), 0.1) << count;
  }
}

// ∂T/∂d and ∂T/∂h are 0 and 1 far from where both are equal, and a half there.
TEST(TimeLaw, DerivativesGoOverWhereHostAndDeviceAreEqual) {
  TimeLaw law;
  law.device_error = 0.01, law.host_error = 0.05;
  const auto at = [&](double device_s) {
    return time_of(law, network_of({{"a", {device_s, 0, 1e-3}}}));
  };
  EXPECT_NEAR(at(1e-4).by_device, 0, 1e-9);
  EXPECT_NEAR(at(1e-4).by_host, 1, 1e-9);
  EXPECT_NEAR(at(1e-3).by_device, 0.5, 1e-9);
  EXPECT_NEAR(at(1e-2).by_device, 1, 1e-9);
  EXPECT_NEAR(at(1e-2).by_host, 0, 1e-9);
  EXPECT_NEAR(at(1e-4).time_sd, 0.05e-3, 1e-9);
  EXPECT_NEAR(at(1e-2).time_sd, 0.01e-2, 1e-9);
}

TimeMaps two_maps() {
  TimeMaps maps;
  maps.emplace("a", TimeMap::fit({{{8}, 1e-3, 1e-4}, {{16}, 2e-3, 1e-4}}, 1));
  maps.emplace("b", TimeMap::fit({{{}, 5e-3, 3e-4}}, 1));
  return maps;
}

TEST(TimeLaw, OfAHostThatHasChangedIsLessSure) {
  TimeLaw law;
  law.host_error = 0.04;
  const auto host_bound = [&law](double slowdown) {
    TimeLaw slowed = law;
    slowed.slow_host(slowdown);
    return slowed.compose(1e-3, slowdown * 2e-3, 0);
  };
  EXPECT_DOUBLE_EQ(host_bound(1).host_sd, 0.04 * 2e-3);
  for (const double slowdown : {0.8, 1.25}) {
    EXPECT_DOUBLE_EQ(host_bound(slowdown).time_s, slowdown * 2e-3) << "the estimate is the same";
    EXPECT_GT(host_bound(slowdown).host_sd / host_bound(slowdown).host_s, 1.5 * law.host_error);
  }
  EXPECT_LT(host_bound(1.02).host_sd / host_bound(1.02).host_s, 1.05 * law.host_error);
}

TEST(MapNetwork, AddsUpItsBlocks) {
  const MappedNetwork network = map_network({{"a", {8}, 1, 0, 0, true, false},
                                             {"a", {16}, 1, 0, 0, false, false},
                                             {"b", {}, 1, 0, 0, false, true}},
                                            two_maps());
  EXPECT_NEAR(network.device_s, 8e-3, 1e-12);
  EXPECT_NEAR(network.host_s, 5e-4, 1e-12);
  ASSERT_EQ(network.times.size(), 3u);
  EXPECT_NEAR(network.times[1].device_s, 2e-3, 1e-12);
  EXPECT_EQ(network.kinds.at("a"), 2);
  EXPECT_EQ(network.kinds.at("b"), 1);
}

TEST(MapNetwork, EqualBlocksErrAlikeAndOthersOnTheirOwn) {
  const BlockTerms narrow{"a", {8}, 1, 0, 0, false, false}, wide{"a", {16}, 1, 0, 0, false, false};
  const double one = map_network({narrow}, two_maps()).device_error;
  EXPECT_NEAR(map_network({narrow, narrow}, two_maps()).device_error, one, 1e-12);
  EXPECT_NEAR(map_network({narrow, wide}, two_maps()).device_error, one * std::hypot(1, 2) / 3,
              1e-12);
}

TEST(MapNetwork, AKindThatWasNotTimedIsNamed) {
  try {
    map_network({{"a", {8}, 1, 0, 0, true, false}, {"other", {}, 1, 0, 0, false, true}},
                two_maps());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_NE(std::string(error.what()).find("'other'"), std::string::npos);
  }
}

}  // namespace
}  // namespace ampere
