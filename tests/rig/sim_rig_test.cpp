#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/model.h"
#include "record/record_json.h"
#include "rig/sim.h"
#include "rig/sim_law.h"

namespace ampere {
namespace {

Model net(std::int64_t width) {
  ModelBuilder builder("net" + std::to_string(width));
  builder.add(Input{image(1, 16, 16)});
  builder.add(Conv{width, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  builder.add(Activation{});
  builder.add(Flatten{});
  builder.add(Linear{10});
  return std::move(builder).build();
}

std::string answer(Rig& rig, const Model& model) {
  return measurement_json(rig.measure(model, {}, {})).dump();
}

class EverySimRig : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Devices, EverySimRig,
                         testing::Values("oppo", "iphone", "xavier", "tx2", "server", "ideal"),
                         [](const auto& device) { return std::string(device.param); });

TEST_P(EverySimRig, SaysThatItIsSimulated) {
  const auto rig = open_sim_rig(GetParam(), 0);
  EXPECT_EQ(rig->device().name.rfind("simulated ", 0), 0u);
  EXPECT_EQ(rig->device().source, Source::simulated);
  EXPECT_EQ(rig->device().fingerprint, fingerprint_of(rig->device()));
  EXPECT_EQ(rig->measure(net(8), {}, {}).source, Source::simulated);
}

TEST_P(EverySimRig, MeasuresNearTheLaw) {
  const auto rig = open_sim_rig(GetParam(), 3);
  for (const std::int64_t width : {1, 16, 60}) {
    const Measurement measured = rig->measure(net(width), {}, {});
    const double truth = sim_true_energy(GetParam(), net(width), {}).value;
    EXPECT_NEAR(measured.energy_j.mean / truth, 1, 0.15) << width;
    EXPECT_NEAR(measured.time_s.mean / sim_true_time(GetParam(), net(width), {}).count(), 1, 0.15);
    EXPECT_GT(measured.energy_j.stddev.value(), 0);
  }
}

TEST_P(EverySimRig, RepeatsDifferAndSeedsDiffer) {
  const auto rig = open_sim_rig(GetParam(), 0), other = open_sim_rig(GetParam(), 1);
  const std::string first = answer(*rig, net(16));
  EXPECT_NE(answer(*rig, net(16)), first);
  EXPECT_NE(answer(*other, net(16)), first);
  EXPECT_EQ(rig->device().fingerprint, other->device().fingerprint);
}

TEST_P(EverySimRig, AnswersDoNotDependOnTheOrder) {
  const auto one = open_sim_rig(GetParam(), 7), other = open_sim_rig(GetParam(), 7);
  const std::string small = answer(*one, net(4)), large = answer(*one, net(40)),
                    again = answer(*one, net(4));
  EXPECT_EQ(answer(*other, net(40)), large);
  EXPECT_EQ(answer(*other, net(4)), small);
  EXPECT_EQ(answer(*other, net(4)), again);
}

TEST_P(EverySimRig, TimesNearTheLaw) {
  const SimLaw& law = find_sim_law(GetParam());
  const auto rig = open_sim_rig(GetParam(), 0);
  ampere::Setup block;
  block.phase = Phase::block;
  for (const std::int64_t width : {4, 40}) {
    const SimCost cost = sim_cost(law, net(width), block);
    const Timing timing = rig->time(net(width), block);
    EXPECT_EQ(timing.host_s.has_value(), law.overlap > 0);
    const double device_s = timing.host_s ? cost.device_s : sim_time_s(law, cost);
    EXPECT_NEAR(timing.device_s / device_s, 1, 0.03);
    EXPECT_NEAR(timing.host_s.value_or(cost.host_s) / cost.host_s, 1, 0.4);
    EXPECT_NEAR(timing.elapsed.count(), 0.02, 1e-6);
    EXPECT_NE(rig->time(net(width), block).device_s, timing.device_s);
  }
}

TEST_P(EverySimRig, TimingChangesNoMeasurement) {
  const auto rig = open_sim_rig(GetParam(), 0), other = open_sim_rig(GetParam(), 0);
  const double first = rig->time(net(4), {}).device_s;
  EXPECT_EQ(answer(*rig, net(4)), answer(*other, net(4)));
  EXPECT_EQ(other->time(net(4), {}).device_s, first);
}

TEST_P(EverySimRig, RestsAtStaticPowerAfterLoad) {
  const SimLaw& law = find_sim_law(GetParam());
  const Window window = open_sim_rig(GetParam(), 0)->idle_after(net(16), {});
  EXPECT_NEAR(window.energy.value / window.time.count() / law.static_w, 1, 0.02);
}

TEST(SimRig, IdealHasOnePerCentNoise) {
  double squares = 0;
  constexpr int kSeeds = 60;
  const double truth = sim_true_energy("ideal", net(16), {}).value;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const Measurement measured = open_sim_rig("ideal", seed)->measure(net(16), {}, {});
    const Window& window = measured.windows.front();
    const double per_iteration = window.energy.value / static_cast<double>(window.iterations);
    squares += std::pow(per_iteration / truth - 1, 2);
  }
  EXPECT_NEAR(std::sqrt(squares / kSeeds), 0.01, 0.004);
}

TEST(SimRig, RunsOutOfMemory) {
  const auto rig = open_sim_rig("iphone", 0);
  ModelBuilder builder("wide");
  builder.add(Input{flat(20000)});
  builder.add(Linear{20000});
  builder.add(Linear{10});
  try {
    const Model wide = std::move(builder).build();
    EXPECT_THROW(rig->time(wide, {}), Error);
    rig->measure(wide, {}, {});
    FAIL() << "measured a network that does not fit";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_NE(std::string(error.what()).find("out of memory"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("wide"), std::string::npos);
  }
  EXPECT_GT(rig->measure(net(8), {}, {}).energy_j.mean, 0);
}

TEST(SimRig, RefusesOtherPrecisions) {
  const auto rig = open_sim_rig("xavier", 0);
  EXPECT_THROW(rig->measure(net(8), ampere::Setup{10, Optimizer::sgd, "bf16"}, {}), Error);
}

// Their noise is each network's own: a ratio of two times would be no steadier than either.
TEST(SimRig, DoesNotPace) {
  for (const SimDevice& device : sim_devices()) {
    const auto rig = open_sim_rig(device.name, 0);
    EXPECT_FALSE(rig->can_pace()) << device.name;
    EXPECT_THROW(rig->pace(net(8), net(4), {}), Error) << device.name;
  }
}

TEST(SimRig, RefusesUnknownDevices) { EXPECT_THROW(open_sim_rig("pixel", 0), Error); }

TEST(SimRig, WarmPhonesThrottle) {
  const auto rig = open_sim_rig("oppo", 0);
  Precision thorough;
  thorough.relative_error = 1e-6;
  thorough.time_limit = Seconds(60);
  const Measurement measured = rig->measure(make_zoo_model("cnn5"), ampere::Setup{64}, thorough);
  EXPECT_LT(*measured.windows.back().state.clock_mhz, *measured.windows.front().state.clock_mhz);
  EXPECT_GT(*measured.windows.back().state.temperature_c,
            *measured.windows.front().state.temperature_c);
}

TEST(SimRig, MeasuresALargeNetwork) {
  const auto rig = open_sim_rig("server", 0);
  EXPECT_GT(rig->measure(make_zoo_model("resnet50"), {}, {}).energy_j.mean, 0);
}

}  // namespace
}  // namespace ampere
