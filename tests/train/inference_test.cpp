// What layers compute, against numbers worked out by hand.
#include "train/inference.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "ampere/error.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;
using Floats = std::vector<float>;

constexpr float kNear = 1e-5f;

// One layer that reads `input`, a batch of 1; `weights` by their names within the layer.
Floats forward(const Op& op, const TensorShape& shape, const Floats& input,
               const std::map<std::string, Floats>& weights = {}) {
  ModelBuilder builder("one");
  builder.add(Input{shape});
  builder.add(op, "layer");
  const Model model = std::move(builder).build();
  Weights given;
  for (const WeightShape& tensor : weight_shapes(model.output(), model))
    given["layer." + tensor.name] = {tensor.sizes, weights.at(tensor.name)};
  std::vector<std::int64_t> sizes = shape.axes();
  sizes.insert(sizes.begin(), 1);
  const FloatTensor output = infer(model, given, {{sizes, input}});
  std::vector<std::int64_t> expected = model.output().output.axes();
  expected.insert(expected.begin(), 1);
  EXPECT_EQ(output.sizes, expected);
  return output.values;
}

// Two operands of these shapes.
Floats combined(const Op& op, const TensorShape& a, const Floats& x, const TensorShape& b,
                const Floats& y) {
  ModelBuilder builder("two");
  builder.add(Input{a});
  builder.add(Input{b});
  builder.add(op, {0, 1});
  const Model model = std::move(builder).build();
  const auto batch_of_one = [](const TensorShape& shape) {
    std::vector<std::int64_t> sizes = shape.axes();
    sizes.insert(sizes.begin(), 1);
    return sizes;
  };
  return infer(model, {}, {{batch_of_one(a), x}, {batch_of_one(b), y}}).values;
}

Floats apply(Function function, const Floats& input, std::vector<double> parameters = {}) {
  return forward(Activation{function, std::move(parameters)},
                 flat(static_cast<std::int64_t>(input.size())), input);
}

void expect_near(const Floats& actual, const Floats& expected) {
  EXPECT_THAT(actual, Pointwise(FloatNear(kNear), expected));
}

Floats counting(int count) {
  Floats values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
  return values;
}

TEST(Inference, ConvolutionsSlideAndSpread) {
  Conv slide;
  slide.out_channels = 1;
  slide.kernel = {2};
  expect_near(forward(slide, line(1, 4), {1, 2, 3, 4}, {{"weight", {10, 1}}, {"bias", {0.5}}}),
              {12.5, 23.5, 34.5});
  expect_near(forward(ConvTranspose{1, {2}, {2}}, line(1, 2), {1, 2},
                      {{"weight", {10, 1}}, {"bias", {0.5}}}),
              {10.5, 1.5, 20.5, 2.5});
  expect_near(forward(ConvTranspose{1, {3}, {2}, {1}, {1}, {}, 1, false}, line(1, 2), {1, 2},
                      {{"weight", {1, 2, 4}}}),
              {2, 4 + 2, 4, 8});
}

TEST(Inference, BatchNormUsesItsRunningStatistics) {
  expect_near(forward(BatchNorm{0}, flat(2), {3, 10},
                      {{"weight", {2, 1}},
                       {"bias", {1, 0}},
                       {"running_mean", {1, 10}},
                       {"running_var", {4, 9}}}),
              {3, 0});
}

TEST(Inference, EpsilonCounts) {
  expect_near(
      forward(BatchNorm{1}, flat(1), {4},
              {{"weight", {1}}, {"bias", {0}}, {"running_mean", {0}}, {"running_var", {3}}}),
      {2});
}

TEST(Inference, DropoutDropsNothing) {
  expect_near(forward(Dropout{0.9}, flat(3), {1, 2, 3}), {1, 2, 3});
}

