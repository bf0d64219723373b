// Imported networks with their weights give what the exporter's own framework gave, and can be
// trained on.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "../onnx/support.h"
#include "ampere/onnx.h"
#include "base/json.h"
#include "base/text.h"
#include "train/inference.h"
#include "train/torch_trainer.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;
using testing_support::import_fixture;
using testing_support::problems;

constexpr double kTolerance = 1e-4;

FloatTensor read_tensor(const Json& json) {
  return {json.at("shape").get<std::vector<std::int64_t>>(),
          json.at("values").get<std::vector<float>>()};
}

// The numbers of a tensor in the order of other axes; axis 0, the batch, stays.
FloatTensor reordered(const FloatTensor& tensor, const std::vector<std::int64_t>& order) {
  const std::size_t rank = tensor.sizes.size();
  std::vector<std::size_t> axes{0};
  for (const std::int64_t axis : order) axes.push_back(static_cast<std::size_t>(axis) + 1);
  std::vector<std::size_t> stride(rank, 1);
  for (std::size_t i = rank; i-- > 1;)
    stride[i - 1] = stride[i] * static_cast<std::size_t>(tensor.sizes[i]);
  FloatTensor result;
  for (const std::size_t axis : axes) result.sizes.push_back(tensor.sizes[axis]);
  std::vector<std::int64_t> at(rank, 0);
  for (std::size_t n = 0; n < tensor.values.size(); ++n) {
    std::size_t from = 0;
    for (std::size_t i = 0; i < rank; ++i)
      from += static_cast<std::size_t>(at[i]) * stride[axes[i]];
    result.values.push_back(tensor.values[from]);
    for (std::size_t i = rank; i-- > 0 && ++at[i] == result.sizes[i];) at[i] = 0;
  }
  return result;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a[i]) - b[i]);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

struct Recording {
  std::vector<FloatTensor> inputs;
  FloatTensor output;
};

// "small/conv.legacy.onnx" was recorded in "small/conv.json".
Recording recording_of(const std::string& fixture) {
  const std::string path =
      AMPERE_TEST_DATA "/onnx/" + fixture.substr(0, fixture.find('.')) + ".json";
  const Json json = parse_json(read_text_file(path), path);
  Recording recording;
  for (const Json& input : json.at("inputs")) recording.inputs.push_back(read_tensor(input));
  recording.output = read_tensor(json.at("output"));
  return recording;
}

// With weights, for inputs like the recorded ones: some files leave the length of a sequence open.
OnnxImport import_like(const std::string& fixture, const Recording& recording) {
  OnnxOptions options;
  options.weights = true;
  options.shapes["length"] = {recording.inputs.at(0).sizes.at(1)};
  return import_fixture(fixture, options);
}

// How far the outputs are from those recorded.
double disagreement(const OnnxImport& import, const Recording& recording) {
  std::vector<FloatTensor> inputs;
  for (std::size_t i = 0; i < recording.inputs.size(); ++i)
    inputs.push_back(reordered(recording.inputs[i], import.inputs.at(i).order));
  const FloatTensor output = infer(import.model.value(), import.weights.value(), inputs);
  EXPECT_EQ(output.values.size(), recording.output.values.size());
  return largest_difference(output.values, recording.output.values);
}

std::vector<std::string> fixtures(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(AMPERE_TEST_DATA) / "onnx" / folder))
    if (entry.path().extension() == ".onnx")
      names.push_back(folder + "/" + entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

// One program start loads LibTorch for all of them.
void for_each_fixture(const std::vector<std::string>& names,
                      const std::function<void(const std::string&)>& claim) {
  EXPECT_FALSE(names.empty());
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    try {
      claim(name);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

class OnnxAgreement : public testing::TestWithParam<std::string> {};

TEST_P(OnnxAgreement, IsWithinRounding) {
  for_each_fixture(fixtures(GetParam()), [](const std::string& name) {
    const Recording recording = recording_of(name);
    const OnnxImport import = import_like(name, recording);
    ASSERT_TRUE(import.model) << problems(import);
    EXPECT_LE(disagreement(import, recording), kTolerance);
  });
}

INSTANTIATE_TEST_SUITE_P(Fixtures, OnnxAgreement, testing::Values("small", "opsets"),
                         [](const auto& entry) { return entry.param; });

TEST(OnnxDisagreement, IsSeenWhenOneWeightChanges) {
  const std::string name = "small/conv.legacy.onnx";
  const Recording recording = recording_of(name);
  OnnxImport import = import_like(name, recording);
  import.weights.value().begin()->second.values.at(0) += 1;
  EXPECT_GT(disagreement(import, recording), 10 * kTolerance);
}

TEST(OnnxTraining, ReachesEveryWeightOfSmallNetworks) {
  for_each_fixture(fixtures("small"), [](const std::string& name) {
    const OnnxImport import = import_like(name, recording_of(name));
    ASSERT_TRUE(import.model) << problems(import);
    const TrainingCheck check = check_training(*import.model, {2}, "cpu", 0.01, 1);
    EXPECT_THAT(check.untrained, testing::IsEmpty());
  });
}

// Of the published ones, those that train in a moment.
TEST(OnnxTraining, ReachesEveryWeightOfPublishedNetworks) {
  const std::vector<std::string> names{
      "networks/mobilenet_v3_small.legacy.onnx.gz", "networks/shufflenet_v2_x1_0.legacy.onnx.gz",
      "networks/squeezenet1_1.dynamo.onnx.gz",      "networks/zoo_transformer.dynamo.onnx.gz",
      "networks/zoo_lstm.legacy.onnx.gz",           "networks/zoo_vit_tiny.dynamo.onnx.gz",
      "networks/swin_small.legacy.train.onnx.gz",   "networks/swin_small.dynamo.train.onnx.gz",
      "networks/bert.legacy.train.onnx.gz",         "networks/bert.dynamo.train.onnx.gz",
      "networks/roberta.legacy.train.onnx.gz",      "networks/roberta.dynamo.train.onnx.gz",
      "networks/gpt2.dynamo.train.onnx.gz",         "networks/llama.dynamo.train.onnx.gz"};
  for_each_fixture(names, [](const std::string& name) {
    const OnnxImport import = import_fixture(name);
    ASSERT_TRUE(import.model) << problems(import);
    const TrainingCheck check = check_training(*import.model, {2}, "cpu", 0.01, 1);
    EXPECT_THAT(check.untrained, testing::IsEmpty());
    EXPECT_TRUE(std::isfinite(check.losses.at(0)));
  });
}

}  // namespace
}  // namespace ampere
