// Every operator, trained for real.
#include <gmock/gmock.h>

#include <functional>

#include "train/torch_trainer.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Case {
  std::string name;
  TensorShape input;
  std::function<void(ModelBuilder&)> body;
};

// The input is a boundary, so that every operator must hand a gradient back.
Model model_of(const Case& c) {
  ModelBuilder net(c.name);
  net.add(Input{c.input, c.input.layout != Layout::tokens});
  c.body(net);
  return std::move(net).build();
}

std::function<void(ModelBuilder&)> one(Op op) {
  return [op](ModelBuilder& net) { net.add(op); };
}

std::function<void(ModelBuilder&)> joined(Op op) {
  return [op](ModelBuilder& net) {
    const int left = net.add(Activation{Function::tanh}, {0});
    net.add(op, {0, left});
  };
}

// Squeeze-and-excitation: a gate per channel, multiplied over all positions.
std::function<void(ModelBuilder&)> gated(Op squeeze) {
  return [squeeze](ModelBuilder& net) {
    const int gate = net.add(squeeze, {0});
    net.add(Multiply{}, {0, gate});
  };
}

std::vector<Case> cases() {
  const TensorShape picture = image(6, 8, 8), wire = line(6, 16), text = sequence(5, 6);
  std::vector<Case> all = {
      {"conv", picture, one(Conv{4, {3, 3}, {2, 2}, {1, 1}, {1, 1}})},
      {"conv_without_bias", picture, one(Conv{4, {3, 1}, {1, 1}, {0, 0}, {2, 1}, 1, false, false})},
      {"conv_groups", picture, one(Conv{4, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 2})},
      {"conv_depthwise", picture, one(Conv{0, {3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, true})},
      {"conv_line", wire, one(Conv{4, {5}, {2}, {2}, {1}})},
      {"conv_line_depthwise", wire, one(Conv{0, {3}, {1}, {1}, {1}, 1, true})},
      {"linear", flat(6), one(Linear{4})},
      {"linear_tokens", text, one(Linear{4, false})},
      {"linear_one_output", flat(6), one(Linear{1})},
      {"embedding", tokens(5, 11), one(Embedding{4})},
      {"lstm", text, one(Recurrent{Cell::lstm, 4})},
      {"gru", text, one(Recurrent{Cell::gru, 4})},
      {"attention", text, one(SelfAttention{3})},
      {"batch_norm_flat", flat(6), one(BatchNorm{})},
      {"batch_norm_line", wire, one(BatchNorm{})},
      {"batch_norm_image", picture, one(BatchNorm{})},
      {"layer_norm_flat", flat(6), one(LayerNorm{})},
      {"layer_norm_sequence", text, one(LayerNorm{})},
      {"class_token", text, one(ClassToken{})},
      {"position_embedding", text, one(PositionEmbedding{})},
      {"max_pool", picture, one(Pool{Pooling::max, {3, 3}, {2, 2}, {1, 1}})},
      {"max_pool_ceil", image(6, 7, 7), one(Pool{Pooling::max, {2, 2}, {2, 2}, {0, 0}, true})},
      {"average_pool", picture, one(Pool{Pooling::average, {2, 2}, {2, 2}, {0, 0}})},
      {"max_pool_line", wire, one(Pool{Pooling::max, {2}, {2}, {0}})},
      {"average_pool_line", wire, one(Pool{Pooling::average, {3}, {2}, {1}})},
      {"adaptive_pool", picture, one(AdaptivePool{{3, 2}})},
      {"adaptive_pool_line", wire, one(AdaptivePool{{5}})},
      {"flatten", picture, one(Flatten{})},
      {"flatten_sequence", text, one(Flatten{})},
      {"dropout", text, one(Dropout{0.3})},
      {"dropout_of_nothing", flat(6), one(Dropout{0})},
      {"add", picture, joined(Add{})},
      {"multiply", text, joined(Multiply{})},
      {"multiply_by_positions_one", picture, gated(AdaptivePool{{1, 1}})},
      {"multiply_by_flat_over_sequence", text, gated(TokenMean{})},
      {"multiply_by_flat_over_image", image(6, 2, 1),
       [](ModelBuilder& net) {
         net.add(Flatten{}, {0});
         const int gate = net.add(Linear{6});
         net.add(Multiply{}, {gate, 0});
       }},
      {"concat_image", picture, joined(Concat{})},
      {"concat_sequence", text, joined(Concat{})},
      {"chunk_image", picture, one(Chunk{3, 2})},
      {"chunk_sequence", text, one(Chunk{2, 0})},
      {"shuffle_image", picture, one(ChannelShuffle{3})},
      {"shuffle_line", wire, one(ChannelShuffle{2})},
      {"to_sequence", picture, one(ToSequence{})},
      {"token_mean", text, one(TokenMean{})},
      {"token_select", text, one(TokenSelect{-1})},
  };
  for (const Function function :
       {Function::relu, Function::relu6, Function::gelu, Function::silu, Function::hard_swish,
        Function::hard_sigmoid, Function::sigmoid, Function::tanh})
    all.push_back({"activation" + std::to_string(static_cast<int>(function)), picture,
                   one(Activation{function})});
  return all;
}

// One program start loads LibTorch for all of them.
void for_each_operator(const std::function<void(const Case&, const Model&)>& claim) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    try {
      claim(c, model_of(c));
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(Operators, PassGradientsThroughToTheirInput) {
  for_each_operator([](const Case& c, const Model& model) {
    const TrainingCheck check = check_training(model, {3}, "cpu", 0.1, 2);
    EXPECT_THAT(check.untrained, IsEmpty());
    if (c.input.layout == Layout::tokens)
      EXPECT_THAT(check.fed_back, IsEmpty());
    else
      EXPECT_THAT(check.fed_back, ElementsAre("input"));
  });
}

TEST(Operators, HaveTheParametersTheModelCounts) {
  for_each_operator([](const Case&, const Model& model) {
    EXPECT_EQ(torch_parameters(model), count(model, 1).parameters);
  });
}

TEST(Operators, RunAgainAndAgainWithBothOptimizers) {
  const auto trainer = open_torch_trainer("cpu");
  for_each_operator([&](const Case&, const Model& model) {
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adam})
      trainer->prepare(model, {2, optimizer})->run(3);
  });
}

}  // namespace
}  // namespace ampere
