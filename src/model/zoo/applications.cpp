// Small networks of applications: detection, segmentation, super-resolution and keyword spotting.
// Classifiers of images are elsewhere in the zoo.
#include "model/zoo/applications.h"

#include <array>

#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere {
namespace zoo_detail {
namespace {

// Redmon and Farhadi 2017, the tiny network for VOC: every cell of the last image gives five boxes,
// each with four numbers, its confidence and a number per class.
constexpr std::int64_t kBoxes = 5, kNumbersOfABox = 5;

int add_leaky(ModelBuilder& net, int from, std::int64_t out, const std::string& name) {
  const int normed = conv_bn(net, from, {.out = out, .kernel = 3}, name);
  return net.add(Activation{Function::leaky_relu, {0.1}}, {normed}, name + ".act");
}

void build_tiny_yolo(ModelBuilder& net, const Options& options) {
  int at = square_input(net, 3, options.at("size"));
  std::int64_t width = 16;
  for (int stage = 1; stage <= 5; ++stage, width *= 2) {
    at = add_leaky(net, at, width, "conv" + std::to_string(stage));
    at = max_pool(net, at, {.kernel = 2, .stride = 2}, "pool" + std::to_string(stage));
  }
  at = add_leaky(net, at, 512, "conv6");
  // The last pooling keeps the extent: one row and one column are added behind.
  at = net.add(Pad{{0, 0}, {1, 1}}, {at}, "pad6");
  at = max_pool(net, at, {.kernel = 2, .stride = 1}, "pool6");
  at = add_leaky(net, at, 1024, "conv7");
  at = add_leaky(net, at, 1024, "conv8");
  conv(net, at, {.out = kBoxes * (kNumbersOfABox + options.at("classes"))}, "boxes");
}

// Ronneberger et al. 2015 with padding and batch normalisation, so that the answer has the extent
// of the image.
int add_double(ModelBuilder& net, int from, std::int64_t out, const std::string& name) {
  const int first = conv_bn_act(net, from, {.out = out, .kernel = 3}, name + ".1");
  return conv_bn_act(net, first, {.out = out, .kernel = 3}, name + ".2");
}

void build_unet(ModelBuilder& net, const Options& options) {
  constexpr int kLevels = 4;
  const std::int64_t width = options.at("width");
  int at = square_input(net, 3, options.at("size"));
  std::array<int, kLevels> passed{};
  for (int level = 0; level < kLevels; ++level) {
    const std::string number = std::to_string(level + 1);
    passed.at(level) = add_double(net, at, width << level, "down" + number);
    at = max_pool(net, passed.at(level), {.kernel = 2, .stride = 2}, "down" + number + ".pool");
  }
  at = add_double(net, at, width << kLevels, "bottom");
  for (int level = kLevels - 1; level >= 0; --level) {
    const std::string name = "up" + std::to_string(level + 1);
    const int skip = passed.at(level);
    at = net.add(ConvTranspose{.out_channels = width << level, .kernel = {2, 2}, .stride = {2, 2}},
                 {at}, name);
    // An odd extent was rounded down by the pooling: the missing row and column come back.
    const auto& now = net.shape(at).extent;
    const auto& wanted = net.shape(skip).extent;
    if (now != wanted)
      at = net.add(Pad{{0, 0}, {wanted[0] - now[0], wanted[1] - now[1]}}, {at}, name + ".pad");
    at = add_double(net, net.add(Concat{}, {skip, at}, name + ".concat"), width << level, name);
  }
  conv(net, at, {.out = options.at("classes")}, "head");
  // One row of classes per pixel, which cross-entropy reads.
  net.add(ToSequence{}, "pixels");
}

// Dong et al. 2016, FSRCNN(56, 12, 4): features, shrinking, mapping, expanding, and a transposed
// convolution that enlarges.
int add_prelu(ModelBuilder& net, int from, const Square& shape, const std::string& name) {
  return net.add(PRelu{}, {conv(net, from, shape, name)}, name + ".act");
}

void build_fsrcnn(ModelBuilder& net, const Options& options) {
  constexpr std::int64_t kFeatures = 56, kShrunk = 12;
  const std::int64_t scale = options.at("scale");
  int at = square_input(net, 1, options.at("size"));
  at = add_prelu(net, at, {.out = kFeatures, .kernel = 5}, "features");
  at = add_prelu(net, at, {.out = kShrunk}, "shrink");
  for (int i = 1; i <= 4; ++i)
    at = add_prelu(net, at, {.out = kShrunk, .kernel = 3}, "map" + std::to_string(i));
  at = add_prelu(net, at, {.out = kFeatures}, "expand");
  net.add(ConvTranspose{.out_channels = 1,
                        .kernel = {9, 9},
                        .stride = {scale, scale},
                        .padding = {4, 4},
                        .output_padding = {scale - 1, scale - 1}},
          {at}, "enlarge");
}

// Zhang et al. 2017, DS-CNN (small) as MLPerf Tiny has it: with biases in front of the
// normalisations.
constexpr std::int64_t kCoefficients = 10;  // per frame of sound

int add_normed(ModelBuilder& net, int from, Conv op, const std::string& name) {
  const int convolved = net.add(std::move(op), {from}, name);
  return bn_relu(net, convolved, name + ".bn");
}

void build_ds_cnn(ModelBuilder& net, const Options& options) {
  constexpr std::int64_t kWidth = 64;
  int at = net.add(Input{image(1, options.at("length"), kCoefficients)}, {}, "input");
  at = add_normed(net, at,
                  {.out_channels = kWidth,
                   .kernel = {10, 4},
                   .stride = {2, 2},
                   .padding = {5, 1},
                   .dilation = {1, 1}},
                  "conv1");
  at = net.add(Dropout{0.2}, {at}, "conv1.dropout");
  for (int i = 1; i <= 4; ++i) {
    const std::string name = "separable" + std::to_string(i);
    at = add_normed(net, at,
                    {.kernel = {3, 3},
                     .stride = {1, 1},
                     .padding = {1, 1},
                     .dilation = {1, 1},
                     .depthwise = true},
                    name + ".depthwise");
    at = add_normed(net, at,
                    {.out_channels = kWidth,
                     .kernel = {1, 1},
                     .stride = {1, 1},
                     .padding = {0, 0},
                     .dilation = {1, 1}},
                    name + ".pointwise");
  }
  at = net.add(Dropout{0.4}, {at}, "dropout");
  global_pool_classifier(net, at, options.at("classes"));
}

}  // namespace

std::vector<Family> application_networks() {
  return {
      {{"tiny_yolo", "detection: Tiny YOLO v2", image_options(416, 20)}, build_tiny_yolo},
      {{"unet",
        "segmentation: U-Net with batch normalisation, a class per pixel",
        {{"width", 16, "channels of the first level"},
         {"size", 128, "height and width of the image"},
         {"classes", 21, "classes"}}},
       build_unet},
      {{"fsrcnn",
        "super-resolution: FSRCNN(56, 12, 4) on one channel",
        {{"scale", 3, "how many times higher and wider the image becomes"},
         {"size", 64, "height and width of the image"}}},
       build_fsrcnn},
      {{"ds_cnn",
        "keyword spotting: DS-CNN, small, over frames of sound",
        {{"length", 49, "frames of ten coefficients"}, {"classes", 12, "words"}}},
       build_ds_cnn},
  };
}

}  // namespace zoo_detail

const std::vector<Application>& applications() {
  static const std::vector<Application> all{{"object detection", "tiny_yolo"},
                                            {"semantic segmentation", "unet"},
                                            {"super-resolution", "fsrcnn"},
                                            {"keyword spotting", "ds_cnn"}};
  return all;
}

const Application* application_of(std::string_view network) {
  const std::string_view family = network.substr(0, network.find(':'));
  for (const Application& each : applications())
    if (each.network == family) return &each;
  return nullptr;
}

}  // namespace ampere
