#include "method/dual/dual.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "base/stats.h"
#include "model/draw.h"
#include "synthetic.h"

namespace ampere {
namespace {

const SyntheticDevice kDevice{.noise = 0.01};

const DualModel& fitted() {
  static const SharedDualModel model = fit_dual(evidence_of(kDevice, 40, 80));
  return *model;
}

std::vector<Model> unseen(int count) { return draw_networks("cnn5", count, 1234); }

double mean_energy_error(const DualModel& model, const SyntheticDevice& device, int count) {
  double sum = 0;
  for (const Model& network : unseen(count))
    sum += std::abs(ask(model, network).energy_j / device.truth(network).energy_j - 1);
  return sum / count;
}

TEST(Dual, TheSyntheticDeviceIsNowHostBoundAndNowDeviceBound) {
  int host_bound = 0;
  for (const Model& network : unseen(200)) {
    const SyntheticDevice::Truth truth = kDevice.truth(network);
    host_bound += truth.host_s > truth.device_s;
  }
  EXPECT_GT(host_bound, 40);
  EXPECT_LT(host_bound, 160);
}

TEST(Dual, PredictsNetworksItHasNotSeen) {
  double time = 0;
  for (const Model& network : unseen(200))
    time += std::abs(ask(fitted(), network).time.time_s / kDevice.truth(network).time_s - 1) / 200;
  EXPECT_LT(mean_energy_error(fitted(), kDevice, 200), 0.02);
  EXPECT_LT(time, 0.03);
}

TEST(Dual, KnowsHowFarOffItIs) {
  EXPECT_EQ(check_of(fitted()).networks, 40);
  EXPECT_LT(check_of(fitted()).energy_mape, 0.04);
  EXPECT_LT(check_of(fitted()).time_mape, 0.05);
  EXPECT_GT(check_of(fitted()).energy_mape, 0.002);
}

// The plan times the blocks of all networks that it measures, so these would never show it.
TEST(Dual, KnowsHowFarOffItIsWithBlocksThatWereNotTimed) {
  const SyntheticDevice device{.synchronous = true, .jumps = 0.3};
  const SharedDualModel model = fit_dual(evidence_of(device, 40, 40));
  const double real = mean_energy_error(*model, device, 100);
  EXPECT_GT(real, 0.05) << "maps cannot know this device";
  EXPECT_GT(check_of(*model).energy_mape, 0.7 * real);
  EXPECT_LT(check_of(*model).energy_mape, 1.5 * real);
}

// Left out one at a time, all the others would tell what it takes.
TEST(Dual, ANetworkIsLeftOutWithAllItsRepeats) {
  DualEvidence evidence = evidence_of({}, 10, 40);
  evidence.networks.at(3).measurement->energy_j.mean *= 1.3;
  const Observation odd = evidence.networks.at(3);
  for (int i = 0; i < 10; ++i) evidence.networks.push_back(odd);
  EXPECT_GT(check_of(*fit_dual(evidence)).energy_mape, 0.1) << "half of them are 30 % off";
}

TEST(Dual, TheIntervalHoldsWhatItSaysItHolds) {
  int energy = 0, time = 0;
  for (const Model& network : unseen(200)) {
    const DualPrediction predicted = ask(fitted(), network);
    const Observation measured = kDevice.measure(network);
    energy += std::abs(measured.measurement->energy_j.mean - predicted.energy_j) <=
              normal_quantile(0.95) * predicted.energy_sd;
    time += std::abs(measured.measurement->time_s.mean - predicted.time.time_s) <=
            normal_quantile(0.95) * predicted.time.time_sd;
  }
  EXPECT_GE(energy, 160);
  EXPECT_GE(time, 160);
}

// The network a profile is made for, measured and never left out, unlike all the others.
TEST(Dual, TheIntervalHoldsANetworkAtRoundWidthsThatTheLawsMiss) {
  DualEvidence evidence = evidence_of(kDevice, 40, 80);
  Observation& odd = evidence.networks.at(7);
  odd.measurement->energy_j.mean *= 1.2, odd.measurement->time_s.mean *= 1.2;
  odd.round_widths = true;
  const SharedDualModel model = fit_dual(evidence);
  const DualPrediction predicted = ask(*model, odd.model);
  const double reach = 1.0001 * normal_quantile(0.95);
  EXPECT_LT(predicted.energy_j, odd.measurement->energy_j.mean) << "it is one of forty-one";
  EXPECT_GE(predicted.energy_j + reach * predicted.energy_sd, odd.measurement->energy_j.mean);
  EXPECT_GE(predicted.time.time_s + reach * predicted.time.time_sd, odd.measurement->time_s.mean);
}

TEST(Dual, BlocksAddUpToTheWhole) {
  for (const Model& network : unseen(50)) {
    const DualPrediction predicted = ask(fitted(), network);
    EXPECT_NEAR(predicted.energy_by_block.sum(), predicted.energy_j, 1e-9 * predicted.energy_j);
    EXPECT_NEAR(predicted.time_by_block.sum(), predicted.time.time_s, 1e-9 * predicted.time.time_s);
  }
}

TEST(Dual, OneWaitsWhereTheHostIsSlower) {
  for (const Model& network : unseen(50)) {
    const SyntheticDevice::Truth truth = kDevice.truth(network);
    const double expected = kDevice.ready_w * (truth.time_s - truth.device_s);
    EXPECT_NEAR(ask(fitted(), network).waiting_j, expected, 0.1 * truth.energy_j);
  }
}

TEST(Dual, IsAsGoodOnASynchronousDevice) {
  const SyntheticDevice device{.synchronous = true, .noise = 0.01};
  const SharedDualModel model = fit_dual(evidence_of(device, 30, 60));
  EXPECT_TRUE(model->time.synchronous);
  EXPECT_LT(mean_energy_error(*model, device, 100), 0.02);
}

TEST(Dual, IsAsGoodWhereHostAndDeviceOverlapInPart) {
  const SyntheticDevice device{.overlap = 0.5, .noise = 0.005};
  const SharedDualModel model = fit_dual(evidence_of(device, 40, 60));
  EXPECT_NEAR(model->time.overlap, 0.5, 0.11);
  EXPECT_LT(mean_energy_error(*model, device, 100), 0.03);
}

TEST(Dual, WithoutAnIdleWindowItStillFits) {
  DualEvidence evidence = evidence_of(kDevice, 40, 60);
  evidence.idle.reset();
  EXPECT_LT(mean_energy_error(*fit_dual(evidence), kDevice, 100), 0.03);
}

double mean_host_error(const DualModel& model, const SyntheticDevice& device) {
  double sum = 0;
  for (const Model& network : unseen(100))
    sum += std::abs(ask(model, network).time.host_s / device.truth(network).host_s - 1);
  return sum / 100;
}

// Near the border, noise makes some that wait for the device look as if they waited for the host.
TEST(Dual, NoiseDoesNotSlowTheHostDown) {
  const SyntheticDevice device{.noise = 0.03};
  EXPECT_LT(mean_host_error(*fit_dual(evidence_of(device, 40, 60)), device), 0.02);
}

// Faster or slower than usual, the device's own networks are never taken for the host's.
TEST(Dual, PacesTellAHostThatIsNowSlowerNowFaster) {
  const SyntheticDevice device{.wobble = 0.15};
  EXPECT_LT(mean_host_error(*fit_dual(evidence_of(device, 40, 60)), device), 0.03);
}

// Averaged as 0 s it would make the usual host faster than it ever was.
TEST(Dual, APaceWithoutATimeSaysNothingOfTheHost) {
  const SyntheticDevice device{.wobble = 0.15};
  DualEvidence with_zeros = evidence_of(device, 12, 20), without = with_zeros;
  for (const std::size_t i : {2u, 5u, 7u}) without.networks[i].pace.reset();
  with_zeros.networks[2].pace->reference_s = 0;
  with_zeros.networks[5].pace->time_s = 0;
  with_zeros.networks[7].pace = Pace{0, 0, "reference", Seconds{}};
  EXPECT_EQ(to_text(*fit_dual(with_zeros)).laws, to_text(*fit_dual(without)).laws);
}

TEST(Dual, TheWeakestSourceNamesTheWhole) {
  DualEvidence evidence = evidence_of(kDevice, 6, 10);
  EXPECT_EQ(fit_dual(evidence)->source, Source::simulated);
  for (Observation& network : evidence.networks) network.measurement->source = Source::measured;
  EXPECT_EQ(fit_dual(evidence)->source, Source::measured);
  evidence.networks[3].measurement->source = Source::modelled;
  EXPECT_EQ(fit_dual(evidence)->source, Source::modelled);
}

TEST(Dual, WhatFailedIsPassedOver) {
  DualEvidence evidence = evidence_of(kDevice, 10, 20);
  const double before = ask(*fit_dual(evidence), unseen(1)[0]).energy_j;
  Observation failed = evidence.networks[0];
  failed.measurement.reset();
  failed.timing.reset();
  failed.failure = "out of memory";
  evidence.networks.push_back(failed);
  evidence.timings.push_back({evidence.timings[0].kind, {999, 999}, {}, "out of memory", ""});
  const SharedDualModel model = fit_dual(evidence);
  EXPECT_EQ(check_of(*model).networks, 10);
  EXPECT_DOUBLE_EQ(ask(*model, unseen(1)[0]).energy_j, before);
}

ErrorCode code_of(const DualEvidence& evidence) {
  try {
    fit_dual(evidence);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "was fitted";
  return ErrorCode::failed;
}

TEST(Dual, TooLittleIsUnknown) {
  EXPECT_EQ(code_of({}), ErrorCode::unknown);
  EXPECT_EQ(code_of(evidence_of(kDevice, 3, 20)), ErrorCode::unknown);
  EXPECT_EQ(code_of(evidence_of(kDevice, 10, 0)), ErrorCode::unknown);
  DualEvidence evidence = evidence_of(kDevice, 10, 20);
  const std::string kind = evidence.timings[0].kind;
  std::erase_if(evidence.timings, [&](const BlockTiming& timing) { return timing.kind == kind; });
  EXPECT_EQ(code_of(evidence), ErrorCode::unknown) << "no network is made of timed blocks alone";
}

TEST(Dual, FourNetworksAreEnough) {
  const SharedDualModel model = fit_dual(evidence_of(kDevice, 4, 20));
  EXPECT_EQ(check_of(*model).networks, 4);
  for (const Model& network : unseen(20)) {
    EXPECT_GT(ask(*model, network).energy_j, 0);
    EXPECT_GT(ask(*model, network).energy_sd, 0);
  }
}

TEST(Dual, TheSameEvidenceGivesTheSameModel) {
  const DualEvidence evidence = evidence_of(kDevice, 12, 20);
  const DualText one = to_text(*fit_dual(evidence)), other = to_text(*fit_dual(evidence));
  EXPECT_EQ(one.laws, other.laws);
  EXPECT_EQ(one.maps, other.maps);
}

// Blocks that in truth take half as long again as the maps think.
TEST(DualWithTimings, TheDeviceTimeIsWhatWasTimed) {
  SyntheticDevice slower = kDevice;
  slower.noise = 0;
  slower.start_s += 2e-4;
  for (const Model& network : unseen(10)) {
    const std::vector<BlockTiming> timings = slower.time_blocks(network);
    const SharedDualModel model = with_timings(fitted(), timings);
    const MappedNetwork mapped = map_network(terms_of(network, model->setup), model->maps);
    EXPECT_NEAR(mapped.device_s, slower.truth(network).device_s, 1e-12);
    const DualPrediction known = ask(*model, network), before = ask(fitted(), network);
    EXPECT_GT(known.time.device_s, before.time.device_s);
    EXPECT_GT(known.energy_j, before.energy_j);
  }
}

TEST(DualWithTimings, IsSurerOfTheDevice) {
  const Model network = unseen(1)[0];
  const SharedDualModel model = with_timings(fitted(), kDevice.time_blocks(network));
  EXPECT_LT(ask(*model, network).time.device_sd, ask(fitted(), network).time.device_sd);
}

TEST(DualWithTimings, PassesOverWhatFailedAndWhatItHasNoMapOf) {
  const Model network = unseen(1)[0];
  std::vector<BlockTiming> timings = kDevice.time_blocks(network);
  for (BlockTiming& timing : timings) timing.timing.reset();
  timings.push_back({"unheard of", {1, 2, 3}, Timing{1, {}, {}}, "", ""});
  BlockTiming zero = kDevice.time_blocks(network)[0];
  zero.timing->device_s = 0;
  timings.push_back(zero);
  const SharedDualModel model = with_timings(fitted(), timings);
  EXPECT_EQ(ask(*model, network).energy_j, ask(fitted(), network).energy_j);
}

TEST(DualWithHost, IsTheDeviceWithASlowerHost) {
  ASSERT_TRUE(has_host(fitted()));
  const SharedDualModel slower = with_host(fitted(), 1.3), same = with_host(fitted(), 1);
  bool waited_for_host = false, waited_for_device = false;
  for (const Model& network : unseen(40)) {
    const DualPrediction now = ask(*slower, network), before = ask(fitted(), network);
    const SyntheticDevice::Truth truth = kDevice.truth(network, {}, 1.3);
    EXPECT_NEAR(now.time.time_s, truth.time_s, 0.05 * truth.time_s) << network.name();
    EXPECT_NEAR(now.energy_j, truth.energy_j, 0.05 * truth.energy_j) << network.name();
    EXPECT_EQ(now.time.device_s, before.time.device_s);
    EXPECT_EQ(ask(*same, network).energy_j, before.energy_j);
    (now.time.time_s > before.time.time_s ? waited_for_host : waited_for_device) = true;
  }
  EXPECT_TRUE(waited_for_host && waited_for_device) << "both sorts have to be seen";
}

// The last of what it did says nothing of what it will do, and the profile has seen so.
TEST(DualWithHost, IsLessSureOfAHostThatCannotBeForetold) {
  const SyntheticDevice device{.wobble = 0.15};
  const SharedDualModel model = fit_dual(evidence_of(device, 40, 60));
  for (const Model& network : unseen(20))
    EXPECT_GT(ask(*with_host(*model, 1), network).energy_sd, ask(*model, network).energy_sd);
}

// Its factor is the mean of those of which the other one is the largest.
TEST(DualWithHost, IsAboutAsSureOfASteadyOneAsBeforehand) {
  for (const Model& network : unseen(20)) {
    const double now = ask(*with_host(fitted(), 1), network).energy_sd;
    const double before = ask(fitted(), network).energy_sd;
    EXPECT_LE(now, before);
    EXPECT_GT(now, 0.7 * before);
  }
}

TEST(DualWithHost, IsLessSureTheFartherTheHostIsFromItsUsualSpeed) {
  const auto width = [](double slowdown, const Model& network) {
    const DualPrediction now = ask(*with_host(fitted(), slowdown), network);
    return now.energy_sd / now.energy_j;
  };
  bool wider = false;
  for (const Model& network : unseen(20)) {
    const DualPrediction usual = ask(fitted(), network);
    if (usual.time.host_s < 1.5 * usual.time.device_s) continue;
    wider = true;
    EXPECT_GT(width(1.3, network), 1.1 * width(1, network)) << network.name();
    EXPECT_GT(width(0.75, network), 1.1 * width(1, network)) << network.name();
  }
  EXPECT_TRUE(wider) << "one has to wait for the host";
}

TEST(DualWithHost, ASynchronousDeviceHasNone) {
  SyntheticDevice device;
  device.synchronous = true;
  EXPECT_FALSE(has_host(*fit_dual(evidence_of(device, 20, 20))));
}

}  // namespace
}  // namespace ampere
