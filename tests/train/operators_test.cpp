// Every operator, trained for real.
#include <gmock/gmock.h>

#include <functional>

#include "model/functions.h"
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

void append(std::vector<Case>& all, std::vector<Case> more) {
  all.insert(all.end(), more.begin(), more.end());
}

// With a tensor of the network's own.
std::function<void(ModelBuilder&)> with_parameter(Op op, TensorShape shape) {
  return [op, shape](ModelBuilder& net) {
    const int own = net.add(Parameter{shape});
    net.add(op, {0, own});
  };
}

std::vector<Case> normalising_cases() {
  const TensorShape picture = image(6, 8, 8), wire = line(6, 16), text = sequence(5, 6);
  return {
      {"layer_norm_image", picture, one(LayerNorm{})},
      {"layer_norm_line", wire, one(LayerNorm{})},
      {"layer_norm_tensor", tensor({2, 3, 4}), one(LayerNorm{})},
      {"layer_norm_plain", text, one(LayerNorm{1e-6, false})},
      {"group_norm", picture, one(GroupNorm{3})},
      {"group_norm_plain", wire, one(GroupNorm{2, 1e-5, false})},
      {"instance_norm", picture, one(InstanceNorm{})},
      {"instance_norm_plain", wire, one(InstanceNorm{1e-5, false})},
      {"scale_image", picture, one(Scale{})},
      {"scale_sequence", text, one(Scale{true})},
      {"prelu_image", picture, one(PRelu{})},
      {"prelu_sequence", text, one(PRelu{})},
      {"prelu_shared", tensor({2, 3}), one(PRelu{true})},
  };
}

std::vector<Case> spatial_cases() {
  const TensorShape picture = image(6, 8, 8), wire = line(6, 16);
  return {
      {"transposed", picture, one(ConvTranspose{4, {3}, {2}, {1}, {1}})},
      {"transposed_groups", picture, one(ConvTranspose{4, {2}, {2}, {}, {}, {}, 2, false})},
      {"transposed_line", wire, one(ConvTranspose{4, {4}, {2}, {1}})},
      {"average_pool_without_padding", picture,
       one(Pool{Pooling::average, {3}, {2}, {1}, true, false})},
      {"adaptive_max_pool", picture, one(AdaptivePool{{3, 2}, Pooling::max})},
      {"adaptive_max_pool_line", wire, one(AdaptivePool{{3}, Pooling::max})},
      {"nearest", picture, one(Upsample{{12, 5}})},
      {"nearest_line", wire, one(Upsample{{20}})},
      {"bilinear", picture, one(Upsample{{12, 5}, Interpolation::linear})},
      {"linear_aligned", wire, one(Upsample{{20}, Interpolation::linear, true})},
      {"pad_image", picture, one(Pad{{1, 0}, {2, 3}, -1})},
      {"pad_sequence", sequence(5, 6), one(Pad{{1}, {}})},
      {"pad_tensor", tensor({2, 3, 4}), one(Pad{{0, 1, 0}, {1, 0, 2}})},
      {"slice_channels", picture, one(Slice{{}, 1, 6, 2})},
      {"slice_width", picture, one(Slice{2, 1, 6})},
      {"line_to_sequence", wire, one(ToSequence{})},
      {"sequence_to_image", sequence(6, 4), one(FromSequence{{2, 3}})},
      {"sequence_to_line", sequence(6, 4), one(FromSequence{{6}})},
  };
}

std::vector<Case> tensor_cases() {
  const TensorShape cube = tensor({2, 3, 4}), text = sequence(5, 6), picture = image(6, 8, 8);
  return {
      {"linear_tensor", cube, one(Linear{5})},
      {"flatten_tensor", cube, one(Flatten{})},
      {"softmax_channels", picture, one(Softmax{})},
      {"softmax_axis", cube, one(Softmax{1})},
      {"log_softmax", flat(6), one(Softmax{{}, true})},
      {"reduce_mean", picture, one(Reduce{Reduction::mean, {1, 2}})},
      {"reduce_sum", text, one(Reduce{Reduction::sum, {1}})},
      {"reduce_max", cube, one(Reduce{Reduction::max, {0, 2}})},
      {"reduce_l2", cube, one(Reduce{Reduction::l2, {2}})},
      {"gather", text, one(Gather{0, 9})},
      {"gather_channels", picture, one(Gather{{}, 4})},
      {"gather_tensor", cube, one(Gather{1, 5})},
      {"add_computed_rows", text,
       [](ModelBuilder& net) {
         net.add(Parameter{tensor({3, 2}), false});
         net.add(Linear{6});
         net.add(Reshape{sequence(3, 6)});
         const int rows = net.add(Gather{0, 5});
         net.add(Add{}, {0, rows});
       }},
      {"multiply_by_computed_scale", text,
       [](ModelBuilder& net) {
         net.add(Parameter{tensor({1, 1})});
         net.add(Activation{Function::clip, {-5, 4.6}});
         const int scale = net.add(Activation{Function::exp});
         net.add(Multiply{}, {0, scale});
       }},
      {"reshape", text, one(Reshape{tensor({5, 2, 3})})},
      {"permute", picture, one(Permute{{2, 0, 1}})},
      {"expand", tensor({3, 1}), one(Expand{tensor({2, 3, 4})})},
      {"expand_channels", flat(6), one(Expand{picture})},
      {"matmul", cube, with_parameter(MatMul{}, tensor({4, 5}))},
      {"matmul_of_sequences", text,
       [](ModelBuilder& net) {
         const int turned = net.add(Permute{{1, 0}}, {0});
         net.add(MatMul{}, {0, turned});
       }},
      {"add_parameter", text, with_parameter(Add{}, sequence(5, 6))},
      {"add_parameter_per_channel", picture, with_parameter(Add{}, flat(6))},
      {"add_lower_rank", picture, with_parameter(Add{}, tensor({8}))},
      {"subtract", picture, with_parameter(Subtract{}, image(1, 8, 8))},
      {"divide", text, with_parameter(Divide{}, sequence(5, 1))},
      {"concat_tokens", text, with_parameter(Concat{0}, sequence(2, 6))},
      {"concat_tensor", cube, with_parameter(Concat{-2}, tensor({2, 1, 4}))},
      {"multiply_by_constant", text,
       [](ModelBuilder& net) {
         const int mask = net.add(Parameter{sequence(5, 1), false});
         net.add(Multiply{}, {0, mask});
       }},
      {"lstm_both_ways", text, one(Recurrent{Cell::lstm, 4, true})},
      {"gru_both_ways_without_bias", text, one(Recurrent{Cell::gru, 4, true, false})},
      {"attention_without_bias", text, one(SelfAttention{3, false})},
  };
}

std::vector<Case> further_cases() {
  std::vector<Case> all = normalising_cases();
  append(all, spatial_cases());
  append(all, tensor_cases());
  return all;
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
  append(all, further_cases());
  for (const FunctionInfo& function : functions())
    all.push_back({function.name, picture, one(Activation{function.function})});
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
