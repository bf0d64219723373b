// He et al. 2016, with the stride of a bottleneck on its 3x3 convolution as is now usual.
#include <array>

#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

// Images up to this size get the stem without downsampling that is used on CIFAR.
constexpr std::int64_t kLargestSmallImage = 64;

enum class Unit { basic, bottleneck };

struct Depth {
  Unit unit;
  std::array<int, 4> units;  // per stage
};

int add_branch(ModelBuilder& net, int from, Unit unit, std::int64_t width, std::int64_t stride,
               const std::string& name) {
  if (unit == Unit::basic) {
    const int first =
        conv_bn_act(net, from, {.out = width, .kernel = 3, .stride = stride}, name + ".conv1");
    return conv_bn(net, first, {.out = width, .kernel = 3}, name + ".conv2");
  }
  const int squeezed = conv_bn_act(net, from, {.out = width}, name + ".conv1");
  const int middle =
      conv_bn_act(net, squeezed, {.out = width, .kernel = 3, .stride = stride}, name + ".conv2");
  return conv_bn(net, middle, {.out = 4 * width}, name + ".conv3");
}

// The shortcut comes before the branch: so the addition always ends the branch's last convolution,
// and first units of a stage are made of the same kinds of block as all the others.
int add_unit(ModelBuilder& net, int from, Unit unit, std::int64_t width, std::int64_t stride,
             const std::string& name) {
  const std::int64_t channels = unit == Unit::basic ? width : 4 * width;
  int shortcut = from;
  if (stride != 1 || net.shape(from).channels != channels) {
    shortcut = conv_bn(net, from, {.out = channels, .stride = stride}, name + ".downsample");
  }
  const int branch = add_branch(net, from, unit, width, stride, name);
  const int sum = net.add(Add{}, {branch, shortcut}, name + ".add");
  return activate(net, sum, Function::relu, name + ".relu");
}

int add_resnet_stem(ModelBuilder& net, std::int64_t size) {
  const int input = square_input(net, 3, size);
  if (size <= kLargestSmallImage) {
    return conv_bn_act(net, input, {.out = 64, .kernel = 3}, "stem");
  }
  const int stem = conv_bn_act(net, input, {.out = 64, .kernel = 7, .stride = 2}, "stem");
  return max_pool(net, stem, {.kernel = 3, .stride = 2, .padding = 1}, "stem.pool");
}

void build_resnet(ModelBuilder& net, const Options& options, const Depth& depth) {
  const std::int64_t size = options.at("size");
  int at = add_resnet_stem(net, size);
  for (int stage = 0; stage < 4; ++stage) {
    for (int unit = 0; unit < depth.units[stage]; ++unit) {
      const std::int64_t stride = stage > 0 && unit == 0 ? 2 : 1;
      at = add_unit(net, at, depth.unit, std::int64_t{64} << stage, stride,
                    "stage" + std::to_string(stage + 1) + "." + std::to_string(unit));
    }
  }
  const bool published_classes = !options.given("classes") && size > kLargestSmallImage;
  global_pool_classifier(net, at, published_classes ? 1000 : options.at("classes"));
}

Family resnet(const std::string& layers, const Depth& depth) {
  const std::vector<ZooOption> options = {
      {"size", 32, "height and width of the image; over 64 with the ImageNet stem"},
      {"classes", 10, "classes; 1000 unless given when size is over 64"}};
  return {{"resnet" + layers, "ResNet-" + layers, options},
          [depth](ModelBuilder& net, const Options& chosen) { build_resnet(net, chosen, depth); }};
}

}  // namespace

std::vector<Family> resnet_networks() {
  return {resnet("18", {Unit::basic, {2, 2, 2, 2}}), resnet("34", {Unit::basic, {3, 4, 6, 3}}),
          resnet("50", {Unit::bottleneck, {3, 4, 6, 3}}),
          resnet("101", {Unit::bottleneck, {3, 4, 23, 3}})};
}

}  // namespace ampere::zoo_detail
