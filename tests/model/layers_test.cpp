// Shapes of transposed convolutions, normalisations and what changes extents.
#include <gmock/gmock.h>

#include <cstdint>
#include <limits>

#include "support.h"

namespace ampere {
namespace {

using testing::HasSubstr;

std::string layer_refusal(const Op& op, const std::vector<TensorShape>& inputs) {
  return message_of([&] { output_of(op, inputs); });
}

ConvTranspose transposed(std::int64_t out, std::int64_t kernel, std::int64_t stride,
                         std::int64_t padding = 0, std::int64_t more = 0) {
  return {out, {kernel}, {stride}, {padding}, {more}, {}};
}

TEST(Layers, TransposedConvolutionUndoesASlide) {
  EXPECT_EQ(output_of(transposed(6, 2, 2), {image(8, 7, 7)}), image(6, 14, 14));
  EXPECT_EQ(output_of(transposed(6, 3, 2, 1, 1), {image(8, 7, 7)}), image(6, 14, 14));
  EXPECT_EQ(output_of(transposed(6, 4, 2, 1), {line(8, 5)}), line(6, 10));
  EXPECT_EQ(output_of(ConvTranspose{4, {3}, {}, {}, {}, {2}, 2}, {line(8, 5)}), line(4, 9));
}

TEST(Layers, TransposedConvolutionRefusesWhatDoesNotFit) {
  EXPECT_THAT(layer_refusal(transposed(6, 2, 2), {flat(8)}), HasSubstr("line or image"));
  EXPECT_THAT(layer_refusal(transposed(6, 2, 2, 9), {line(8, 5)}), HasSubstr("leaves nothing"));
  EXPECT_THAT(layer_refusal(transposed(6, 2, 2, 0, 2), {line(8, 5)}),
              HasSubstr("output_padding 2"));
  EXPECT_THAT(layer_refusal(transposed(0, 2, 2), {line(8, 5)}), HasSubstr("out_channels"));
  EXPECT_THAT(layer_refusal(ConvTranspose{}, {line(8, 5)}), HasSubstr("kernel is missing"));
  EXPECT_THAT(layer_refusal(ConvTranspose{4, {3}, {}, {}, {}, {}, 3}, {line(8, 5)}),
              HasSubstr("groups"));
  EXPECT_THAT(layer_refusal(transposed(1, 1 << 20, 1 << 20), {line(1, 1 << 24)}),
              HasSubstr("extent"));
  EXPECT_THAT(layer_refusal(transposed(1, INT64_MAX, 1), {line(1, 4)}),
              HasSubstr("kernel must be"));
}

TEST(Layers, NormalisationsKeepTheShape) {
  for (const TensorShape& shape : {image(8, 5, 4), line(8, 5), sequence(5, 8), flat(8)}) {
    EXPECT_EQ(output_of(LayerNorm{}, {shape}), shape);
    EXPECT_EQ(output_of(Scale{}, {shape}), shape);
    EXPECT_EQ(output_of(PRelu{}, {shape}), shape);
  }
  EXPECT_EQ(output_of(LayerNorm{}, {tensor({2, 3})}), tensor({2, 3}));
  EXPECT_EQ(output_of(GroupNorm{4}, {image(8, 5, 4)}), image(8, 5, 4));
  EXPECT_EQ(output_of(InstanceNorm{}, {line(8, 5)}), line(8, 5));
}

TEST(Layers, NormalisationsRefuseWhatDoesNotFit) {
  EXPECT_THAT(layer_refusal(GroupNorm{3}, {image(8, 5, 4)}), HasSubstr("3 groups"));
  EXPECT_THAT(layer_refusal(GroupNorm{0}, {image(8, 5, 4)}), HasSubstr("groups must be from 1"));
  EXPECT_THAT(layer_refusal(GroupNorm{1}, {sequence(8, 5)}), HasSubstr("flat or line or image"));
  EXPECT_THAT(layer_refusal(InstanceNorm{}, {image(8, 1, 1)}), HasSubstr("single value"));
  EXPECT_THAT(layer_refusal(Scale{}, {tensor({3})}), HasSubstr("needs a"));
  EXPECT_THAT(layer_refusal(PRelu{}, {tensor({3})}), HasSubstr("needs a"));
  EXPECT_THAT(layer_refusal(LayerNorm{-1}, {flat(3)}), HasSubstr("epsilon"));
  EXPECT_THAT(layer_refusal(BatchNorm{std::numeric_limits<double>::quiet_NaN()}, {flat(3)}),
              HasSubstr("epsilon"));
}

TEST(Layers, BothDirectionsDoubleTheChannels) {
  EXPECT_EQ(output_of(Recurrent{Cell::lstm, 5, true}, {sequence(7, 3)}), sequence(7, 10));
}

TEST(Layers, LinearWorksOnTheLastAxisOfATensor) {
  EXPECT_EQ(output_of(Linear{5}, {tensor({2, 3, 4})}), tensor({2, 3, 5}));
}

TEST(Layers, ExtentsArePaddedAndResized) {
  EXPECT_EQ(output_of(Pad{{1, 0}, {2, 3}}, {image(8, 5, 4)}), image(8, 8, 7));
  EXPECT_EQ(output_of(Pad{{}, {1}}, {sequence(5, 8)}), sequence(6, 8));
  EXPECT_EQ(output_of(Pad{{1}, {1}}, {tensor({1, 2, 3})}), tensor({3, 4, 5}));
  EXPECT_EQ(output_of(Upsample{{10, 3}}, {image(8, 5, 4)}), image(8, 10, 3));
  EXPECT_EQ(output_of(Upsample{{10}}, {line(8, 5)}), line(8, 10));
  EXPECT_EQ(output_of(AdaptivePool{{2}, Pooling::max}, {line(8, 5)}), line(8, 2));
}

TEST(Layers, ExtentsRefuseWhatDoesNotFit) {
  EXPECT_THAT(layer_refusal(Pad{{1}, {1}}, {flat(5)}), HasSubstr("no extent"));
  EXPECT_THAT(layer_refusal(Pad{{-1}, {}}, {line(5, 5)}), HasSubstr("before must be from 0"));
  EXPECT_THAT(layer_refusal(Pad{{1, 1}, {}}, {tensor({1, 2, 3})}), HasSubstr("with 3 axes"));
  EXPECT_THAT(layer_refusal(Pad{{1}, {}, std::numeric_limits<double>::infinity()}, {line(5, 5)}),
              HasSubstr("value must be a finite number"));
  EXPECT_THAT(layer_refusal(Upsample{}, {line(8, 5)}), HasSubstr("extent is missing"));
  EXPECT_THAT(layer_refusal(Upsample{{0}}, {line(8, 5)}), HasSubstr("extent must be from 1"));
  EXPECT_THAT(layer_refusal(Upsample{{1 << 20}}, {image(1 << 10, 5, 5)}), HasSubstr("elements"));
}

TEST(Layers, OnlyPaddedAveragesSayHowTheyCount) {
  ModelBuilder builder("net");
  builder.add(Input{line(2, 8)});
  builder.add(Pool{Pooling::average, {2}, {}, {}, false, false});
  builder.add(Pool{Pooling::average, {2}, {1}, {1}, false, false});
  builder.add(Pool{Pooling::max, {2}, {1}, {1}, false, false});
  const Model model = std::move(builder).build();
  EXPECT_TRUE(std::get<Pool>(model.layers()[1].op).count_padding);
  EXPECT_FALSE(std::get<Pool>(model.layers()[2].op).count_padding);
  EXPECT_TRUE(std::get<Pool>(model.layers()[3].op).count_padding);
}

TEST(Layers, ParametersReadNothing) {
  ModelBuilder builder("net");
  builder.add(Input{flat(3)});
  EXPECT_EQ(builder.shape(builder.add(Parameter{sequence(4, 5)})), sequence(4, 5));
  EXPECT_THAT(layer_refusal(Parameter{flat(3)}, {flat(3)}), HasSubstr("reads no other layer"));
  EXPECT_THAT(message_of([&] { builder.add(Parameter{tokens(3, 4)}); }), HasSubstr("learned"));
  EXPECT_THAT(message_of([&] { builder.add(Parameter{flat(0)}); }), HasSubstr("channels"));
  EXPECT_THAT(message_of([&] { builder.add(Parameter{flat(3), true, 2}); }), HasSubstr("sequence"));
}

}  // namespace
}  // namespace ampere
