#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "ampere/model.h"
#include "every_op.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// "weight 8x3x5x5", "running_mean 8 kept": the tensors of one layer in words.
std::vector<std::string> weights_of(const Op& op, const TensorShape& input) {
  ModelBuilder builder("net");
  builder.add(Input{input});
  builder.add(op);
  const Model model = std::move(builder).build();
  std::vector<std::string> texts;
  for (const WeightShape& tensor : weight_shapes(model.output(), model))
    texts.push_back(fmt::format("{} {}{}", tensor.name, fmt::join(tensor.sizes, "x"),
                                tensor.learned ? "" : " kept"));
  return texts;
}

Weights zeros(const Model& model) {
  Weights weights;
  for (const Layer& layer : model.layers())
    for (const WeightShape& tensor : weight_shapes(layer, model)) {
      std::size_t size = 1;
      for (const std::int64_t length : tensor.sizes) size *= static_cast<std::size_t>(length);
      weights[layer.name + "." + tensor.name] = {tensor.sizes, std::vector<float>(size)};
    }
  return weights;
}

TEST(WeightShapes, AreThoseOfPyTorchsModules) {
  EXPECT_THAT(weights_of(conv(8, 5), image(3, 9, 9)), ElementsAre("weight 8x3x5x5", "bias 8"));
  EXPECT_THAT(weights_of(grouped(8, 3, 2), line(4, 9)), ElementsAre("weight 8x2x3", "bias 8"));
  EXPECT_THAT(weights_of(depthwise(3, 1), image(4, 9, 9)), ElementsAre("weight 4x1x3x3", "bias 4"));
  EXPECT_THAT(weights_of(ConvTranspose{6, {3}, {}, {}, {}, {}, 2}, line(4, 9)),
              ElementsAre("weight 4x3x3", "bias 6"));
  EXPECT_THAT(weights_of(Linear{5, false}, tensor({2, 3})), ElementsAre("weight 5x3"));
  EXPECT_THAT(weights_of(Embedding{5}, tokens(3, 9)), ElementsAre("weight 9x5"));
  EXPECT_THAT(weights_of(BatchNorm{}, flat(3)),
              ElementsAre("weight 3", "bias 3", "running_mean 3 kept", "running_var 3 kept"));
  EXPECT_THAT(weights_of(LayerNorm{}, image(3, 4, 5)), ElementsAre("weight 3", "bias 3"));
  EXPECT_THAT(weights_of(InstanceNorm{1e-5, false}, image(3, 4, 5)), IsEmpty());
  EXPECT_THAT(weights_of(SelfAttention{2}, sequence(3, 4)),
              ElementsAre("in_proj_weight 12x4", "in_proj_bias 12", "out_proj.weight 4x4",
                          "out_proj.bias 4"));
  EXPECT_THAT(weights_of(PRelu{}, sequence(3, 4)), ElementsAre("weight 4"));
  EXPECT_THAT(weights_of(PRelu{true}, sequence(3, 4)), ElementsAre("weight 1"));
  EXPECT_THAT(weights_of(Scale{true}, image(3, 4, 5)), ElementsAre("weight 3", "bias 3"));
  EXPECT_THAT(weights_of(PositionEmbedding{}, sequence(3, 4)), ElementsAre("position 3x4"));
  EXPECT_THAT(weights_of(PositionEmbedding{9}, sequence(3, 4)), ElementsAre("position 9x4"));
  EXPECT_THAT(weights_of(ClassToken{}, sequence(3, 4)), ElementsAre("token 4"));
}

TEST(WeightShapes, OfRecurrentLayersHaveOneSetPerDirection) {
  EXPECT_THAT(
      weights_of(Recurrent{Cell::lstm, 5}, sequence(3, 4)),
      ElementsAre("weight_ih_l0 20x4", "weight_hh_l0 20x5", "bias_ih_l0 20", "bias_hh_l0 20"));
  EXPECT_THAT(weights_of(Recurrent{Cell::gru, 5, true, false}, sequence(3, 4)),
              ElementsAre("weight_ih_l0 15x4", "weight_hh_l0 15x5", "weight_ih_l0_reverse 15x4",
                          "weight_hh_l0_reverse 15x5"));
}

TEST(WeightShapes, OfConstantsAreNotLearned) {
  ModelBuilder builder("net");
  builder.add(Parameter{sequence(4, 5), false}, "mask");
  const Model model = std::move(builder).build();
  const auto tensors = weight_shapes(model.output(), model);
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_EQ(tensors[0].name, "value");
  EXPECT_FALSE(tensors[0].learned);
  EXPECT_EQ(count(model, 1).parameters, 0);
}

TEST(CheckWeights, TakesWhatEveryLayerHas) {
  for (const Model& model : {every_op(), further_ops(), language_ops(), table_ops()})
    EXPECT_NO_THROW(check_weights(model, zeros(model)));
}

TEST(CheckWeights, NamesEverythingThatIsWrong) {
  const Model model = every_op();
  Weights weights = zeros(model);
  weights.erase("conv1.bias");
  weights["conv1.weight"].sizes = {8, 3, 9};
  weights["linear1.weight"].values.pop_back();
  weights["linear9.weight"] = {};
  EXPECT_THAT(
      message_of([&] { check_weights(model, weights); }),
      AllOf(HasSubstr("'conv1.bias' is missing"),
            HasSubstr("'conv1.weight' is 8x3x9 instead of 8x3x3x3"),
            HasSubstr("'linear1.weight' has "), HasSubstr("'linear9.weight' is no tensor")));
}

}  // namespace
}  // namespace ampere
