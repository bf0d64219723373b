// The zoo against the figures that its networks are published with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "ampere/model.h"
#include "model/zoo/applications.h"

namespace ampere {
namespace {

using Options = std::map<std::string, std::int64_t>;

struct Published {
  std::string name;
  Options options;
  std::int64_t parameters;
  double giga_multiply_adds;
  double tolerance;  // half a unit of the last published digit
};

void PrintTo(const Published& published, std::ostream* out) { *out << published.name; }

class PublishedFigures : public testing::TestWithParam<Published> {};

TEST_P(PublishedFigures, HasThePublishedParameters) {
  const Model model = make_zoo_model(GetParam().name, GetParam().options);
  EXPECT_EQ(count(model, 1).parameters, GetParam().parameters);
}

TEST_P(PublishedFigures, HasThePublishedMultiplyAdds) {
  const Model model = make_zoo_model(GetParam().name, GetParam().options);
  EXPECT_NEAR(static_cast<double>(multiply_adds(model)) / 1e9, GetParam().giga_multiply_adds,
              GetParam().tolerance);
}

const Options kImageNet = {{"size", 224}};

INSTANTIATE_TEST_SUITE_P(Zoo, PublishedFigures,
                         testing::Values(Published{"resnet18", kImageNet, 11689512, 1.81, 0.005},
                                         Published{"resnet34", kImageNet, 21797672, 3.66, 0.005},
                                         Published{"resnet50", kImageNet, 25557032, 4.09, 0.005},
                                         Published{"resnet101", kImageNet, 44549160, 7.80, 0.005},
                                         Published{"vgg11", {}, 132863336, 7.61, 0.005},
                                         Published{"vgg16", {}, 138357544, 15.47, 0.005},
                                         Published{"alexnet", {}, 61100840, 0.71, 0.005},
                                         Published{"mobilenet_v1", {}, 4231976, 0.569, 0.0005},
                                         Published{"mobilenet_v2", {}, 3504872, 0.30, 0.005},
                                         Published{"proxylessnas", {}, 4080512, 0.32, 0.005},
                                         Published{"squeezenet", {}, 1248424, 0.82, 0.005},
                                         Published{"shufflenet_v2", {}, 2278604, 0.14, 0.005},
                                         Published{"googlenet", {}, 6624904, 1.50, 0.005},
                                         Published{"densenet121", {}, 7978856, 2.83, 0.005},
                                         Published{"vit_tiny", {}, 5717416, 1.3, 0.05},
                                         // 15,867,885 numbers in the published file, of which
                                         // 2 · 3,056 are running statistics; 6.97 G operations.
                                         Published{
                                             "tiny_yolo", {}, 15867885 - 2 * 3056, 3.485, 0.0025},
                                         // 24,908 with 9 · 128 running statistics; 5.4 M
                                         // operations.
                                         Published{"ds_cnn", {}, 24908 - 9 * 128, 0.0027, 5e-5}));

std::int64_t parameters(const std::string& name) {
  return count(make_zoo_model(name), 1).parameters;
}

TEST(Zoo, SmallImageResnetsHaveTheUsualParameters) {
  EXPECT_EQ(parameters("resnet18"), 11173962);
  EXPECT_EQ(parameters("resnet34"), 21282122);
  EXPECT_EQ(parameters("resnet50"), 23520842);
  EXPECT_EQ(parameters("resnet101"), 42512970);
}

// Layer by layer, with the two bias vectors that frameworks give a recurrent cell.
TEST(Zoo, OwnDefinitionsHaveTheParametersCountedByHand) {
  EXPECT_EQ(parameters("lenet5"), 156 + 2416 + 48120 + 10164 + 850);
  EXPECT_EQ(parameters("cnn5"), 160 + 4640 + 18496 + 73856 + 62730);
  EXPECT_EQ(parameters("har"), 2624 + 18496 + 852480 + 3078);
  EXPECT_EQ(parameters("conv_stack"), 1792 + 8 * 36928 + 650);
  EXPECT_EQ(parameters("lstm"), 6144 + 99328 + 132096 + 12384);
  EXPECT_EQ(parameters("gru"), 6144 + 74496 + 99072 + 12384);
  EXPECT_EQ(parameters("transformer"), 256000 + 4 * 789760 + 2570);
}

// The 12,464 weights that FSRCNN(56, 12, 4) is published with, and a bias and a slope per channel.
TEST(Zoo, SuperResolutionHasThePublishedWeights) {
  EXPECT_EQ(parameters("fsrcnn"), 12464 + (56 + 12 + 4 * 12 + 56 + 1) + (56 + 12 + 4 * 12 + 56));
}

// Convolutions without bias, two numbers per normalised channel, 2x2 convolutions upwards.
std::int64_t unet_parameters(std::int64_t width, std::int64_t classes) {
  const auto twice = [](std::int64_t in, std::int64_t out) {
    return 9 * in * out + 9 * out * out + 4 * out;
  };
  std::int64_t sum = width * classes + classes, before = 3;
  for (int level = 0; level <= 4; ++level, before = width, width *= 2) {
    sum += twice(before, width);
    if (level < 4) sum += 4 * (2 * width) * width + width + twice(2 * width, width);
  }
  return sum;
}

TEST(Zoo, SegmentationHasTheParametersCountedByHand) {
  EXPECT_EQ(parameters("unet"), unet_parameters(16, 21));
  EXPECT_EQ(count(make_zoo_model("unet", {{"width", 64}, {"classes", 2}}), 1).parameters,
            unet_parameters(64, 2));
}

TEST(Zoo, EveryLayerMoreOfAConvStackIsTheSameWork) {
  const auto work = [](std::int64_t layers) {
    return multiply_adds(make_zoo_model("conv_stack", {{"layers", layers}, {"width", 24}}));
  };
  for (const std::int64_t layers : {1, 2, 7})
    EXPECT_EQ(work(layers + 1) - work(layers), 32 * 32 * 9 * 24 * 24);
}

TEST(Zoo, VisionTransformerMultipliesWhatItsFormulaSays) {
  const std::int64_t t = 197, d = 192;
  const std::int64_t projections = 4 * t * d * d, scores = 2 * t * t * d, ffn = 8 * t * d * d;
  EXPECT_EQ(multiply_adds(make_zoo_model("vit_tiny")),
            196 * 3 * 16 * 16 * d + 12 * (projections + scores + ffn) + d * 1000);
}

TEST(Zoo, CoversEveryNetworkOfTheDefinition) {
  std::vector<std::string> names;
  for (const ZooEntry& entry : zoo()) names.push_back(entry.name);
  EXPECT_THAT(names,
              testing::UnorderedElementsAre(
                  "lenet5", "cnn5", "har", "conv_stack", "lstm", "gru", "transformer", "vit_tiny",
                  "resnet18", "resnet34", "resnet50", "resnet101", "vgg11", "vgg16", "alexnet",
                  "mobilenet_v1", "mobilenet_v2", "proxylessnas", "squeezenet", "shufflenet_v2",
                  "googlenet", "densenet121", "tiny_yolo", "unet", "fsrcnn", "ds_cnn"));
}

TEST(Zoo, ClassifiersGiveOneNumberAClass) {
  EXPECT_EQ(make_zoo_model("lenet5").output().output, flat(10));
  EXPECT_EQ(make_zoo_model("har").output().output, flat(6));
  EXPECT_EQ(make_zoo_model("conv_stack").output().output, flat(10));
  EXPECT_EQ(make_zoo_model("transformer").output().output, flat(10));
  EXPECT_EQ(make_zoo_model("resnet18").output().output, flat(10));
  EXPECT_EQ(make_zoo_model("resnet50", kImageNet).output().output, flat(1000));
  EXPECT_EQ(make_zoo_model("squeezenet").output().output, flat(1000));
  EXPECT_EQ(make_zoo_model("vit_tiny").output().output, flat(1000));
}

TEST(Zoo, ApplicationsAnswerInTheirOwnShapes) {
  EXPECT_EQ(make_zoo_model("tiny_yolo").output().output, image(5 * (5 + 20), 13, 13));
  EXPECT_EQ(make_zoo_model("unet").output().output, sequence(128 * 128, 21)) << "a row per pixel";
  EXPECT_EQ(make_zoo_model("fsrcnn").output().output, image(1, 192, 192));
  EXPECT_EQ(make_zoo_model("fsrcnn", {{"scale", 4}, {"size", 25}}).output().output,
            image(1, 100, 100));
  EXPECT_EQ(make_zoo_model("ds_cnn").output().output, flat(12));
}

// Pooling rounds odd extents down; what is missing is padded on the way up.
TEST(Zoo, SegmentationTakesImagesOfAnySize) {
  for (const std::int64_t size : {16, 37, 100, 127})
    EXPECT_EQ(make_zoo_model("unet", {{"size", size}}).output().output, sequence(size * size, 21));
}

TEST(Zoo, KnowsWhichNetworksAreApplications) {
  for (const Application& each : applications())
    EXPECT_EQ(application_of(make_zoo_model(each.network).name()), &each);
  ASSERT_NE(application_of("unet:size=64"), nullptr);
  EXPECT_EQ(application_of("unet:size=64")->name, "semantic segmentation");
  EXPECT_EQ(application_of("resnet18"), nullptr);
  EXPECT_EQ(application_of("unets"), nullptr);
  EXPECT_EQ(application_of(""), nullptr);
}

TEST(Zoo, LanguageModelsPredictATokenAtEveryPosition) {
  EXPECT_EQ(make_zoo_model("lstm").output().output, sequence(64, 96));
  EXPECT_EQ(make_zoo_model("gru").output().output, sequence(64, 96));
}

Layer layer_named(const Model& model, const std::string& name) {
  for (const Layer& layer : model.layers()) {
    if (layer.name == name) return layer;
  }
  throw std::out_of_range("no layer " + name);
}

TEST(Zoo, ExtentsInsideAreThePublishedOnes) {
  EXPECT_EQ(layer_named(make_zoo_model("lenet5"), "pool2").output, image(16, 5, 5));
  EXPECT_EQ(layer_named(make_zoo_model("cnn5"), "conv4").output, image(128, 7, 7));
  EXPECT_EQ(layer_named(make_zoo_model("har"), "pool2").output, line(64, 26));
  EXPECT_EQ(layer_named(make_zoo_model("squeezenet"), "pool8").output, image(512, 13, 13));
  EXPECT_EQ(layer_named(make_zoo_model("googlenet"), "pool4").output, image(832, 7, 7));
  EXPECT_EQ(layer_named(make_zoo_model("resnet18"), "stage4.1.relu").output, image(512, 4, 4));
  EXPECT_EQ(layer_named(make_zoo_model("vit_tiny"), "positions").output, sequence(197, 192));
}

TEST(Zoo, OnlyEncoderLayersAreModules) {
  for (const ZooEntry& entry : zoo()) {
    std::set<std::string> modules;
    const Model model = make_zoo_model(entry.name);
    for (const Layer& layer : model.layers()) {
      if (!layer.module.empty()) modules.insert(layer.module);
    }
    const std::size_t expected = entry.name == "transformer" ? 4
                                 : entry.name == "vit_tiny"  ? 12
                                                             : 0;
    EXPECT_EQ(modules.size(), expected) << entry.name;
  }
}

TEST(Zoo, PoolingOfTokensStandsOutsideTheEncoders) {
  EXPECT_EQ(layer_named(make_zoo_model("transformer"), "mean").module, "");
  EXPECT_EQ(layer_named(make_zoo_model("vit_tiny"), "select").module, "");
  EXPECT_EQ(layer_named(make_zoo_model("transformer"), "encoder3.norm2").module, "encoder3");
}

}  // namespace
}  // namespace ampere
