#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "ampere/error.h"
#include "ampere/model.h"
#include "kernel_text.h"
#include "method/kernels/kernel.h"
#include "onnx/support.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing_support::import_fixture;
using testing_support::texts;
using testing_support::types;

bool costs_nothing(const Op& op) {
  return std::holds_alternative<Input>(op) || std::holds_alternative<Parameter>(op) ||
         std::holds_alternative<Dropout>(op) || std::holds_alternative<Flatten>(op) ||
         std::holds_alternative<Reshape>(op) || std::holds_alternative<Expand>(op);
}

void expect_partition(const Model& model, const std::vector<Kernel>& kernels) {
  std::vector<int> owners(model.layers().size());
  for (const Kernel& kernel : kernels) {
    EXPECT_TRUE(std::ranges::is_sorted(kernel.layers));
    for (const int layer : kernel.layers) ++owners.at(layer);
  }
  for (std::size_t i = 0; i < owners.size(); ++i) {
    EXPECT_LE(owners[i], 1) << model.layers()[i].name;
    if (!costs_nothing(model.layers()[i].op)) {
      EXPECT_EQ(owners[i], 1) << model.layers()[i].name;
    }
  }
}

void expect_round_trips(const Model& model, const std::vector<Kernel>& kernels) {
  for (Kernel kernel : kernels) {
    const std::vector<Kernel> again = kernels_of(kernel_model(kernel));
    ASSERT_EQ(again.size(), 1u) << kernel.type;
    // Alone, a layer has a weight of its own.
    if (std::ranges::any_of(kernel.layers,
                            [&](int layer) { return model.layers()[layer].shares >= 0; }))
      kernel.parameters = again.front().parameters;
    EXPECT_EQ(again.front(), kernel)
        << kernel.type << " " << to_string(kernel.config) << "\n"
        << again.front().type << " " << to_string(again.front().config);
  }
}

class EveryZooNetwork : public testing::TestWithParam<std::string> {};

TEST_P(EveryZooNetwork, HasEveryWorkingLayerInExactlyOneKernel) {
  const Model model = make_zoo_model(GetParam());
  const std::vector<Kernel> kernels = kernels_of(model);
  expect_partition(model, kernels);
  std::int64_t parameters = 0;
  for (const Kernel& kernel : kernels) parameters += kernel.parameters;
  EXPECT_EQ(parameters, count(model, 1).parameters);
}

TEST_P(EveryZooNetwork, HasKernelsThatAreThemselvesWhenAlone) {
  const Model model = make_zoo_model(GetParam());
  expect_round_trips(model, kernels_of(model));
}

std::vector<std::string> zoo_names() {
  std::vector<std::string> names;
  for (const ZooEntry& entry : zoo()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryZooNetwork, testing::ValuesIn(zoo_names()),
                         [](const auto& tested) { return tested.param; });

std::vector<std::string> onnx_files() {
  std::vector<std::string> files;
  const std::filesystem::path root = AMPERE_TEST_DATA "/onnx";
  for (const char* folder : {"networks", "small"})
    for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
      const std::string name = entry.path().filename();
      if (name.find(".onnx") != std::string::npos) files.push_back(folder + ("/" + name));
    }
  std::ranges::sort(files);
  return files;
}

TEST(Kernels, OfEveryOnnxFixtureHoldEveryWorkingLayerOnceAndStandAlone) {
  OnnxOptions options;
  options.shapes["length"] = {64};
  int imported = 0;
  const std::vector<std::string> files = onnx_files();
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    std::optional<Model> model;
    try {
      model = import_fixture(file, options).model;
    } catch (const Error&) {  // fixtures of what cannot be read
    }
    if (!model) continue;
    ++imported;
    const std::vector<Kernel> kernels = kernels_of(*model);
    expect_partition(*model, kernels);
    expect_round_trips(*model, kernels);
  }
  EXPECT_GT(imported, 80);
}

