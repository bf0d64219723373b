// A network that was written and read back computes what it did.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "../model/every_op.h"
#include "../onnx/support.h"
#include "../support/random_weights.h"
#include "ampere/error.h"
#include "ampere/model.h"
#include "train/inference.h"

namespace ampere {
namespace {

using namespace testing_support;

// How far outputs are from each other before and after, relative to the largest.
double disagreement(const Model& model, const Weights& weights, double least_spread = 0) {
  OnnxOptions options;
  options.weights = true;
  const OnnxImport import = import_text(onnx_bytes(model, weights), options);
  EXPECT_TRUE(import.model) << problems(import);
  if (!import.model) return NAN;
  const std::vector<FloatTensor> inputs = random_inputs(model, 2, 4);
  std::vector<FloatTensor> again = inputs;
  for (std::size_t i = 0, next = 0; i < import.model->layers().size(); ++i) {
    const Layer& layer = import.model->layers()[i];
    if (!std::holds_alternative<Input>(layer.op)) continue;
    const std::vector<std::int64_t> axes = layer.output.axes();
    again[next].sizes.assign(1, 2);  // the batch
    again[next].sizes.insert(again[next].sizes.end(), axes.begin(), axes.end());
    ++next;
  }
  const FloatTensor expected = infer(model, weights, inputs);
  EXPECT_GE(relative_spread(expected), least_spread) << "nothing to compare";
  return relative_difference(infer(*import.model, *import.weights, again).values, expected.values);
}

double disagreement(const Model& model) {
  return disagreement(model, random_weights(model, 3), 1e-3);
}

TEST(OnnxRoundTrip, ComputesTheSameForTheZoo) {
  for (const ZooEntry& entry : zoo()) {
    SCOPED_TRACE(entry.name);
    std::map<std::string, std::int64_t> options;
    for (const ZooOption& option : entry.options)
      if (option.key == "size") options["size"] = std::min<std::int64_t>(option.default_value, 64);
    const Model model = make_zoo_model(entry.name, options);
    EXPECT_LE(disagreement(with_widths(model, scaled_widths(model, 0.3))), 1e-5);
  }
}

// One operator that reads a tensor of this shape.
Model single(const Op& op, const TensorShape& shape) {
  ModelBuilder builder("single");
  builder.add(Input{shape}, "x");
  builder.add(op, "layer");
  return std::move(builder).build();
}

TEST(OnnxRoundTrip, ComputesTheSameForEveryFunction) {
  for (int i = 0; i <= static_cast<int>(Function::power); ++i) {
    const auto function = static_cast<Function>(i);
    if (function == Function::log) continue;  // not of negative numbers
    SCOPED_TRACE(op_name(Activation{function}));
    EXPECT_LE(disagreement(single(Activation{function}, image(2, 3, 4))), 1e-6);
  }
  EXPECT_LE(disagreement(single(Activation{Function::clip, {-0.5, 0.2}}, flat(9))), 0);
  EXPECT_LE(disagreement(single(Activation{Function::affine, {2, -1}}, flat(9))), 1e-6);
  EXPECT_LE(disagreement(single(Activation{Function::power, {3}}, flat(9))), 1e-6);
}

TEST(OnnxRoundTrip, ComputesTheSameForEveryKindOfLayer) {
  const TensorShape picture = image(4, 6, 5), signal = line(4, 9), text = sequence(7, 6);
  const std::vector<Model> models{
      single(ConvTranspose{6, {3, 2}, {2, 3}, {1, 0}, {1, 0}, {}, 2}, picture),
      single(grouped(6, 3, 2), signal),
      single(Recurrent{Cell::lstm, 5, true}, text),
      single(Recurrent{Cell::gru, 5, true, false}, text),
      single(SelfAttention{3, false}, text),
      single(LayerNorm{1e-3}, picture),
      single(LayerNorm{1e-3, false}, text),
      single(LayerNorm{1e-3, false}, picture),
      single(GroupNorm{2}, picture),
      single(GroupNorm{2, 1e-4, false}, signal),
      single(InstanceNorm{}, picture),
      single(InstanceNorm{1e-3, false}, signal),
      single(BatchNorm{}, flat(5)),
      single(Scale{true}, picture),
      single(Scale{}, text),
      single(PRelu{}, picture),
      single(PRelu{}, text),
      single(PRelu{true}, picture),
      single(Pool{Pooling::max, {3, 2}, {2, 2}, {1, 0}, true}, picture),
      single(Pool{Pooling::average, {3}, {2}, {1}, false, false}, signal),
      single(AdaptivePool{{3, 1}}, picture),
      single(AdaptivePool{{1, 1}, Pooling::max}, picture),
      single(Upsample{{13, 7}}, picture),
      single(Upsample{{13, 7}, Interpolation::linear}, picture),
      single(Upsample{{13, 7}, Interpolation::linear, true}, picture),
      single(Pad{{1, 0}, {2, 1}, -1}, picture),
      single(Slice{1, 1, 5, 2}, picture),
      single(Softmax{{}, true}, picture),
      single(Softmax{1}, text),
      single(Reduce{Reduction::sum, {1}}, picture),
      single(Reduce{Reduction::max, {0, 2}}, picture),
      single(Reduce{Reduction::l2, {1}}, text),
      single(Gather{1, 9}, picture),
      single(Gather{{}, 7}, picture),
      single(Gather{0, 4}, text),
      single(ChannelShuffle{2}, picture),
      single(FromSequence{{7}}, text),
      single(Permute{{2, 0, 1}}, picture),
      single(Expand{image(4, 3, 2)}, flat(4)),
      single(Reshape{tensor({2, 2, 30})}, picture),
      single(Linear{3}, tensor({2, 3, 4})),
      single(PositionEmbedding{}, text),
      single(ClassToken{}, text),
      every_op(),
      language_ops(),
      table_ops()};
  for (const Model& model : models) {
    SCOPED_TRACE(to_json(model));
    EXPECT_LE(disagreement(model), 2e-5);
  }
}

TEST(OnnxRoundTrip, ComputesTheSameWithParametersAndBroadcasts) {
  ModelBuilder builder("operands");
  const int x = builder.add(Input{image(3, 4, 5)}, "x");
  const int channel = builder.add(Parameter{flat(3)}, "channel");
  const int mask = builder.add(Parameter{tensor({4, 5}), false}, "mask");
  const int part = builder.add(Parameter{image(2, 4, 5)}, "part");
  const int scaled = builder.add(Multiply{}, {x, channel}, "scaled");
  const int masked = builder.add(Subtract{}, {scaled, mask}, "masked");
  const int mean = builder.add(Reduce{Reduction::mean, {1, 2}}, {x}, "mean");
  const int shifted = builder.add(Add{}, {masked, mean, x}, "shifted");
  const int joined = builder.add(Concat{}, {shifted, part}, "joined");
  const int turned = builder.add(Permute{{0, 2, 1}}, {joined}, "turned");
  builder.add(MatMul{}, {joined, turned}, "product");
  EXPECT_LE(disagreement(std::move(builder).build()), 2e-5);
}

// What is refused of them is one pool that has no equal windows.
TEST(OnnxRoundTrip, ComputesTheSameForNetworksOfOtherExporters) {
  int written = 0, refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(AMPERE_TEST_DATA "/onnx/small")) {
    if (entry.path().extension() != ".onnx") continue;
    SCOPED_TRACE(entry.path().filename().string());
    OnnxOptions options;
    options.weights = true;
    options.shapes["length"] = {6};
    const OnnxImport import = import_fixture("small/" + entry.path().filename().string(), options);
    ASSERT_TRUE(import.model) << problems(import);
    try {
      EXPECT_LE(disagreement(*import.model, import.weights.value()), 2e-5);
      ++written;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("windows of equal size"), std::string::npos)
          << error.what();
      ++refused;
    }
  }
  EXPECT_GT(written, 40);
  EXPECT_LE(refused, 2);
}

}  // namespace
}  // namespace ampere