TEST(Inference, NormalisationsLookAtTheirOwnNumbers) {
  const TensorShape shape = image(2, 1, 2);
  const Floats input{1, 3, 5, 11};
  const std::map<std::string, Floats> affine{{"weight", {1, 10}}, {"bias", {0, 1}}};
  expect_near(forward(LayerNorm{0}, shape, input, affine), {-1, -1, 11, 11});
  expect_near(forward(InstanceNorm{0}, shape, input, affine), {-1, 1, -9, 11});
  expect_near(forward(GroupNorm{2, 0, false}, shape, input), {-1, 1, -1, 1});
  const float deviation = std::sqrt(14.0f);
  expect_near(forward(GroupNorm{1, 0, false}, shape, input),
              {-4 / deviation, -2 / deviation, 0, 6 / deviation});
  expect_near(forward(LayerNorm{0, false}, tensor({2, 2}), input), {-1, 1, -1, 1});
}

TEST(Inference, ScalesAndSlopesStandAtTheirChannels) {
  expect_near(
      forward(Scale{true}, image(2, 1, 2), {1, 2, 3, 4}, {{"weight", {2, 10}}, {"bias", {0, 1}}}),
      {2, 4, 31, 41});
  expect_near(forward(Scale{}, sequence(2, 2), {1, 2, 3, 4}, {{"weight", {2, 10}}}),
              {2, 20, 6, 40});
  expect_near(forward(PRelu{}, sequence(2, 2), {-1, -2, 3, -4}, {{"weight", {0.5, 10}}}),
              {-0.5, -20, 3, -40});
  expect_near(forward(PRelu{}, line(2, 2), {-1, -2, 3, -4}, {{"weight", {0.5, 10}}}),
              {-0.5, -1, 3, -40});
}

TEST(Inference, FunctionsAreWhatTheirNamesSay) {
  expect_near(apply(Function::leaky_relu, {-1, 2}, {0.2}), {-0.2f, 2});
  expect_near(apply(Function::elu, {-1, 2}, {2}), {2 * std::expm1(-1.0f), 2});
  expect_near(apply(Function::clip, {-3, 0.5, 3}, {-1, 2}), {-1, 0.5, 2});
  expect_near(apply(Function::clip, {-3e30f, 3}), {-3e30f, 3});
  expect_near(apply(Function::affine, {-1, 2}, {3, 1}), {-2, 7});
  expect_near(apply(Function::power, {4, 9}, {0.5}), {2, 3});
  expect_near(apply(Function::power, {4, -2}, {-1}), {0.25, -0.5});
  expect_near(apply(Function::power, {4, -2}), {16, 4});
  expect_near(apply(Function::exp, {0, 1}), {1, std::exp(1.0f)});
  expect_near(apply(Function::log, {1, 2}), {0, std::log(2.0f)});
  expect_near(apply(Function::abs, {-1, 2}), {1, 2});
  expect_near(apply(Function::erf, {0, 1}), {0, std::erf(1.0f)});
  expect_near(apply(Function::softplus, {0}), {std::log(2.0f)});
  expect_near(apply(Function::softsign, {-3, 1}), {-0.75, 0.5});
  expect_near(apply(Function::mish, {0, 1}), {0, std::tanh(std::log1p(std::exp(1.0f)))});
  expect_near(apply(Function::selu, {1}), {1.05070099f});
  expect_near(apply(Function::gelu_tanh, {1}),
              {0.5f * (1 + std::tanh(std::sqrt(2 / 3.14159265f) * 1.044715f))});
}

TEST(Inference, PoolsCountPaddingAsAsked) {
  const Floats input{4, 8};
  expect_near(forward(Pool{Pooling::average, {2}, {2}, {1}, false, true}, line(1, 2), input),
              {2, 4});
  expect_near(forward(Pool{Pooling::average, {2}, {2}, {1}, false, false}, line(1, 2), input),
              {4, 8});
  expect_near(forward(AdaptivePool{{1}, Pooling::max}, line(1, 2), input), {8});
}

TEST(Inference, UpsamplingRepeatsOrInterpolates) {
  expect_near(forward(Upsample{{4}}, line(1, 2), {1, 5}), {1, 1, 5, 5});
  expect_near(forward(Upsample{{4}, Interpolation::linear}, line(1, 2), {1, 5}), {1, 2, 4, 5});
  expect_near(forward(Upsample{{5}, Interpolation::linear, true}, line(1, 2), {1, 5}),
              {1, 2, 3, 4, 5});
  expect_near(forward(Upsample{{1, 2}}, image(1, 2, 1), {1, 5}), {1, 1});
}

