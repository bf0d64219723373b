#include <gtest/gtest.h>

#include "ampere/baseline.h"
#include "ampere/error.h"
#include "support/law_rig.h"

namespace ampere {
namespace {

using testing_support::LawRig;

std::vector<Observation> observe_all(const LawRig::Law& law) {
  LawRig rig(law);
  std::vector<Observation> networks;
  for (const char* spec :
       {"cnn5:1,2,3,4", "cnn5:16,32,64,128", "cnn5:8,9,10,11", "cnn5:5,30,2,80", "cnn5:12,3,44,5"})
    networks.push_back(observe(rig, open_model(spec), {}, {}));
  return networks;
}

double flops(const Model& model) { return static_cast<double>(count(model, 10).training_flops); }

Quantity energy(Proxy proxy, const LawRig::Law& law, const std::string& spec) {
  return fit_proxy_estimator(proxy, observe_all(law))
      ->estimate(open_model(spec), {})
      .energy_j_per_iteration.value();
}

const char* const kUnseen = "cnn5:7,7,7,7";

TEST(Proxy, RecoversWhatIsProportional) {
  const Model unseen = open_model(kUnseen);
  const Quantity found = energy(
      Proxy::flops, [](const Model& model) { return 3e-9 * flops(model); }, kUnseen);
  EXPECT_NEAR(found.mean, 3e-9 * flops(unseen), 1e-9 * found.mean);
  EXPECT_NEAR(found.stddev, 0, 1e-6 * found.mean);
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
