// Networks as two exporters write them have the sizes they were published with.
#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

namespace ampere {
namespace {

using testing_support::import_fixture;
using testing_support::problems;

struct Published {
  const char* file;
  std::int64_t parameters;
  double multiply_adds_g;  // to two decimals
};

void PrintTo(const Published& published, std::ostream* out) { *out << published.file; }

class PublishedNetwork : public testing::TestWithParam<Published> {};

TEST_P(PublishedNetwork, HasItsParametersAndMultiplyAdds) {
  const std::string name = std::string("networks/") + GetParam().file + ".onnx.gz";
  const OnnxImport imported = import_fixture(name);
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(count(*imported.model, 1).parameters, GetParam().parameters);
  const double multiply_adds_g = static_cast<double>(multiply_adds(*imported.model)) / 1e9;
  EXPECT_NEAR(multiply_adds_g, GetParam().multiply_adds_g, 0.005);
}

INSTANTIATE_TEST_SUITE_P(
    Onnx, PublishedNetwork,
    testing::Values(Published{"alexnet.legacy", 61'100'840, 0.71},
                    Published{"alexnet.dynamo", 61'100'840, 0.71},
                    Published{"vgg11.legacy", 132'863'336, 7.61},
                    Published{"vgg11.dynamo", 132'863'336, 7.61},
                    Published{"vgg16.legacy", 138'357'544, 15.47},
                    Published{"vgg16.dynamo", 138'357'544, 15.47},
                    Published{"resnet18.legacy", 11'689'512, 1.81},
                    Published{"resnet18.legacy.train", 11'689'512, 1.81},
                    Published{"resnet18.legacy.dynamic", 11'689'512, 1.81},
                    Published{"resnet18.dynamo.plain", 11'689'512, 1.81},
                    Published{"resnet50.legacy", 25'557'032, 4.09},
                    Published{"resnet50.dynamo.plain", 25'557'032, 4.09},
                    Published{"squeezenet1_1.legacy", 1'235'496, 0.35},
                    Published{"squeezenet1_1.dynamo", 1'235'496, 0.35},
                    Published{"densenet121.legacy", 7'978'856, 2.83},
                    Published{"densenet121.dynamo.plain", 7'978'856, 2.83},
                    Published{"googlenet.legacy", 6'624'904, 1.50},
                    Published{"googlenet.dynamo.plain", 6'624'904, 1.50},
                    Published{"mobilenet_v2.legacy", 3'504'872, 0.30},
                    Published{"mobilenet_v2.dynamo.plain", 3'504'872, 0.30},
                    Published{"mobilenet_v3_small.legacy", 2'542'856, 0.06},
                    Published{"mobilenet_v3_small.dynamo.plain", 2'542'856, 0.06},
                    Published{"shufflenet_v2_x1_0.legacy", 2'278'604, 0.14},
                    Published{"shufflenet_v2_x1_0.dynamo.plain", 2'278'604, 0.14},
                    Published{"mnasnet1_0.legacy", 4'383'312, 0.31},
                    Published{"mnasnet1_0.dynamo.plain", 4'383'312, 0.31},
                    Published{"efficientnet_b0.legacy", 5'288'548, 0.39},
                    Published{"efficientnet_b0.dynamo.plain", 5'288'548, 0.39},
                    Published{"convnext_tiny.legacy", 28'589'128, 4.46},
                    Published{"convnext_tiny.dynamo", 28'589'128, 4.46},
                    Published{"vit_b_16.legacy", 86'567'656, 17.56},
                    Published{"vit_b_16.dynamo", 86'567'656, 17.56},
                    // In training mode: with dropout and stochastic depth written out.
                    Published{"mobilenet_v3_small.dynamo.train", 2'542'856, 0.06},
                    Published{"efficientnet_b0.legacy.train", 5'288'548, 0.39},
                    Published{"efficientnet_b0.dynamo.train", 5'288'548, 0.39},
                    Published{"convnext_tiny.legacy.train", 28'589'128, 4.46},
                    Published{"convnext_tiny.dynamo.train", 28'589'128, 4.46},
                    Published{"swin_v2_t.dynamo.train", 28'351'570, 4.94}));

struct Small {
  const char* file;
  std::int64_t parameters;     // as PyTorch counts them
  std::int64_t multiply_adds;  // of one sample
};

void PrintTo(const Small& small, std::ostream* out) { *out << small.file; }

class SmallTransformer : public testing::TestWithParam<Small> {};

TEST_P(SmallTransformer, InTrainingHasTheParametersThatPyTorchCounts) {
  const std::string name = std::string("networks/") + GetParam().file + ".train.onnx.gz";
  const OnnxImport imported = import_fixture(name);
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(count(*imported.model, 1).parameters, GetParam().parameters);
  EXPECT_EQ(multiply_adds(*imported.model), GetParam().multiply_adds);
}

// BERT and RoBERTa have a pooler (1056 parameters) that the first output does not read, so it is
// not counted. RoBERTa counts the positions of tokens that are not padding. The output layer of
// GPT-2 is tied to its embedding. Llama has four heads of queries and two of keys.
INSTANTIATE_TEST_SUITE_P(Onnx, SmallTransformer,
                         testing::Values(Small{"swin_small.legacy", 9'155, 223'280},
                                         Small{"swin_small.dynamo", 9'155, 223'280},
                                         Small{"bert.legacy", 22'464, 294'912},
                                         Small{"bert.dynamo", 22'464, 294'912},
                                         Small{"roberta.legacy", 22'464, 294'912},
                                         Small{"roberta.dynamo", 22'464, 294'912},
                                         Small{"gpt2.dynamo", 30'720, 477'184},
                                         Small{"llama.dynamo", 24'992, 378'880}));

// The optimizer of the exporter folds 20 normalisations of 4800 channels: their scales and shifts
// go, and each convolution gets a bias.
TEST(FoldedNetwork, IsTrainedAsTheConvolutionsItNowIs) {
  const OnnxImport imported = import_fixture("networks/resnet18.dynamo.onnx.gz");
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(count(*imported.model, 1).parameters, 11'689'512 - 4800);
  ASSERT_EQ(imported.notes.size(), 1u);
  EXPECT_NE(imported.notes[0].text.find("folded batch normalisation into 20 convolutions"),
            std::string::npos)
      << imported.notes[0].text;
}

}  // namespace
}  // namespace ampere