TEST(Inference, PaddingGoesToTheAxisAsked) {
  expect_near(forward(Pad{{1, 0}, {0, 1}, 9}, image(1, 1, 2), {1, 2}), {9, 9, 9, 1, 2, 9});
  expect_near(forward(Pad{{0}, {1}}, sequence(1, 2), {1, 2}), {1, 2, 0, 0});
}

TEST(Inference, AxesAreSlicedReducedAndReordered) {
  expect_near(forward(Slice{1, 0, 3, 2}, image(2, 3, 1), counting(6)), {0, 2, 3, 5});
  expect_near(forward(Slice{{}, 1, 2}, sequence(2, 2), counting(4)), {1, 3});
  expect_near(forward(Reduce{Reduction::mean, {0}}, sequence(2, 2), {1, 2, 3, 6}), {2, 4});
  expect_near(forward(Reduce{Reduction::sum, {1}}, sequence(2, 2), {1, 2, 3, 6}), {3, 9});
  expect_near(forward(Reduce{Reduction::max, {0, 1}}, tensor({2, 2}), {1, 2, 7, 6}), {7});
  expect_near(forward(Reduce{Reduction::l2, {1}}, sequence(2, 2), {3, 4, 0, -2}), {5, 2});
  expect_near(forward(Permute{{1, 0}}, line(2, 3), counting(6)), {0, 3, 1, 4, 2, 5});
  expect_near(forward(ToSequence{}, line(2, 3), counting(6)), {0, 3, 1, 4, 2, 5});
  expect_near(forward(FromSequence{{1, 3}}, sequence(3, 2), counting(6)), {0, 2, 4, 1, 3, 5});
  expect_near(forward(Reshape{tensor({3, 2})}, line(2, 3), counting(6)), counting(6));
  expect_near(forward(Expand{line(2, 2)}, flat(2), {1, 2}), {1, 1, 2, 2});
  expect_near(forward(Softmax{0}, sequence(2, 1), {0, std::log(3.0f)}), {0.25, 0.75});
  expect_near(forward(Softmax{{}, true}, flat(2), {0, 0}), {-std::log(2.0f), -std::log(2.0f)});
}

TEST(Inference, EntriesAreGatheredByTheirIndices) {
  const Floats numbers = counting(4);
  expect_near(forward(Gather{0, 3}, sequence(2, 2), numbers, {{"index", {1, 1, 0}}}),
              {2, 3, 2, 3, 0, 1});
  expect_near(forward(Gather{{}, 1}, sequence(2, 2), numbers, {{"index", {1}}}), {1, 3});
  expect_near(forward(Gather{2, 3}, image(2, 1, 2), numbers, {{"index", {1, 0, 1}}}),
              {1, 0, 1, 3, 2, 3});
}

TEST(Inference, OperandsAreBroadcastAsTheModelSays) {
  const TensorShape picture = image(2, 1, 2);
  expect_near(combined(Add{}, picture, {1, 2, 3, 4}, flat(2), {10, 20}), {11, 12, 23, 24});
  expect_near(combined(Add{}, picture, {1, 2, 3, 4}, tensor({2}), {10, 20}), {11, 22, 13, 24});
  expect_near(combined(Subtract{}, image(1, 1, 2), {1, 2}, picture, {1, 2, 3, 4}), {0, 0, -2, -2});
  expect_near(combined(Divide{}, sequence(2, 2), {2, 4, 6, 8}, sequence(2, 1), {2, 4}),
              {1, 2, 1.5, 2});
  expect_near(combined(MatMul{}, tensor({1, 2}), {1, 2}, tensor({2, 2, 1}), {3, 4, 5, 6}),
              {11, 17});
  expect_near(combined(Concat{0}, sequence(1, 2), {1, 2}, sequence(2, 2), {3, 4, 5, 6}),
              {1, 2, 3, 4, 5, 6});
}

TEST(Inference, EverySampleSeesTheSameParameter) {
  ModelBuilder builder("net");
  builder.add(Input{flat(2)});
  builder.add(Parameter{flat(2), false}, "own");
  builder.add(Add{}, {0, 1});
  const Model model = std::move(builder).build();
  const FloatTensor output =
      infer(model, {{"own.value", {{2}, {10, 20}}}}, {{{3, 2}, {1, 2, 3, 4, 5, 6}}});
  EXPECT_THAT(output.values, ElementsAre(11, 22, 13, 24, 15, 26));
}

