#include <gmock/gmock.h>

#include "support.h"

namespace ampere {
namespace {

using testing::HasSubstr;

// One layer that reads `shape`; behind a boundary, gradients flow on.
Model single(const Op& op, const TensorShape& shape, bool boundary = false) {
  ModelBuilder builder("single");
  builder.add(Input{shape, boundary});
  builder.add(op);
  return std::move(builder).build();
}

TEST(Counts, Convolution) {
  const Model model = single(conv(6, 5, 2), image(3, 28, 28));
  const Counts counts = count(model, 10);
  constexpr std::int64_t kOut = 6 * 28 * 28, kMacs = kOut * 3 * 25, kParameters = 6 * 75 + 6;
  EXPECT_EQ(counts.parameters, kParameters);
  EXPECT_EQ(counts.forward_flops, 10 * (2 * kMacs + kOut));
  EXPECT_EQ(counts.training_flops, 10 * 2 * (2 * kMacs + kOut) + 4 * kParameters);
  EXPECT_EQ(counts.activations, 10 * kOut);
  EXPECT_EQ(counts.bytes, 4 * (10 * 3 * 28 * 28 + 10 * kOut + kParameters));
  EXPECT_EQ(multiply_adds(model), kMacs);
}

TEST(Counts, InputGradientOnlyWhereItIsNeeded) {
  const Counts raw = count(single(conv(6, 5, 2), image(3, 28, 28)), 1);
  const Counts boundary = count(single(conv(6, 5, 2), image(3, 28, 28), true), 1);
  EXPECT_EQ(boundary.forward_flops, raw.forward_flops);
  EXPECT_EQ(boundary.training_flops - raw.training_flops, 2 * 6 * 28 * 28 * 75);
}

TEST(Counts, RawDataNeedNoGradientThroughLayersWithoutWeights) {
  ModelBuilder builder("net");
  builder.add(Input{flat(8)});
  const int relu = builder.add(Activation{});
  const int first = builder.add(Linear{4, false});
  const int second = builder.add(Linear{2, false});
  const Model model = std::move(builder).build();
  EXPECT_EQ(count(model.layers()[relu], model, 1).training_flops, 8);
  EXPECT_EQ(count(model.layers()[first], model, 1).training_flops, 2 * 64 + 4 * 32);
  EXPECT_EQ(count(model.layers()[second], model, 1).training_flops, 3 * 16 + 4 * 8);
}

TEST(Counts, GroupedAndDepthwiseConvolution) {
  EXPECT_EQ(count(single(grouped(8, 3, 2), image(4, 5, 5)), 1).parameters, 8 * 2 * 9 + 8);
  EXPECT_EQ(multiply_adds(single(grouped(8, 3, 2), image(4, 5, 5))), 8 * 9 * 2 * 9);
  EXPECT_EQ(count(single(depthwise(3, 1), image(4, 5, 5)), 1).parameters, 4 * 9 + 4);
  EXPECT_EQ(multiply_adds(single(depthwise(3, 1), image(4, 5, 5))), 4 * 25 * 9);
}

TEST(Counts, LinearOverTokensCountsEveryToken) {
  EXPECT_EQ(count(single(Linear{10}, flat(84)), 1).parameters, 850);
  EXPECT_EQ(multiply_adds(single(Linear{10}, flat(84))), 840);
  EXPECT_EQ(count(single(Linear{10}, sequence(64, 84)), 1).parameters, 850);
  EXPECT_EQ(multiply_adds(single(Linear{10}, sequence(64, 84))), 64 * 840);
}

TEST(Counts, RecurrentLayersHaveTwoBiasVectors) {
  const Model lstm = single(Recurrent{Cell::lstm, 128}, sequence(64, 32));
  EXPECT_EQ(count(lstm, 1).parameters, 4 * 128 * (32 + 128) + 8 * 128);
  EXPECT_EQ(multiply_adds(lstm), 64 * 4 * 128 * (32 + 128));
  EXPECT_EQ(count(lstm, 1).forward_flops, 2 * multiply_adds(lstm) + 64 * 21 * 128);
  const Model gru = single(Recurrent{Cell::gru, 128}, sequence(64, 32));
  EXPECT_EQ(count(gru, 1).parameters, 3 * 128 * (32 + 128) + 6 * 128);
  EXPECT_EQ(count(gru, 1).forward_flops, 2 * multiply_adds(gru) + 64 * 17 * 128);
}

TEST(Counts, RecurrentGradientsGoBackThroughTimeEvenFromRawData) {
  const Op op = Recurrent{Cell::lstm, 128};
  const Counts raw = count(single(op, sequence(64, 32)), 1);
  const Counts boundary = count(single(op, sequence(64, 32), true), 1);
  EXPECT_EQ(boundary.training_flops - raw.training_flops, 2 * 64 * 4 * 128 * 32);
  constexpr std::int64_t kMacs = 64 * 4 * 128 * (32 + 128), kOther = 64 * 21 * 128;
  EXPECT_EQ(boundary.training_flops, 6 * kMacs + 2 * kOther + 4 * raw.parameters);
}

TEST(Counts, SelfAttention) {
  const Model model = single(SelfAttention{4}, sequence(16, 32), true);
  constexpr std::int64_t kMacs = 4 * 16 * 32 * 32 + 2 * 16 * 16 * 32;
  constexpr std::int64_t kOther = 4 * 16 * 32 + 5 * 4 * 16 * 16;
  EXPECT_EQ(count(model, 1).parameters, 4 * 32 * 32 + 4 * 32);
  EXPECT_EQ(multiply_adds(model), kMacs);
  EXPECT_EQ(count(model, 1).forward_flops, 2 * kMacs + kOther);
  EXPECT_EQ(count(model, 1).training_flops, 6 * kMacs + 2 * kOther + 4 * (4 * 32 * 32 + 4 * 32));
}

TEST(Counts, LearnedVectors) {
  EXPECT_EQ(count(single(Embedding{32}, tokens(64, 96)), 1).parameters, 96 * 32);
  EXPECT_EQ(count(single(ClassToken{}, sequence(64, 32)), 1).parameters, 32);
  EXPECT_EQ(count(single(PositionEmbedding{}, sequence(64, 32)), 1).parameters, 64 * 32);
  EXPECT_EQ(count(single(BatchNorm{}, image(32, 5, 5)), 1).parameters, 64);
  EXPECT_EQ(count(single(LayerNorm{}, sequence(64, 32)), 1).parameters, 64);
}

TEST(Counts, EmbeddingReadsOnlyTheRowsItLooksUp) {
  const Counts counts = count(single(Embedding{32}, tokens(64, 1000)), 2);
  EXPECT_EQ(counts.forward_flops, 0);
  EXPECT_EQ(counts.bytes, 4 * 2 * (64 + 64 * 32 + 64 * 32));
}

TEST(Counts, OtherOperationsCountOnce) {
  const auto forward = [](const Op& op, const TensorShape& shape) {
    return count(single(op, shape), 3).forward_flops;
  };
  EXPECT_EQ(forward(Activation{}, image(4, 6, 6)), 3 * 144);
  EXPECT_EQ(forward(Dropout{0.5}, image(4, 6, 6)), 3 * 144);
  EXPECT_EQ(forward(max_pool(2), image(4, 6, 6)), 3 * 144);
  EXPECT_EQ(forward(AdaptivePool{{1}}, image(4, 6, 6)), 3 * 144);
  EXPECT_EQ(forward(BatchNorm{}, image(4, 6, 6)), 3 * 8 * 144);
  EXPECT_EQ(forward(TokenMean{}, sequence(6, 4)), 3 * 24);
  EXPECT_EQ(forward(PositionEmbedding{}, sequence(6, 4)), 3 * 24);
}

TEST(Counts, MovingNumbersIsNoOperation) {
  for (const Op& op : {Op{Flatten{}}, Op{Chunk{2, 0}}, Op{ChannelShuffle{2}}, Op{ToSequence{}}}) {
    const Counts counts = count(single(op, image(4, 6, 6)), 1);
    EXPECT_EQ(counts.forward_flops, 0) << op_name(op);
    EXPECT_EQ(counts.training_flops, 0) << op_name(op);
  }
  EXPECT_EQ(count(single(Flatten{}, image(4, 6, 6)), 1).activations, 0);
  EXPECT_EQ(count(single(Chunk{2, 0}, image(4, 6, 6)), 1).activations, 72);
}

TEST(Counts, AddCountsEveryOperandButOne) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{flat(8)});
  builder.add(Add{}, {input, input, input});
  EXPECT_EQ(count(std::move(builder).build(), 1).forward_flops, 16);
}