TEST(Kernels, OfAConvolutionWithBatchNormAndReluAreOne) {
  ModelBuilder net("net");
  net.add(Input{image(3, 224, 224)}, std::initializer_list<int>{});
  net.add(Conv{32, {3, 3}, {2, 2}, {1, 1}, {1, 1}, 1, false, false});
  net.add(BatchNorm{});
  net.add(Activation{Function::relu6});
  const std::vector<Kernel> kernels = kernels_of(std::move(net).build());
  EXPECT_THAT(texts(kernels),
              ElementsAre("conv+bn+relu HW=224, CIN=3, COUT=32, KERNEL_SIZE=3, STRIDES=2"));
  EXPECT_EQ(kernels[0].parameters, 32 * 27 + 64);
  EXPECT_GT(kernels[0].flops, 2 * 112 * 112 * 32 * 27);
  EXPECT_THAT(kernels[0].layers, ElementsAre(1, 2, 3));
}

TEST(Kernels, OfMobilenetAreTheOnesOfTheSource) {
  const std::vector<Model> networks{make_zoo_model("mobilenet_v2"),
                                    make_zoo_model("shufflenet_v2")};
  std::set<std::string> found;
  for (const Kernel& kernel : distinct_kernels(networks)) found.insert(kernel.type);
  EXPECT_THAT(
      found, ElementsAre("add", "channel-shuffle", "concat", "conv+bn", "conv+bn+relu", "dwconv+bn",
                         "dwconv+bn+relu", "fc", "global-avgpool", "maxpool", "split"));
}

TEST(Kernels, SayWhatIsUnusualAboutAWindow) {
  ModelBuilder net("net");
  net.add(Input{image(8, 20, 30)}, std::initializer_list<int>{});
  net.add(Conv{16, {5, 3}, {1, 2}, {0, 1}, {1, 1}, 2});
  net.add(Pool{Pooling::max, {3, 3}, {2, 2}, {1, 1}});
  EXPECT_THAT(
      texts(kernels_of(std::move(net).build())),
      ElementsAre("gconv HW=20, W=30, CIN=8, COUT=16, KERNEL_SIZE=5, KERNEL_W=3, STRIDES=1, "
                  "STRIDE_W=2, PADDING=0, PADDING_W=1, GROUPS=2",
                  "maxpool HW=16, W=15, CIN=16, KERNEL_SIZE=3, STRIDES=2, PADDING=1"));
}

TEST(Kernels, DoNotReachPastALayerThatIsReadTwice) {
  ModelBuilder net("net");
  net.add(Input{image(4, 8, 8)}, std::initializer_list<int>{});
  const int conv = net.add(Conv{4, {1, 1}, {1, 1}, {0, 0}, {1, 1}});
  const int relu = net.add(Activation{});
  net.add(Add{}, {conv, relu});
  net.add(Activation{});
  EXPECT_THAT(types(kernels_of(std::move(net).build())), ElementsAre("conv", "relu", "add+relu"));
}

TEST(Kernels, OfAConcatNameItsInputs) {
  ModelBuilder net("net");
  std::vector<int> inputs;
  for (const std::int64_t channels : {1, 2, 3, 4, 5, 6})
    inputs.push_back(net.add(Input{image(channels, 7, 7)}, std::initializer_list<int>{}));
  net.add(Concat{}, {inputs[1], inputs[3]});
  net.add(Concat{}, inputs);
  EXPECT_THAT(texts(kernels_of(std::move(net).build())),
              ElementsAre("concat HW=7, CIN1=2, CIN2=4",
                          "concat HW=7, CIN1=1, CIN2=2, CIN3=3, CIN4=4, CIN_REST=11, INPUTS=6"));
}

