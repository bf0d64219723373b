#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/rig.h"
#include "method/proxies/neuralpower_features.h"
#include "method/proxies/proxies.h"

namespace ampere {
namespace {

using testing::HasSubstr;

// All layers of these networks in all their phases, on a simulated device.
std::vector<Observation> observe_layers(Rig& rig, const std::vector<std::string>& specs) {
  std::vector<Observation> observations;
  for (const std::string& spec : specs)
    for (const Model& layer : layers_alone(open_model(spec)))
      for (const Phase phase : phases_of(layer)) {
        ampere::Setup setup;
        setup.phase = phase;
        observations.push_back(observe(rig, layer, setup, {}));
      }
  return observations;
}

const std::vector<std::string> kSeen{"cnn5:1,2,3,4",    "cnn5:16,32,64,128", "cnn5:8,9,30,11",
                                     "cnn5:5,30,2,80",  "cnn5:12,3,44,5",    "cnn5:3,17,60,100",
                                     "cnn5:9,25,20,60", "cnn5:14,6,50,30"};

TEST(NeuralPower, FindsTheSumWhereLayersCostTheSameAloneAndTogether) {
  const auto rig = open_rig("sim:ideal");
  const auto estimator = fit_neuralpower_estimator(observe_layers(*rig, kSeen));
  const Model unseen = open_model("cnn5:10,20,30,40");
  const double truth = rig->measure(unseen, {}, {}).energy_j.mean;
  const Estimate estimate = estimator->estimate(unseen, {});
  EXPECT_NEAR(estimate.energy_j_per_iteration.value().mean, truth, 0.1 * truth);
  EXPECT_GT(estimate.energy_j_per_iteration->stddev, 0);
}

TEST(NeuralPower, OverestimatesWhereLayersApartPayWhatTheyShareTogether) {
  const auto rig = open_rig("sim:xavier");
  const auto estimator = fit_neuralpower_estimator(observe_layers(*rig, kSeen));
  const Model unseen = open_model("cnn5:10,20,30,40");
  const double truth = rig->measure(unseen, {}, {}).energy_j.mean;
  EXPECT_GT(estimator->estimate(unseen, {}).energy_j_per_iteration.value().mean, 1.5 * truth);
}

TEST(NeuralPower, ATypeOfLayerItNeverSawIsUncovered) {
  const auto rig = open_rig("sim:ideal");
  const auto estimator = fit_neuralpower_estimator(observe_layers(*rig, {"cnn5:1,2,3,4"}));
  const Estimate estimate = estimator->estimate(open_model("resnet18"), {});
  EXPECT_FALSE(estimate.energy_j.has_value());
  ASSERT_FALSE(estimate.uncovered.empty());
  EXPECT_THAT(estimate.uncovered.front().reason, HasSubstr("batch_norm"));
}

TEST(NeuralPower, NeedsLayersThatWereMeasured) {
  EXPECT_THROW(fit_neuralpower_estimator({}), Error);
}

TEST(LayerTerms, CountAsTheSourceDoes) {
  const std::vector<Model> layers = layers_alone(open_model("cnn5"));
  const LayerTerms conv = layer_terms(layers[3], 10);
  EXPECT_EQ(conv.type, "conv");
  EXPECT_EQ(conv.time.size(), 119 + 4) << "degree 1 to 3 of seven sizes, four products";
  EXPECT_EQ(conv.power.size(), 119 + 4) << "degree 1 and 2 of fourteen, four products";
  const LayerTerms linear = layer_terms(layers.back(), 10);
  EXPECT_EQ(linear.time.size(), 9 + 1);
  EXPECT_EQ(linear.time[0], 10) << "the batch";
  EXPECT_EQ(linear.time[9], 10.0 * layers.back().layers()[0].output.channels * 10);
}

}  // namespace
}  // namespace ampere