TEST(Counts, AModelIsTheSumOfItsLayers) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 8, 8)});
  builder.add(conv(4, 3));
  builder.add(BatchNorm{});
  builder.add(Activation{});
  builder.add(Flatten{});
  builder.add(Linear{10});
  const Model model = std::move(builder).build();
  Counts total;
  for (const Layer& layer : model.layers()) {
    const Counts counts = count(layer, model, 5);
    total.parameters += counts.parameters;
    total.training_flops += counts.training_flops;
    total.bytes += counts.bytes;
  }
  EXPECT_EQ(count(model, 5).parameters, total.parameters);
  EXPECT_EQ(count(model, 5).training_flops, total.training_flops);
  EXPECT_EQ(count(model, 5).bytes, total.bytes);
}

TEST(Counts, RefusesABatchOfNone) {
  const Model model = single(Activation{}, flat(3));
  EXPECT_THAT(message_of([&] { count(model, 0); }), HasSubstr("batch"));
  EXPECT_THROW(count(model, -1), Error);
}

TEST(Counts, RefusesToOverflow) {
  const Model model = single(conv(1 << 14, 1 << 11, 1 << 11), image(1, 1 << 11, 1 << 11));
  EXPECT_THAT(message_of([&] { count(model, 1 << 10); }), HasSubstr("too large to be counted"));
}

