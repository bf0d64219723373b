#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ampere/error.h"
#include "method/proxies/proxies.h"
#include "support/law_rig.h"

namespace ampere {
namespace {

using testing_support::LawRig;

const std::vector<std::string> kEquallyDeep{"cnn5:1,2,3,4", "cnn5:16,32,64,128", "cnn5:8,9,10,11",
                                            "cnn5:5,30,2,80", "cnn5:12,3,44,5"};
const std::vector<std::string> kDifferentlyDeep{
    "conv_stack:layers=1,4,9", "conv_stack:layers=2,5,8,3", "conv_stack:layers=6,2,2,2,2,2,2,2",
    "conv_stack:layers=3,9,9,9,9", "conv_stack:layers=4,1,8,2,7,3"};

std::vector<Observation> observe_all(const LawRig::Law& law,
                                     const std::vector<std::string>& specs = kEquallyDeep) {
  LawRig rig(law);
  std::vector<Observation> networks;
  for (const std::string& spec : specs) networks.push_back(observe(rig, open_model(spec), {}, {}));
  return networks;
}

double flops(const Model& model) { return static_cast<double>(count(model, 10).training_flops); }

double layers(const Model& model) {
  return static_cast<double>(std::ranges::count_if(model.layers(), is_parametric, &Layer::op));
}

Quantity energy(Proxy proxy, std::span<const Observation> networks, const std::string& spec) {
  return fit_proxy_estimator(proxy, networks)
      ->estimate(open_model(spec), {})
      .energy_j_per_iteration.value();
}

Quantity energy(Proxy proxy, const LawRig::Law& law, const std::string& spec) {
  return energy(proxy, observe_all(law), spec);
}

const char* const kUnseen = "cnn5:7,7,7,7";

TEST(Proxy, RecoversWhatIsProportional) {
  const Model unseen = open_model(kUnseen);
  const Quantity found = energy(
      Proxy::flops, [](const Model& model) { return 3e-9 * flops(model); }, kUnseen);
  EXPECT_NEAR(found.mean, 3e-9 * flops(unseen), 1e-9 * found.mean);
  EXPECT_NEAR(found.stddev.value(), 0, 1e-6 * found.mean);
}

TEST(Proxy, TheConstantIsFoundOnlyByTheOneThatHasIt) {
  const auto law = [](const Model& model) { return 2 + 3e-9 * flops(model); };
  const double truth = law(open_model(kUnseen));
  EXPECT_NEAR(energy(Proxy::flops_and_constant, law, kUnseen).mean, truth, 1e-6 * truth);
  EXPECT_GT(std::abs(energy(Proxy::flops, law, kUnseen).mean - truth), 0.05 * truth);
}

TEST(Proxy, CountsParametersLayersAndActivations) {
  const auto parameters = [](const Model& model) {
    return 1e-3 * static_cast<double>(count(model, 10).parameters);
  };
  const auto activations = [](const Model& model) {
    return 1e-3 * static_cast<double>(count(model, 10).activations);
  };
  const Model unseen = open_model(kUnseen);
  EXPECT_NEAR(energy(Proxy::parameters, parameters, kUnseen).mean, parameters(unseen), 1e-6);
  EXPECT_NEAR(energy(Proxy::activations, activations, kUnseen).mean, activations(unseen), 1e-6);
  EXPECT_NEAR(energy(
                  Proxy::layers, [](const Model&) { return 5.0; }, kUnseen)
                  .mean,
              5, 1e-9);
}

TEST(FlopsAndLayers, RecoversTheLawItAssumes) {
  const auto law = [](const Model& model) {
    return 0.5 + 0.3 * layers(model) + 3e-9 * flops(model);
  };
  for (const char* unseen : {"conv_stack:layers=8,7,7,7,7,7,7,7,7,7", "cnn5", "lenet5"}) {
    const double truth = law(open_model(unseen));
    const Quantity found =
        energy(Proxy::flops_and_layers, observe_all(law, kDifferentlyDeep), unseen);
    EXPECT_NEAR(found.mean, truth, 1e-6 * truth) << unseen;
    EXPECT_NEAR(found.stddev.value(), 0, 1e-6 * truth) << unseen;
  }
}

// The closed form of two regressors and an intercept, from sums of products of deviations.
TEST(FlopsAndLayers, IsTheLeastSquaresOfTheTextbook) {
  std::vector<Observation> networks =
      observe_all([](const Model&) { return 1.0; }, kDifferentlyDeep);
  const std::vector<double> joules{0.9, 1.7, 1.1, 2.9, 1.4};
  const double n = 5;
  double mean_f = 0, mean_l = 0, mean_y = 0;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    networks[i].measurement->energy_j.mean = joules[i];
    mean_f += flops(networks[i].model) / n;
    mean_l += layers(networks[i].model) / n;
    mean_y += joules[i] / n;
  }
  double ff = 0, ll = 0, fl = 0, fy = 0, ly = 0, yy = 0;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const double f = flops(networks[i].model) - mean_f, l = layers(networks[i].model) - mean_l,
                 y = joules[i] - mean_y;
    ff += f * f, ll += l * l, fl += f * l, fy += f * y, ly += l * y, yy += y * y;
  }
  const double determinant = ff * ll - fl * fl;
  const double a = (ll * fy - fl * ly) / determinant, b = (ff * ly - fl * fy) / determinant;
  const double variance = (yy - a * fy - b * ly) / (n - 3);