// The parameter is read by samples, and by a function that is computed once for all of them.
TEST(Inference, EverySampleSeesWhatIsMadeOfParametersAlone) {
  ModelBuilder builder("net");
  const int x = builder.add(Input{flat(2)});
  const int own = builder.add(Parameter{flat(2)}, "own");
  const int square = builder.add(Activation{Function::power, {2}}, {own});
  builder.add(Add{}, {x, own, square});
  const Model model = std::move(builder).build();
  const FloatTensor output =
      infer(model, {{"own.value", {{2}, {10, 20}}}}, {{{3, 2}, {1, 2, 3, 4, 5, 6}}});
  EXPECT_THAT(output.values, ElementsAre(111, 422, 113, 424, 115, 426));
}

// An output that no sample changes is given once for each of them all the same.
TEST(Inference, AnOutputWithoutSamplesHasABatch) {
  ModelBuilder builder("net");
  builder.add(Input{flat(2)});
  const int own = builder.add(Parameter{flat(2)}, "own");
  builder.add(Activation{Function::power, {2}}, {own});
  const Model model = std::move(builder).build();
  const FloatTensor output = infer(model, {{"own.value", {{2}, {2, 3}}}}, {{{2, 2}, {1, 2, 3, 4}}});
  EXPECT_EQ(output.sizes, (std::vector<std::int64_t>{2, 2}));
  EXPECT_THAT(output.values, ElementsAre(4, 9, 4, 9));
}

TEST(Inference, BothDirectionsReadTheSequenceFromTheirEnd) {
  const auto last = [](bool bidirectional, int channel) {
    ModelBuilder builder("net");
    builder.add(Input{sequence(3, 1)});
    builder.add(Recurrent{Cell::lstm, 1, bidirectional, false}, "lstm");
    const Model model = std::move(builder).build();
    Weights weights;
    for (const WeightShape& tensor : weight_shapes(model.output(), model))
      weights["lstm." + tensor.name] = {tensor.sizes, {0.1f, 0.2f, 0.3f, 0.4f}};
    const bool reversed = channel == 1;
    const FloatTensor output =
        infer(model, weights, {{{1, 3, 1}, reversed ? Floats{3, 2, 1} : Floats{1, 2, 3}}});
    const std::size_t width = bidirectional ? 2 : 1;
    return output.values[reversed ? 1 : 2 * width];
  };
  EXPECT_NEAR(last(true, 0), last(false, 0), kNear);
  EXPECT_NEAR(last(true, 1), last(false, 0), kNear);
}

TEST(Inference, RefusesInputsThatAreNotTheModels) {
  ModelBuilder builder("net");
  builder.add(Input{tokens(2, 3)}, "ids");
  builder.add(Embedding{1}, "table");
  const Model model = std::move(builder).build();
  const Weights weights{{"table.weight", {{3, 1}, {5, 6, 7}}}};
  const auto refusal = [&](const std::vector<FloatTensor>& inputs, const Weights& given) {
    try {
      infer(model, given, inputs);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(infer(model, weights, {{{1, 2}, {2, 0}}}).values, (Floats{7, 5}));
  EXPECT_THAT(refusal({{{1, 2}, {3, 0}}}, weights), HasSubstr("3 is no token id below 3"));
  EXPECT_THAT(refusal({{{1, 2}, {NAN, 0}}}, weights), HasSubstr("no token id"));
  EXPECT_THAT(refusal({{{1, 3}, {1, 0, 0}}}, weights), HasSubstr("input 'ids' must be"));
  EXPECT_THAT(refusal({{{1, 2}, {1}}}, weights), HasSubstr("input 'ids' must be"));
  EXPECT_THAT(refusal({}, weights), HasSubstr("needs inputs"));
  EXPECT_THAT(refusal({{{1, 2}, {1, 0}}, {{1, 2}, {1, 0}}}, weights), HasSubstr("1 inputs, not 2"));
  EXPECT_THAT(refusal({{{1, 2}, {1, 0}}}, {}), HasSubstr("'table.weight' is missing"));
}

}  // namespace
}  // namespace ampere