TEST(Counts, TransposedConvolutionWritesEveryInputManyTimes) {
  const Model model = single(ConvTranspose{6, {3}, {2}, {1}, {1}, {}, 2}, image(4, 7, 7));
  EXPECT_EQ(count(model, 1).parameters, 4 * 3 * 9 + 6);
  EXPECT_EQ(multiply_adds(model), 4 * 49 * 3 * 9);
  EXPECT_EQ(count(model, 1).forward_flops, 2 * 4 * 49 * 3 * 9 + 6 * 14 * 14);
}

TEST(Counts, MatrixProductsAreMultiplyAdds) {
  ModelBuilder builder("net");
  const int a = builder.add(Input{tensor({2, 5, 7}), true});
  const int b = builder.add(Input{tensor({7, 3})});
  builder.add(MatMul{}, {a, b});
  const Model model = std::move(builder).build();
  EXPECT_EQ(multiply_adds(model), 2 * 5 * 7 * 3);
  EXPECT_EQ(count(model, 1).training_flops, 6 * 2 * 5 * 7 * 3);
}

TEST(Counts, NormsWithoutScaleAndShiftLearnNothing) {
  EXPECT_EQ(count(single(LayerNorm{1e-5, false}, flat(8)), 1).parameters, 0);
  EXPECT_EQ(count(single(LayerNorm{1e-5, false}, flat(8)), 1).forward_flops, 6 * 8);
  EXPECT_EQ(count(single(GroupNorm{2}, image(8, 3, 3)), 1).parameters, 16);
  EXPECT_EQ(count(single(InstanceNorm{}, image(8, 3, 3)), 1).parameters, 16);
}

TEST(Counts, LearnedScalesAndSlopes) {
  EXPECT_EQ(count(single(Scale{}, image(8, 3, 3)), 1).parameters, 8);
  EXPECT_EQ(count(single(Scale{true}, image(8, 3, 3)), 1).parameters, 16);
  EXPECT_EQ(count(single(PRelu{}, image(8, 3, 3)), 1).parameters, 8);
  EXPECT_EQ(count(single(PRelu{true}, image(8, 3, 3)), 1).parameters, 1);
}

TEST(Counts, BothDirectionsOfARecurrentLayer) {
  const Counts one = count(single(Recurrent{Cell::lstm, 6}, sequence(5, 4)), 1);
  const Counts both = count(single(Recurrent{Cell::lstm, 6, true}, sequence(5, 4)), 1);
  EXPECT_EQ(both.parameters, 2 * one.parameters);
  EXPECT_EQ(both.forward_flops, 2 * one.forward_flops);
}

// A table of four places goes through a layer, and each sample is added to it.
TEST(Counts, WhatIsTheSameForAllSamplesCountsOncePerBatch) {
  ModelBuilder builder("net");
  const int x = builder.add(Input{sequence(4, 5), true});
  const int table = builder.add(Parameter{sequence(4, 2), false});
  const int bias = builder.add(Linear{5}, {table});
  builder.add(Add{}, {x, bias});
  const Model model = std::move(builder).build();
  const Counts layer = count(model.layers()[bias], model, 3);
  EXPECT_EQ(layer.forward_flops, 2 * 4 * 2 * 5 + 4 * 5);
  EXPECT_EQ(layer.activations, 4 * 5);
  EXPECT_EQ(layer.bytes, 4 * (4 * 2 + 2 * 5 + 5 + 4 * 5));
  const Counts sum = count(model.output(), model, 3);
  EXPECT_EQ(sum.forward_flops, 3 * 4 * 5);
  EXPECT_EQ(sum.bytes, 4 * (3 * 4 * 5 + 4 * 5 + 3 * 4 * 5));
}

TEST(Counts, GatheringAddsUpInTheBackwardPass) {
  const Counts counts = count(single(Gather{0, 9}, sequence(4, 5), true), 2);
  EXPECT_EQ(counts.forward_flops, 0);
  EXPECT_EQ(counts.training_flops, 2 * 9 * 5);
  EXPECT_EQ(counts.parameters, 0);
}

TEST(Counts, ViewsWriteNothing) {
  for (const Op& op : std::vector<Op>{Reshape{flat(24)}, Permute{{1, 0, 2}}, Flatten{}}) {
    const Counts counts = count(single(op, image(2, 3, 4), true), 1);
    EXPECT_EQ(counts.activations, 0);
    EXPECT_EQ(counts.training_flops, 0);
  }
}

}  // namespace
}  // namespace ampere
