#include "rig/sim_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ampere/error.h"
#include "ampere/rig.h"
#include "rig/sim.h"

namespace ampere {
namespace {

// conv+relu blocks at these widths on a 16×16 image, then a classifier.
Model plain_net(const std::vector<std::int64_t>& widths) {
  ModelBuilder builder("plain");
  builder.add(Input{image(1, 16, 16)});
  for (const std::int64_t width : widths) {
    builder.add(Conv{width, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
    builder.add(Activation{});
  }
  builder.add(Flatten{});
  builder.add(Linear{10});
  return std::move(builder).build();
}

double energy(const std::string& device, const std::vector<std::int64_t>& widths) {
  return sim_true_energy(device, plain_net(widths), {}).value;
}

double time_of(const std::string& device, const std::vector<std::int64_t>& widths) {
  return sim_true_time(device, plain_net(widths), {}).count();
}

TEST(SimLaw, EveryDeviceIsListedWithItsLaw) {
  ASSERT_EQ(sim_devices().size(), sim_laws().size());
  for (const char* name : {"oppo", "iphone", "xavier", "tx2", "server", "ideal"}) {
    const SimLaw& law = find_sim_law(name);
    EXPECT_EQ(law.title.rfind("simulated ", 0), 0u) << name;
    EXPECT_FALSE(law.description.empty()) << name;
    EXPECT_GT(energy(name, {8}), 0) << name;
  }
}

TEST(SimLaw, UnknownDeviceIsRefusedWithASuggestion) {
  try {
    find_sim_law("xavir");
    FAIL() << "found xavir";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_NE(std::string(error.what()).find("did you mean 'xavier'"), std::string::npos);
  }
  EXPECT_THROW(find_sim_law(""), Error);
}

// The third layer is the second one again: one more of it costs always the same.
TEST(IdealLaw, IsExactlyAdditiveOverLayers) {
  const double one_more = energy("ideal", {8, 16, 16}) - energy("ideal", {8, 16});
  EXPECT_NEAR(energy("ideal", {8, 16, 16, 16, 16}) - energy("ideal", {8, 16, 16, 16}), one_more,
              1e-12 * one_more + 1e-15);
  const double time_more = time_of("ideal", {8, 16, 16}) - time_of("ideal", {8, 16});
  EXPECT_NEAR(time_of("ideal", {8, 16, 16, 16}) - time_of("ideal", {8, 16, 16}), time_more,
              1e-12 * time_more + 1e-15);
}

// Conv, activation and classifier are linear in a single width: so is their cost.
TEST(IdealLaw, IsSmoothInChannels) {
  const double slope = energy("ideal", {2}) - energy("ideal", {1});
  for (std::int64_t width = 2; width < 40; ++width)
    EXPECT_NEAR(energy("ideal", {width + 1}) - energy("ideal", {width}), slope, 1e-9 * slope);
}

TEST(TiledLaw, HasStepsAtWholeTiles) {
  for (const char* name : {"oppo", "iphone", "server"}) {
    const std::int64_t tile = find_sim_law(name).out_tile;
    const Model below = plain_net({64, tile}), above = plain_net({64, tile + 2}),
                plateau = plain_net({64, tile - 2});
    const auto work = [&](const Model& model) {
      return sim_cost(find_sim_law(name), model, ampere::Setup{}).dynamic_j;
    };
    EXPECT_GT(work(above) - work(below), 2 * (work(below) - work(plateau))) << name;
  }
}

TEST(TiledLaw, OddChannelsCostMore) { EXPECT_GT(energy("oppo", {64, 7}), energy("oppo", {64, 8})); }

TEST(AnyLaw, PhasesAddUpToTheIteration) {
  for (const SimLaw& law : sim_laws()) {
    const Model net = plain_net({16, 32});
    const SimCost whole = sim_cost(law, net, ampere::Setup{});
    double host_s = 0, device_s = 0, dynamic_j = 0;
    for (const Phase phase : {Phase::forward, Phase::backward, Phase::update}) {
      ampere::Setup setup;
      setup.phase = phase;
      const SimCost part = sim_cost(law, net, setup);
      EXPECT_LT(part.dynamic_j, whole.dynamic_j) << law.name;
      host_s += part.host_s;
      device_s += part.device_s;
      dynamic_j += part.dynamic_j;
    }
    EXPECT_NEAR(host_s, whole.host_s, 1e-12) << law.name;
    EXPECT_NEAR(device_s, whole.device_s, 1e-9 * whole.device_s) << law.name;
    EXPECT_NEAR(dynamic_j, whole.dynamic_j, 1e-9 * whole.dynamic_j) << law.name;
  }
}

TEST(AnyLaw, InferenceIsTheForwardPass) {
  const Model net = plain_net({16, 32});
  for (const SimLaw& law : sim_laws()) {
    const SimCost forward = sim_cost(law, net, with_phase({}, Phase::forward));
    const SimCost inference = sim_cost(law, net, with_phase({}, Phase::inference));
    if (law.fuses) {
      EXPECT_LT(inference.dynamic_j, forward.dynamic_j) << law.name;
      EXPECT_LT(inference.device_s, forward.device_s) << law.name;
    } else {
      EXPECT_DOUBLE_EQ(inference.dynamic_j, forward.dynamic_j) << law.name;
      EXPECT_DOUBLE_EQ(inference.device_s, forward.device_s) << law.name;
      EXPECT_DOUBLE_EQ(inference.host_s, forward.host_s) << law.name;
    }
    EXPECT_LT(inference.memory_bytes, forward.memory_bytes) << law.name;
  }
}

Model conv_and(const std::function<void(ModelBuilder&)>& rest) {
  ModelBuilder net("net");
  net.add(Input{image(3, 16, 16)});
  net.add(Conv{8, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  rest(net);
  return std::move(net).build();
}

// What joins a convolution is free there; what is read twice, or joins nothing, is not.
TEST(FusingLaw, BatchNormAndReluJoinAConvolution) {
  const auto cost = [](const std::function<void(ModelBuilder&)>& rest, const char* device) {
    return sim_cost(find_sim_law(device), conv_and(rest), with_phase({}, Phase::inference))
        .device_s;
  };
  const auto nothing = [](ModelBuilder&) {};
  const auto both = [](ModelBuilder& net) {
    net.add(BatchNorm{});
    net.add(Activation{Function::relu});
  };
  const auto other = [](ModelBuilder& net) { net.add(Activation{Function::sigmoid}); };
  EXPECT_DOUBLE_EQ(cost(both, "oppo"), cost(nothing, "oppo"));
  EXPECT_GT(cost(other, "oppo"), cost(nothing, "oppo"));
  EXPECT_GT(cost(both, "xavier"), cost(nothing, "xavier"));
}

// A network is its blocks and what the host does for each iteration.
TEST(AnyLaw, BlocksAddUpToTheIterationLessWhatIsNoLayers) {
  ampere::Setup block;
  block.phase = Phase::block;
  const Model net = plain_net({16, 32});
  for (const SimLaw& law : sim_laws()) {
    const SimCost whole = sim_cost(law, net, ampere::Setup{});
    const SimCost alone = sim_cost(law, net, block);
    EXPECT_NEAR(alone.host_s + law.iteration_s, whole.host_s, 1e-15) << law.name;
    EXPECT_DOUBLE_EQ(alone.device_s, whole.device_s) << law.name;
    EXPECT_DOUBLE_EQ(alone.dynamic_j, whole.dynamic_j) << law.name;
  }
}

TEST(ServerLaw, IsHostBound) {
  const SimLaw& law = find_sim_law("server");
  const SimCost cost = sim_cost(law, plain_net({16, 32, 64}), ampere::Setup{});
  EXPECT_GT(cost.host_s, 2 * cost.device_s);
  EXPECT_DOUBLE_EQ(sim_time_s(law, cost), cost.host_s);
}

TEST(ServerLaw, HidesHostWorkUnderALongerDevice) {
  const SimLaw& law = find_sim_law("server");
  const SimCost cost = sim_cost(law, plain_net({512, 1024, 1024}), ampere::Setup{64});
  EXPECT_GT(cost.device_s, cost.host_s);
  EXPECT_DOUBLE_EQ(sim_time_s(law, cost), cost.device_s);
}

TEST(SimLaw, LowerClocksAreSlowerAndDrawLess) {
  const SimLaw& law = find_sim_law("oppo");
  const SimCost cost = sim_cost(law, plain_net({32, 64}), ampere::Setup{});
  const double full_s = sim_time_s(law, cost), slow_s = sim_time_s(law, cost, 0.6);
  EXPECT_GT(slow_s, full_s);
  EXPECT_LT(sim_energy_j(law, cost, 0.6) / slow_s, sim_energy_j(law, cost) / full_s);
}

TEST(SimLaw, OptimizerAndBatchCost) {
  const Model model = plain_net({16, 16});
  const double base = sim_true_energy("tx2", model, {}).value;
  EXPECT_GT(sim_true_energy("tx2", model, ampere::Setup{10, Optimizer::adam}).value, base);
  EXPECT_GT(sim_true_energy("tx2", model, ampere::Setup{20}).value, base);
  EXPECT_LT(sim_true_energy("tx2", model, ampere::Setup{20}).value, 2 * base);
}

TEST(SimLaw, TakesSequencesAndRecurrence) {
  ModelBuilder builder("lstm");
  builder.add(Input{tokens(16, 50)});
  builder.add(Embedding{8});
  builder.add(Recurrent{Cell::lstm, 12});
  builder.add(SelfAttention{4});
  builder.add(TokenMean{});
  builder.add(Linear{5});
  const Model model = std::move(builder).build();
  for (const SimLaw& law : sim_laws())
    EXPECT_TRUE(std::isfinite(sim_true_energy(law.name, model, {}).value)) << law.name;
}

}  // namespace
}  // namespace ampere