  const Model unseen = open_model("conv_stack:layers=5,3,6,3,6,3,6");
  const double f = flops(unseen) - mean_f, l = layers(unseen) - mean_l;
  const double leverage = 1 / n + (ll * f * f - 2 * fl * f * l + ff * l * l) / determinant;
  const Quantity found = energy(Proxy::flops_and_layers, networks, unseen.name());
  EXPECT_NEAR(found.mean, mean_y + a * f + b * l, 1e-9);
  EXPECT_NEAR(found.stddev.value(), std::sqrt(variance * (1 + leverage)), 1e-9);
}

TEST(FlopsAndLayers, WithoutLayersToTellApartIsFlopsAndAConstant) {
  const auto law = [](const Model& model) {
    return 2 + 3e-9 * flops(model) + 1e-3 * count(model, 10).parameters;
  };
  const Quantity with = energy(Proxy::flops_and_layers, law, kUnseen),
                 without = energy(Proxy::flops_and_constant, law, kUnseen);
  EXPECT_DOUBLE_EQ(with.mean, without.mean);
  EXPECT_DOUBLE_EQ(with.stddev.value(), without.stddev.value());
  EXPECT_GT(with.stddev, 0);
}

TEST(FlopsAndLayers, LayersThatAllCostTheSameAreNotToldFromTheirFlops) {
  const auto law = [](const Model& model) {
    return 1 + 0.25 * layers(model) + (layers(model) == 5 ? 0.01 : 0);
  };
  std::vector<std::string> specs;
  for (int depth = 1; depth <= 6; ++depth)
    specs.push_back("conv_stack:width=8,layers=" + std::to_string(depth));
  const Quantity found =
      energy(Proxy::flops_and_layers, observe_all(law, specs), "conv_stack:width=8,layers=8");
  EXPECT_NEAR(found.mean, 3.5, 0.02);
  EXPECT_GT(found.stddev, 0);
  EXPECT_LT(found.stddev, 0.05);
}

TEST(FlopsAndLayers, OfOneNetworkAgainAndAgainIsItsMean) {
  std::vector<Observation> networks =
      observe_all([](const Model&) { return 1.0; }, {"cnn5", "cnn5", "cnn5", "cnn5"});
  for (std::size_t i = 0; i < networks.size(); ++i)
    networks[i].measurement->energy_j.mean = 1 + static_cast<double>(i);
  for (const Proxy proxy : {Proxy::flops_and_constant, Proxy::flops_and_layers}) {
    const Quantity found = energy(proxy, networks, "cnn5");
    EXPECT_NEAR(found.mean, 2.5, 1e-9);
    EXPECT_NEAR(found.stddev.value(), std::sqrt(5.0 / 3 * 1.25), 1e-9);
  }
}

TEST(FlopsAndLayers, NeedsThreeNetworks) {
  std::vector<Observation> networks =
      observe_all([](const Model&) { return 1.0; }, kDifferentlyDeep);
  networks.resize(3);
  EXPECT_NO_THROW(fit_proxy_estimator(Proxy::flops_and_layers, networks));
  networks.resize(2);
  EXPECT_THROW(fit_proxy_estimator(Proxy::flops_and_layers, networks), Error);
}

TEST(Proxy, OfWhatNoNetworkHasIsRefused) {
  ModelBuilder bare("bare");
  bare.add(Input{flat(8), false});
  bare.add(Activation{Function::relu});
  LawRig rig([](const Model&) { return 1.0; });
  const std::vector<Observation> networks{observe(rig, std::move(bare).build(), {}, {})};
  EXPECT_NO_THROW(fit_proxy_estimator(Proxy::activations, networks));
  try {
    fit_proxy_estimator(Proxy::parameters, networks);
    FAIL() << "nothing is known of parameters";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
  }
}

TEST(Proxy, IsUnsureWhereItIsWrong) {
  const auto law = [](const Model& model) { return 2 + 3e-9 * flops(model); };
  const Quantity found = energy(Proxy::flops, law, kUnseen);
  EXPECT_GT(found.stddev, 0.1);
}

TEST(Proxy, NeedsNetworksThatWereMeasured) {
  std::vector<Observation> networks = observe_all([](const Model&) { return 1.0; });
  networks.resize(1);
  EXPECT_NO_THROW(fit_proxy_estimator(Proxy::flops, networks));
  try {
    fit_proxy_estimator(Proxy::flops_and_constant, networks);
    FAIL() << "two numbers from one network";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
  }
  networks[0].measurement.reset();
  EXPECT_THROW(fit_proxy_estimator(Proxy::flops, networks), Error);
}

TEST(Proxy, SaysWhenItLearntFromASimulation) {
  const auto estimator =
      fit_proxy_estimator(Proxy::flops, observe_all([](const Model&) { return 1.0; }));
  EXPECT_EQ(estimator->estimate(open_model(kUnseen), {}).source, Source::simulated);
}

}  // namespace
}  // namespace ampere
