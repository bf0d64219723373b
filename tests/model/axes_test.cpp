// Shapes of the operators that work on elements and axes.
#include <gmock/gmock.h>

#include <cstdint>
#include <limits>

#include "support.h"

namespace ampere {
namespace {

using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string refusal(const Op& op, const std::vector<TensorShape>& inputs) {
  return message_of([&] { output_of(op, inputs); });
}

TEST(Axes, LieInTheOrderOfMemory) {
  using Lengths = std::vector<std::int64_t>;
  EXPECT_EQ(image(3, 5, 7).axes(), (Lengths{3, 5, 7}));
  EXPECT_EQ(line(3, 5).axes(), (Lengths{3, 5}));
  EXPECT_EQ(sequence(5, 3).axes(), (Lengths{5, 3}));
  EXPECT_EQ(flat(3).axes(), (Lengths{3}));
  EXPECT_EQ(tokens(5, 100).axes(), (Lengths{5}));
  EXPECT_EQ(tensor({2, 1, 4}).axes(), (Lengths{2, 1, 4}));
}

TEST(Axes, OfTensorsAreAllExtents) {
  EXPECT_EQ(tensor({2, 3, 4}).elements(), 24);
  EXPECT_EQ(to_string(tensor({2, 3, 4})), "2x3x4 tensor");
  EXPECT_EQ(output_of(Activation{}, {tensor({2, 3})}), tensor({2, 3}));
  const auto refused = [](TensorShape shape) {
    return message_of([&] { ModelBuilder("net").add(Input{shape}); });
  };
  EXPECT_THAT(refused(tensor({})), HasSubstr("extents, not 0"));
  EXPECT_THAT(refused(tensor(std::vector<std::int64_t>(13, 1))), HasSubstr("12 extents, not 13"));
  EXPECT_THAT(refused({Layout::tensor, 2, {3}}), HasSubstr("no channels"));
  EXPECT_THAT(refused(tensor({2, 0})), HasSubstr("each extent"));
  EXPECT_THAT(refused(tensor({1 << 24, 1 << 24})), HasSubstr("elements"));
}

TEST(Axes, OperandsAreBroadcastAgainstEachOther) {
  EXPECT_EQ(output_of(Add{}, {image(8, 5, 5), image(1, 5, 5)}), image(8, 5, 5));
  EXPECT_EQ(output_of(Add{}, {image(8, 1, 1), image(1, 5, 5)}), image(8, 5, 5));
  EXPECT_EQ(output_of(Subtract{}, {sequence(6, 8), sequence(6, 1)}), sequence(6, 8));
  EXPECT_EQ(output_of(Divide{}, {sequence(1, 8), sequence(6, 8)}), sequence(6, 8));
  EXPECT_EQ(output_of(Add{}, {tensor({4, 1, 3}), tensor({2, 1})}), tensor({4, 2, 3}));
  EXPECT_EQ(output_of(Add{}, {tensor({5}), image(8, 5, 5)}), image(8, 5, 5));
  EXPECT_EQ(output_of(Multiply{}, {tensor({1, 1}), flat(3), flat(3)}), tensor({1, 3}));
  EXPECT_THAT(refusal(Subtract{}, {flat(3), flat(4)}), HasSubstr("3 and 4 cannot be subtracted"));
  EXPECT_THAT(refusal(Divide{}, {flat(3), flat(3), flat(3)}), HasSubstr("two layers, not 3"));
  EXPECT_THAT(refusal(Add{}, {tensor({1}), tensor({2}), tensor({3})}), HasSubstr("2 tensor and 3"));
  EXPECT_THAT(refusal(Add{}, {tensor({1 << 24, 1}), tensor({1, 1 << 24})}), HasSubstr("elements"));
}

TEST(Axes, OneNumberPerChannelIsSpreadOverPositions) {
  EXPECT_EQ(output_of(Add{}, {flat(8), image(8, 5, 5)}), image(8, 5, 5));
  EXPECT_EQ(output_of(Add{}, {flat(5), image(5, 5, 7)}), image(5, 5, 7));
}

TEST(Axes, ConcatLinesUpAlongAnyOfThem) {
  EXPECT_EQ(output_of(Concat{1}, {image(8, 5, 6), image(8, 2, 6)}), image(8, 7, 6));
  EXPECT_EQ(output_of(Concat{0}, {sequence(5, 6), sequence(1, 6)}), sequence(6, 6));
  EXPECT_EQ(output_of(Concat{-1}, {tensor({5, 6}), tensor({5, 1})}), tensor({5, 7}));
  EXPECT_THAT(refusal(Concat{}, {tensor({5}), tensor({5})}), HasSubstr("axis must be given"));
  EXPECT_THAT(refusal(Concat{3}, {image(8, 5, 6), image(8, 2, 6)}), HasSubstr("axis must be from"));
  EXPECT_THAT(refusal(Concat{2}, {tensor({5, 6, 7}), tensor({5, 6})}), HasSubstr("lined up"));
  EXPECT_THAT(refusal(Concat{1}, {image(8, 5, 6), line(8, 5)}), HasSubstr("along axis 1"));
}

TEST(Axes, TheChannelsAreNoAxisOfTheirOwn) {
  ModelBuilder builder("net");
  builder.add(Input{sequence(5, 6)});
  builder.add(Softmax{-1});
  builder.add(Slice{1, -4, 100, 3});
  const Model model = std::move(builder).build();
  EXPECT_FALSE(std::get<Softmax>(model.layers()[1].op).axis);
  const Slice slice = std::get<Slice>(model.layers()[2].op);
  EXPECT_FALSE(slice.axis);
  EXPECT_EQ(slice.begin, 2);
  EXPECT_EQ(slice.end, 6);
}

TEST(Axes, SlicesTakeARange) {
  EXPECT_EQ(output_of(Slice{{}, 2, 5}, {image(8, 5, 5)}), image(3, 5, 5));
  EXPECT_EQ(output_of(Slice{2, 0, 5, 2}, {image(8, 5, 5)}), image(8, 5, 3));
  EXPECT_EQ(output_of(Slice{0, -2, INT64_MAX}, {tensor({7, 2})}), tensor({2, 2}));
  EXPECT_EQ(output_of(Slice{0, 0, -1}, {sequence(7, 2)}), sequence(6, 2));
  EXPECT_THAT(refusal(Slice{0, 3, 3}, {tensor({7})}), HasSubstr("nothing is left"));
  EXPECT_THAT(refusal(Slice{0, 7, 9}, {tensor({7})}), HasSubstr("begin"));
  EXPECT_THAT(refusal(Slice{0, INT64_MIN, 9}, {tensor({7})}), HasSubstr("begin"));
  EXPECT_THAT(refusal(Slice{0, 0, INT64_MIN}, {tensor({7})}), HasSubstr("end"));
  EXPECT_THAT(refusal(Slice{0, 0, 3, 0}, {tensor({7})}), HasSubstr("step"));
  EXPECT_THAT(refusal(Slice{1, 0, 3}, {tensor({7})}), HasSubstr("axis"));
}

TEST(Axes, GatheredOnesHaveAsManyEntriesAsArePicked) {
  EXPECT_EQ(output_of(Gather{0, 9}, {sequence(7, 2)}), sequence(9, 2));
  EXPECT_EQ(output_of(Gather{{}, 3}, {image(8, 5, 5)}), image(3, 5, 5));
  EXPECT_EQ(output_of(Gather{-1, 1}, {tensor({7, 2})}), tensor({7, 1}));
  EXPECT_THAT(refusal(Gather{{}, 3}, {tensor({7})}), HasSubstr("axis must be given"));
  EXPECT_THAT(refusal(Gather{0, 0}, {tensor({7})}), HasSubstr("count"));
  EXPECT_THAT(refusal(Gather{0, INT64_MAX}, {tensor({7})}), HasSubstr("count"));
  EXPECT_THAT(refusal(Gather{1, 3}, {tensor({7})}), HasSubstr("axis"));
  EXPECT_THAT(refusal(Gather{0, 3}, {tokens(7, 3)}), HasSubstr("tokens"));
}

TEST(Axes, ReducedOnesKeepTheirPlace) {
  EXPECT_EQ(output_of(Reduce{Reduction::mean, {1, 2}}, {image(8, 5, 5)}), image(8, 1, 1));
  EXPECT_EQ(output_of(Reduce{Reduction::sum, {-1}}, {sequence(5, 6)}), sequence(5, 1));
  EXPECT_EQ(output_of(Reduce{Reduction::max, {0, 2}}, {tensor({2, 3, 4})}), tensor({1, 3, 1}));
  EXPECT_EQ(output_of(Reduce{Reduction::l2, {-1}}, {tensor({2, 3})}), tensor({2, 1}));
  EXPECT_THAT(refusal(Reduce{}, {flat(3)}), HasSubstr("missing"));
  EXPECT_THAT(refusal(Reduce{Reduction::mean, {0, -1}}, {flat(3)}), HasSubstr("given twice"));
  EXPECT_THAT(refusal(Reduce{Reduction::mean, {1}}, {flat(3)}), HasSubstr("axis"));
}

TEST(Axes, ReshapeKeepsTheNumbers) {
  EXPECT_EQ(output_of(Reshape{tensor({4, 2, 3})}, {sequence(4, 6)}), tensor({4, 2, 3}));
  EXPECT_EQ(output_of(Reshape{image(6, 1, 1)}, {flat(6)}), image(6, 1, 1));
  EXPECT_THAT(refusal(Reshape{flat(7)}, {sequence(4, 6)}), HasSubstr("do not make 7"));
  EXPECT_THAT(refusal(Reshape{tokens(24, 3)}, {sequence(4, 6)}), HasSubstr("token ids"));
  EXPECT_THAT(refusal(Reshape{{Layout::image, 6, {4}}}, {sequence(4, 6)}), HasSubstr("extents"));
  EXPECT_THAT(refusal(Reshape{tensor({INT64_MAX, INT64_MAX})}, {flat(1)}), HasSubstr("extent"));
  EXPECT_THAT(refusal(Reshape{flat(6)}, {tokens(6, 3)}), HasSubstr("reads 6 tokens"));
}

TEST(Axes, PermuteGivesATensor) {
  EXPECT_EQ(output_of(Permute{{1, 2, 0}}, {image(3, 5, 7)}), tensor({5, 7, 3}));
  EXPECT_THAT(refusal(Permute{{0, 0, 1}}, {image(3, 5, 7)}), HasSubstr("given twice"));
  EXPECT_THAT(refusal(Permute{{0, 1}}, {image(3, 5, 7)}), HasSubstr("3 axes"));
  EXPECT_THAT(refusal(Permute{{0, 1, 3}}, {image(3, 5, 7)}), HasSubstr("order"));
}

TEST(Axes, ExpandRepeatsOnesOnly) {
  EXPECT_EQ(output_of(Expand{tensor({4, 2, 3})}, {tensor({2, 1})}), tensor({4, 2, 3}));
  EXPECT_EQ(output_of(Expand{image(6, 3, 3)}, {flat(6)}), image(6, 3, 3));
  EXPECT_THAT(refusal(Expand{tensor({2, 3})}, {tensor({4, 3})}), HasSubstr("cannot be repeated"));
  EXPECT_THAT(refusal(Expand{tensor({1, 3})}, {tensor({4, 3})}), HasSubstr("cannot be repeated"));
  EXPECT_THAT(refusal(Expand{tokens(3, 3)}, {tensor({3})}), HasSubstr("token ids"));
}

TEST(Axes, MatricesAreMultipliedInBatches) {
  EXPECT_EQ(output_of(MatMul{}, {sequence(4, 6), tensor({6, 5})}), tensor({4, 5}));
  EXPECT_EQ(output_of(MatMul{}, {tensor({2, 4, 6}), tensor({2, 6, 5})}), tensor({2, 4, 5}));
  EXPECT_EQ(output_of(MatMul{}, {tensor({3, 1, 4, 6}), tensor({2, 6, 5})}), tensor({3, 2, 4, 5}));
  EXPECT_EQ(output_of(MatMul{}, {tensor({4, 6}), tensor({2, 6, 5})}), tensor({2, 4, 5}));
  EXPECT_THAT(refusal(MatMul{}, {tensor({4, 6}), tensor({5, 6})}), HasSubstr("do not fit"));
  EXPECT_THAT(refusal(MatMul{}, {flat(6), tensor({6, 5})}), HasSubstr("do not fit"));
  EXPECT_THAT(refusal(MatMul{}, {tensor({2, 4, 6}), tensor({3, 6, 5})}), HasSubstr("do not fit"));
  EXPECT_THAT(refusal(MatMul{}, {tensor({4, 6})}), HasSubstr("two layers"));
}

TEST(Axes, SequencesBecomeLinesAndImages) {
  EXPECT_EQ(output_of(ToSequence{}, {line(3, 7)}), sequence(7, 3));
  EXPECT_EQ(output_of(FromSequence{{7}}, {sequence(7, 3)}), line(3, 7));
  EXPECT_EQ(output_of(FromSequence{{2, 3}}, {sequence(6, 4)}), image(4, 2, 3));
  EXPECT_THAT(refusal(FromSequence{{2, 2}}, {sequence(6, 4)}), HasSubstr("do not make 4x2x2"));
  EXPECT_THAT(refusal(FromSequence{}, {sequence(6, 4)}), HasSubstr("0 numbers"));
  EXPECT_THAT(refusal(FromSequence{{-2, -3}}, {sequence(6, 4)}), HasSubstr("extent"));
}

TEST(Axes, FunctionsCheckTheirParameters) {
  EXPECT_THAT(refusal(Activation{Function::elu, {1, 2}}, {flat(3)}),
              HasSubstr("1 parameters, not 2"));
  EXPECT_THAT(refusal(Activation{Function::relu, {1}}, {flat(3)}),
              HasSubstr("0 parameters, not 1"));
  EXPECT_THAT(refusal(Activation{Function::power, {kNaN}}, {flat(3)}), HasSubstr("exponent"));
  EXPECT_THAT(refusal(Activation{Function::clip, {0, kInfinity}}, {flat(3)}), HasSubstr("high"));
  EXPECT_THAT(refusal(Activation{Function::clip, {1, 0}}, {flat(3)}), HasSubstr("above"));
}

}  // namespace
}  // namespace ampere
