#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "method/proxies/proxies.h"

namespace ampere {
namespace {

using testing::ElementsAre;

std::vector<std::string> operators_of(const std::string& spec) {
  std::vector<std::string> names;
  for (const Model& layer : layers_alone(open_model(spec)))
    names.emplace_back(op_name(layer.output().op));
  return names;
}

TEST(LayersAlone, HoldsEveryLayerThatCostsAnything) {
  EXPECT_THAT(operators_of("cnn5"),
              ElementsAre("conv", "relu", "max_pool", "conv", "relu", "max_pool", "conv", "relu",
                          "conv", "relu", "linear"));
}

TEST(LayersAlone, KeepsTheShapesItHasInTheNetwork) {
  const Model network = open_model("cnn5:8,16,32,64");
  const std::vector<Model> layers = layers_alone(network);
  EXPECT_EQ(layers[3].layers()[0].output, image(8, 14, 14));
  EXPECT_EQ(layers[3].output().output, image(16, 14, 14));
}

TEST(LayersAlone, OnlyTheFirstLayerSeesRawData) {
  const std::vector<Model> layers = layers_alone(open_model("cnn5"));
  EXPECT_FALSE(std::get<Input>(layers[0].layers()[0].op).boundary);
  EXPECT_TRUE(std::get<Input>(layers[1].layers()[0].op).boundary);
}

TEST(LayersAlone, AnAdditionHasTwoInputs) {
  for (const Model& layer : layers_alone(open_model("resnet18"))) {
    if (std::holds_alternative<Add>(layer.output().op)) {
      EXPECT_EQ(layer.layers().size(), 3u);
    }
  }
}

TEST(PhasesOf, DependOnParametersAndInput) {
  const std::vector<Model> layers = layers_alone(open_model("cnn5"));
  EXPECT_THAT(phases_of(layers[0]), ElementsAre(Phase::forward, Phase::backward, Phase::update));
  EXPECT_THAT(phases_of(layers[1]), ElementsAre(Phase::forward, Phase::backward));
  ModelBuilder builder("pool of raw data");
  builder.add(Input{image(3, 8, 8)}, {});
  builder.add(Pool{Pooling::max, {2, 2}, {2, 2}, {0, 0}});
  EXPECT_THAT(phases_of(std::move(builder).build()), ElementsAre(Phase::forward));
}

}  // namespace
}  // namespace ampere
