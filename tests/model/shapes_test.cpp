#include <gmock/gmock.h>

#include <limits>

#include "support.h"

namespace ampere {
namespace {

using testing::HasSubstr;

std::string shape_refusal(const Op& op, const std::vector<TensorShape>& inputs) {
  return message_of([&] { output_of(op, inputs); });
}

TEST(Shapes, ConvolutionSlidesOverImages) {
  EXPECT_EQ(output_of(conv(64, 7, 3, 2), {image(3, 224, 224)}), image(64, 112, 112));
  EXPECT_EQ(output_of(conv(6, 5, 2), {image(1, 28, 28)}), image(6, 28, 28));
  Conv op = conv(8, 3);
  op.kernel = {3, 5};
  op.stride = {1, 2};
  op.padding = {1, 0};
  op.dilation = {1, 2};
  EXPECT_EQ(output_of(op, {image(3, 10, 20)}), image(8, 10, 6));
}

TEST(Shapes, ConvolutionSlidesOverLines) {
  EXPECT_EQ(output_of(conv(32, 9), {line(9, 128)}), line(32, 120));
}

TEST(Shapes, DepthwiseConvolutionKeepsChannels) {
  EXPECT_EQ(output_of(depthwise(3, 1), {image(24, 14, 14)}), image(24, 14, 14));
}

TEST(Shapes, ConvolutionRefusesWhatDoesNotFit) {
  EXPECT_THAT(shape_refusal(conv(8, 3), {flat(10)}), HasSubstr("needs a line or image input"));
  EXPECT_THAT(shape_refusal(conv(8, 6), {image(3, 5, 9)}), HasSubstr("covers 6 positions"));
  EXPECT_THAT(shape_refusal(conv(0, 3), {image(3, 5, 5)}),
              HasSubstr("out_channels must be from 1"));
  EXPECT_THAT(shape_refusal(conv(-4, 3), {image(3, 5, 5)}), HasSubstr("not -4"));
  EXPECT_THAT(shape_refusal(conv(8, 0), {image(3, 5, 5)}), HasSubstr("kernel must be from 1"));
  EXPECT_THAT(shape_refusal(conv(8, 3, -1), {image(3, 5, 5)}), HasSubstr("padding must be from 0"));
  EXPECT_THAT(shape_refusal(conv(8, 3, 0, 0), {image(3, 5, 5)}),
              HasSubstr("stride must be from 1"));
  EXPECT_THAT(shape_refusal(grouped(8, 1, 2), {image(3, 5, 5)}), HasSubstr("3 channels"));
  EXPECT_THAT(shape_refusal(grouped(9, 1, 2), {image(4, 5, 5)}), HasSubstr("9 channels"));
  EXPECT_THAT(shape_refusal(grouped(8, 1, 0), {image(4, 5, 5)}),
              HasSubstr("groups must be from 1"));
  EXPECT_THAT(shape_refusal(Conv{}, {image(4, 5, 5)}), HasSubstr("kernel is missing"));
  Conv three = conv(8, 3);
  three.kernel = {3, 3, 3};
  EXPECT_THAT(shape_refusal(three, {image(4, 5, 5)}),
              HasSubstr("3 numbers for an input with two axes"));
  Conv reaching = conv(8, 1 << 20);
  reaching.dilation = {1 << 20};
  EXPECT_THAT(shape_refusal(reaching, {image(4, 5, 5)}), HasSubstr("only 5"));
}

TEST(Shapes, PoolingRoundsDownOrUp) {
  EXPECT_EQ(output_of(max_pool(2), {image(6, 28, 28)}), image(6, 14, 14));
  EXPECT_EQ(output_of(max_pool(2), {image(6, 7, 7)}), image(6, 3, 3));
  EXPECT_EQ(output_of(Pool{Pooling::max, {3}, {2}, {}, true}, {image(6, 8, 8)}), image(6, 4, 4));
  EXPECT_EQ(output_of(Pool{Pooling::max, {3}, {2}, {}, false}, {image(6, 8, 8)}), image(6, 3, 3));
  EXPECT_EQ(output_of(Pool{Pooling::average, {3}, {2}, {1}, false}, {line(6, 112)}), line(6, 56));
}

TEST(Shapes, PoolingUpDropsAWindowThatLiesInPaddingOnly) {
  // Rounding up gives 3 windows; the third would start at position 4 of a padded input whose data
  // end there.
  EXPECT_EQ(output_of(Pool{Pooling::max, {2}, {2}, {1}, true}, {line(1, 3)}), line(1, 2));
}

TEST(Shapes, PoolingRefusesWidePadding) {
  EXPECT_THAT(shape_refusal(Pool{Pooling::max, {2}, {}, {2}, false}, {line(1, 30)}),
              HasSubstr("more than half"));
  EXPECT_THAT(shape_refusal(max_pool(3), {image(4, 2, 2)}), HasSubstr("covers 3 positions"));
}

TEST(Shapes, AdaptivePoolingReachesItsExtent) {
  EXPECT_EQ(output_of(AdaptivePool{{1, 1}}, {image(512, 7, 7)}), image(512, 1, 1));
  EXPECT_EQ(output_of(AdaptivePool{}, {image(512, 7, 7)}), image(512, 1, 1));
  EXPECT_EQ(output_of(AdaptivePool{{7}}, {image(512, 7, 9)}), image(512, 7, 7));
  EXPECT_THAT(shape_refusal(AdaptivePool{{0}}, {image(5, 7, 7)}), HasSubstr("extent"));
}

TEST(Shapes, LinearWorksOnChannels) {
  EXPECT_EQ(output_of(Linear{10}, {flat(84)}), flat(10));
  EXPECT_EQ(output_of(Linear{10}, {sequence(64, 84)}), sequence(64, 10));
  EXPECT_THAT(shape_refusal(Linear{10}, {image(3, 2, 2)}), HasSubstr("flat or sequence"));
  EXPECT_THAT(shape_refusal(Linear{0}, {flat(3)}), HasSubstr("out_features"));
}

TEST(Shapes, SequencesComeFromTokens) {
  EXPECT_EQ(output_of(Embedding{32}, {tokens(64, 96)}), sequence(64, 32));
  EXPECT_EQ(output_of(Recurrent{Cell::gru, 128}, {sequence(64, 32)}), sequence(64, 128));
  EXPECT_EQ(output_of(SelfAttention{4}, {sequence(64, 32)}), sequence(64, 32));
  EXPECT_EQ(output_of(ClassToken{}, {sequence(64, 32)}), sequence(65, 32));
  EXPECT_EQ(output_of(PositionEmbedding{}, {sequence(64, 32)}), sequence(64, 32));
  EXPECT_EQ(output_of(TokenMean{}, {sequence(64, 32)}), flat(32));
  EXPECT_EQ(output_of(TokenSelect{63}, {sequence(64, 32)}), flat(32));
  EXPECT_EQ(output_of(ToSequence{}, {image(32, 4, 5)}), sequence(20, 32));
  EXPECT_EQ(output_of(LayerNorm{}, {sequence(64, 32)}), sequence(64, 32));
}

TEST(Shapes, SequencesRefuseWhatDoesNotFit) {
  EXPECT_THAT(shape_refusal(Embedding{32}, {flat(3)}), HasSubstr("needs a tokens input"));
  EXPECT_THAT(shape_refusal(Embedding{0}, {tokens(3, 3)}), HasSubstr("dim"));
  EXPECT_THAT(shape_refusal(SelfAttention{5}, {sequence(64, 32)}),
              HasSubstr("32 channels cannot be divided into 5 heads"));
  EXPECT_THAT(shape_refusal(SelfAttention{0}, {sequence(64, 32)}), HasSubstr("heads"));
  EXPECT_THAT(shape_refusal(TokenSelect{64}, {sequence(64, 32)}), HasSubstr("index"));
  EXPECT_THAT(shape_refusal(Recurrent{Cell::lstm, 0}, {sequence(64, 32)}), HasSubstr("hidden"));
  EXPECT_THAT(shape_refusal(LayerNorm{}, {tokens(3, 2)}), HasSubstr("needs a flat or sequence"));
  EXPECT_THAT(shape_refusal(BatchNorm{}, {sequence(3, 2)}), HasSubstr("flat or line or image"));
}

TEST(Shapes, ANegativeTokenCountsFromTheEnd) {
  ModelBuilder builder("net");
  builder.add(Input{sequence(64, 32)});
  builder.add(TokenSelect{-1});
  const Model model = std::move(builder).build();
  EXPECT_EQ(std::get<TokenSelect>(model.output().op).index, 63);
}

TEST(Shapes, AddNeedsEqualShapes) {
  EXPECT_EQ(output_of(Add{}, {flat(3), flat(3), flat(3)}), flat(3));
  EXPECT_THAT(shape_refusal(Add{}, {image(3, 2, 2), image(4, 2, 2)}), HasSubstr("cannot be added"));
  EXPECT_THAT(shape_refusal(Add{}, {flat(3)}), HasSubstr("two layers or more"));
  EXPECT_THAT(shape_refusal(Add{}, {tokens(3, 4), tokens(3, 4)}), HasSubstr("embedded first"));
}

TEST(Shapes, MultiplyBroadcastsChannelWeights) {
  EXPECT_EQ(output_of(Multiply{}, {image(8, 5, 5), image(8, 5, 5)}), image(8, 5, 5));
  EXPECT_EQ(output_of(Multiply{}, {image(8, 5, 5), image(8, 1, 1)}), image(8, 5, 5));
  EXPECT_EQ(output_of(Multiply{}, {flat(8), image(8, 5, 5)}), image(8, 5, 5));
  EXPECT_EQ(output_of(Multiply{}, {flat(8), image(8, 1, 1)}), image(8, 1, 1));
  EXPECT_THAT(shape_refusal(Multiply{}, {image(8, 5, 5), flat(7)}),
              HasSubstr("cannot be multiplied"));
  EXPECT_EQ(output_of(Multiply{}, {image(8, 5, 5), image(8, 5, 1)}), image(8, 5, 5));
  EXPECT_THAT(shape_refusal(Multiply{}, {image(8, 5, 5), image(8, 5, 2)}), HasSubstr("multiplied"));
}

TEST(Shapes, ChannelsAreLinedUpAndShared) {
  EXPECT_EQ(output_of(Concat{}, {image(8, 5, 5), image(3, 5, 5)}), image(11, 5, 5));
  EXPECT_THAT(shape_refusal(Concat{}, {image(8, 5, 5), image(3, 4, 5)}), HasSubstr("lined up"));
  EXPECT_EQ(output_of(Chunk{4, 3}, {image(8, 5, 5)}), image(2, 5, 5));
  EXPECT_THAT(shape_refusal(Chunk{3, 0}, {image(8, 5, 5)}), HasSubstr("8 channels"));
  EXPECT_THAT(shape_refusal(Chunk{2, 2}, {image(8, 5, 5)}), HasSubstr("index"));
  EXPECT_THAT(shape_refusal(Chunk{0, 0}, {image(8, 5, 5)}), HasSubstr("parts"));
  EXPECT_EQ(output_of(ChannelShuffle{2}, {image(8, 5, 5)}), image(8, 5, 5));
  EXPECT_THAT(shape_refusal(ChannelShuffle{3}, {image(8, 5, 5)}), HasSubstr("groups"));
}

TEST(Shapes, ElementwiseLayersKeepTheShape) {
  for (const TensorShape& shape : {image(8, 5, 4), line(8, 5), sequence(8, 5), flat(8)}) {
    EXPECT_EQ(output_of(Activation{Function::gelu}, {shape}), shape);
    EXPECT_EQ(output_of(Dropout{0.1}, {shape}), shape);
    EXPECT_EQ(output_of(Flatten{}, {shape}), flat(shape.elements()));
  }
  EXPECT_THAT(shape_refusal(Activation{}, {tokens(3, 4)}), HasSubstr("reads 3 tokens"));
  EXPECT_THAT(shape_refusal(Activation{}, {}), HasSubstr("reads one layer, not 0"));
}

TEST(Shapes, DropoutKeepsSomething) {
  EXPECT_THAT(shape_refusal(Dropout{1.0}, {flat(3)}), HasSubstr("probability"));
  EXPECT_THAT(shape_refusal(Dropout{-0.1}, {flat(3)}), HasSubstr("probability"));
  EXPECT_THAT(shape_refusal(Dropout{std::numeric_limits<double>::quiet_NaN()}, {flat(3)}),
              HasSubstr("probability"));
}

TEST(Shapes, InputsAreChecked) {
  const auto refused = [](TensorShape shape, bool boundary = false) {
    return message_of([&] { ModelBuilder("net").add(Input{shape, boundary}); });
  };
  EXPECT_THAT(refused({Layout::image, 3, {5}}), HasSubstr("image shape has 2 extents, not 1"));
  EXPECT_THAT(refused(image(0, 5, 5)), HasSubstr("channels"));
  EXPECT_THAT(refused(image(3, -5, 5)), HasSubstr("extent"));
  EXPECT_THAT(refused(tokens(3, 5), true), HasSubstr("no gradient"));
  EXPECT_THAT(shape_refusal(Input{flat(3)}, {flat(3)}), HasSubstr("reads no other layer"));
}

}  // namespace
}  // namespace ampere
