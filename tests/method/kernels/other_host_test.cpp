// What an inference costs on a host of another speed: the law, then estimates by it.
#include "method/kernels/predict/other_host.h"

#include <gtest/gtest.h>

#include <cmath>

#include "measured.h"
#include "method/kernels/kernel_fit.h"

namespace ampere {
namespace {

using testing_support::measured;

constexpr double kReady = 100;  // W
constexpr OtherHost kSlow{1.5, kReady}, kFast{0.5, kReady};

Part part_of(double energy_j, double time_s) {
  Part part;
  part.energy_j = Quantity{energy_j, 0.1 * energy_j};
  part.time_s = Quantity{time_s, 0.1 * time_s};
  return part;
}

struct Inference {
  std::vector<Part> parts;
  Quantity energy{2, 0.2}, time{0.01, 0.001};

  void on(const OtherHost& host, const std::vector<std::optional<double>>& device_s) {
    put_on(host, device_s, parts, energy, time);
  }
};

TEST(OtherHost, SlowsWhatWaitsForIt) {
  Inference one{{part_of(2, 0.01)}};
  one.on(kSlow, {0.004});
  EXPECT_NEAR(one.parts[0].time_s->mean, 0.015, 1e-15);
  EXPECT_NEAR(one.parts[0].energy_j->mean, 2 + kReady * 0.005, 1e-12) << "ready for longer";
  EXPECT_NEAR(one.time.mean, 0.015, 1e-15);
  EXPECT_NEAR(one.energy.mean, 2.5, 1e-12);
}

TEST(OtherHost, LeavesWhatWaitsForTheDeviceAsItIs) {
  Inference one{{part_of(2, 0.01)}};
  one.on(kSlow, {0.0099});
  EXPECT_EQ(one.time.mean, 0.01);
  EXPECT_EQ(one.energy.mean, 2);
  EXPECT_EQ(one.energy.stddev, 0.2);
}

TEST(OtherHost, MakesNothingQuickerThanItsDevice) {
  Inference one{{part_of(2, 0.01)}};
  one.on(kFast, {0.008});
  EXPECT_NEAR(one.time.mean, 0.008, 1e-15);
  EXPECT_NEAR(one.energy.mean, 2 - kReady * 0.002, 1e-12);
}

TEST(OtherHost, IsWaitedForWhereNobodyKnowsTheDevice) {
  Inference unknown{{part_of(2, 0.01)}}, beyond{{part_of(2, 0.01)}};
  unknown.on(kSlow, {std::nullopt});
  beyond.on(kSlow, {});
  EXPECT_NEAR(unknown.time.mean, 0.015, 1e-15);
  EXPECT_NEAR(beyond.time.mean, 0.015, 1e-15) << "as the part of every inference";
}

TEST(OtherHost, ChangesTheWholeByWhatItChangesTheParts) {
  Inference two{{part_of(1.5, 0.006), part_of(0.5, 0.004)}};
  two.on(kSlow, {0.006, 0.001});
  EXPECT_NEAR(two.time.mean, 0.006 + 0.006, 1e-15);
  EXPECT_NEAR(two.time.mean, two.parts[0].time_s->mean + two.parts[1].time_s->mean, 1e-15);
  EXPECT_NEAR(two.energy.mean, two.parts[0].energy_j->mean + two.parts[1].energy_j->mean, 1e-12);
}

// A tenth of the time as before, and three tenths of the change, which is not the same for all.
TEST(OtherHost, IsLessCertainTheMoreItHasChanged) {
  Inference one{{part_of(2, 0.01)}};
  one.on(kSlow, {0.004});
  EXPECT_NEAR(one.time.stddev.value(), std::hypot(0.1 * 0.015, 0.3 * 0.005), 1e-12);
  EXPECT_NEAR(one.energy.stddev.value(),
              std::hypot(0.2 + kReady * 0.1 * 0.005, kReady * 0.3 * 0.005), 1e-12);
}

TEST(OtherHost, OfTheSameSpeedIsTheSame) {
  Inference one{{part_of(2, 0.01)}};
  one.on({1, kReady}, {0.004});
  EXPECT_EQ(one.time.mean, 0.01);
  EXPECT_EQ(one.time.stddev, 0.001);
  EXPECT_EQ(one.energy.stddev, 0.2);
}

// Kernels of MobileNet v1 whose device computes for a tenth of their time.
KernelFits fits(bool device_timed) {
  const std::vector<Model> networks{make_zoo_model("mobilenet_v1")};
  const std::vector<Kernel> own = distinct_kernels(networks);
  std::vector<Kernel> kernels = own;
  for (const Kernel& kernel : widen_kernels(own, 60, 1)) kernels.push_back(kernel);
  for (const Kernel& kernel : own)
    for (const Kernel& other : widen_kernels(std::span(&kernel, 1), 6, 2)) kernels.push_back(other);
  EnergyTable data;
  data.environment["source"] = "measured";
  data.rows = measured(kernels);
  if (device_timed)
    for (TableRow& row : data.rows) row.device_s = row.latency_s.value() / 10;
  return fit_kernels(data, {.folds = 0}).fits;
}

TEST(InferenceOnAnotherHost, TakesPowerAndDeviceTimes) {
  EXPECT_FALSE(make_inference_estimator(fits(true))->on_host(1.2)) << "no power is known";
  InferenceOptions options;
  options.ready_w = 1;
  EXPECT_FALSE(make_inference_estimator(fits(false), options)->on_host(1.2)) << "nor a host";
  EXPECT_TRUE(make_inference_estimator(fits(true), options)->on_host(1.2));
}

TEST(InferenceOnAnotherHost, CountsFromTheUsualHostAndHasPartsThatMakeUpTheWhole) {
  const Model model = make_zoo_model("mobilenet_v1");
  InferenceOptions options;
  options.ready_w = 1;  // half of the two watts of these kernels
  options.overhead = InferenceOverhead{{2e-6, 1e-7}, {1e-6, 1e-7}};
  const auto usual = make_inference_estimator(fits(true), options);
  const Estimate before = usual->estimate(model, {});
  const Estimate after = usual->on_host(3)->on_host(1.2)->estimate(model, {});
  EXPECT_NEAR(after.time_s->mean, 1.2 * before.time_s->mean, 1e-12);
  EXPECT_NEAR(after.energy_j->mean, before.energy_j->mean + 0.2 * before.time_s->mean, 1e-12);
  double energy = 0, time = 0;
  for (const Part& part : after.parts) {
    energy += part.energy_j->mean;
    time += part.time_s->mean;
  }
  EXPECT_NEAR(energy, after.energy_j->mean, 1e-12);
  EXPECT_NEAR(time, after.time_s->mean, 1e-12);
}

}  // namespace
}  // namespace ampere