Model squeeze_excite(bool read_inside) {
  ModelBuilder net("net");
  const int data = net.add(Input{image(16, 14, 14)}, std::initializer_list<int>{});
  net.add(AdaptivePool{{1, 1}});
  net.add(Flatten{});
  net.add(Linear{4});
  const int inside = net.add(Activation{});
  net.add(Linear{16});
  const int gate = net.add(Activation{Function::sigmoid});
  const int product = net.add(Multiply{}, {data, gate});
  if (read_inside) {
    net.add(AdaptivePool{{1, 1}}, {product});
    net.add(Flatten{});
    const int flat = net.add(Linear{4});
    net.add(Add{}, {flat, inside});
  }
  return std::move(net).build();
}

TEST(Kernels, OfSqueezeAndExcitationAreOne) {
  EXPECT_THAT(texts(kernels_of(squeeze_excite(false))),
              ElementsAre("squeeze-excite HW=14, CIN=16"));
  FusionRules rules = default_fusion_rules();
  rules.squeeze_excite = false;
  EXPECT_THAT(types(kernels_of(squeeze_excite(false), rules)),
              ElementsAre("global-avgpool", "fc+relu", "fc", "sigmoid", "multiply"));
}

TEST(Kernels, OfSqueezeAndExcitationAreApartWhenSomethingInsideIsRead) {
  EXPECT_THAT(types(kernels_of(squeeze_excite(true))), testing::Contains("multiply"));
}

TEST(Kernels, OfSequencesSaySo) {
  ModelBuilder net("net");
  net.add(Input{tokens(12, 100)}, std::initializer_list<int>{});
  net.add(Embedding{32});
  net.add(SelfAttention{4});
  net.add(LayerNorm{});
  net.add(Recurrent{Cell::lstm, 24, true});
  net.add(Linear{10});
  net.add(Softmax{});
  EXPECT_THAT(
      texts(kernels_of(std::move(net).build())),
      ElementsAre("embedding@tokens T=12, VOCABULARY=100, COUT=32",
                  "self-attention@sequence T=12, CIN=32, HEADS=4",
                  "layer-norm@sequence T=12, CIN=32", "bilstm@sequence T=12, CIN=32, COUT=48",
                  "fc@sequence T=12, CIN=48, COUT=10", "softmax@sequence T=12, CIN=10"));
}

TEST(Kernels, TakeTheParametersTheyReadWithThem) {
  ModelBuilder net("net");
  const int data = net.add(Input{tensor({6, 8})}, std::initializer_list<int>{});
  const int weight = net.add(Parameter{tensor({8, 5})}, std::initializer_list<int>{});
  net.add(MatMul{}, {data, weight});
  const Model model = std::move(net).build();
  const std::vector<Kernel> kernels = kernels_of(model);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(count(kernel_model(kernels[0]), 1).parameters, 40);
  expect_round_trips(model, kernels);
}

TEST(Kernels, OfANetworkThatOnlyReshapesAreNone) {
  ModelBuilder net("net");
  net.add(Input{image(2, 3, 4)}, std::initializer_list<int>{});
  net.add(Dropout{});
  net.add(Flatten{});
  EXPECT_TRUE(kernels_of(std::move(net).build()).empty());
}

TEST(KernelType, IsReadHoweverOthersWriteIt) {
  for (const char* text : {"conv+bn+relu", "conv++bn++relu", "Conv-BN-ReLU", " conv_bn_relu "})
    EXPECT_EQ(canonical_kernel_type(text), "conv+bn+relu") << text;
  EXPECT_EQ(canonical_kernel_type("global-avgpool"), "global-avgpool");
  EXPECT_EQ(canonical_kernel_type("channel_shuffle"), "channel-shuffle");
  EXPECT_EQ(canonical_kernel_type("dwconv-bn-relu6"), "dwconv+bn+relu");
  EXPECT_EQ(canonical_kernel_type("SE"), "squeeze-excite");
  EXPECT_EQ(canonical_kernel_type("squeeze_excite"), "squeeze-excite");
  EXPECT_EQ(canonical_kernel_type("fc+relu@sequence"), "fc+relu@sequence");
  EXPECT_EQ(canonical_kernel_type("my-own"), "my-own");
  EXPECT_EQ(canonical_kernel_type(""), "");
}

}  // namespace
}  // namespace ampere
