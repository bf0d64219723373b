// Szegedy et al. 2015 (GoogLeNet) as it is trained today: batch normalisation, no auxiliary heads,
// and a 3x3 convolution where the paper has 5x5, as the weights in circulation have.
#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

struct Inception {
  std::int64_t direct;
  std::int64_t reduce3, out3;
  std::int64_t reduce5, out5;
  std::int64_t pooled;
};

int add_inception(ModelBuilder& net, int from, const Inception& widths, const std::string& name) {
  const int direct = conv_bn_act(net, from, {.out = widths.direct}, name + ".direct");
  int three = conv_bn_act(net, from, {.out = widths.reduce3}, name + ".reduce3");
  three = conv_bn_act(net, three, {.out = widths.out3, .kernel = 3}, name + ".conv3");
  int five = conv_bn_act(net, from, {.out = widths.reduce5}, name + ".reduce5");
  five = conv_bn_act(net, five, {.out = widths.out5, .kernel = 3}, name + ".conv5");
  int pooled =
      max_pool(net, from, {.kernel = 3, .stride = 1, .padding = 1}, name + ".pool", Rounding::up);
  pooled = conv_bn_act(net, pooled, {.out = widths.pooled}, name + ".pooled");
  return net.add(Concat{}, {direct, three, five, pooled}, name + ".concat");
}

int add_stem(ModelBuilder& net, std::int64_t size) {
  int at = square_input(net, 3, size);
  at = conv_bn_act(net, at, {.out = 64, .kernel = 7, .stride = 2}, "conv1");
  at = max_pool(net, at, {.kernel = 3, .stride = 2}, "pool1", Rounding::up);
  at = conv_bn_act(net, at, {.out = 64}, "conv2");
  at = conv_bn_act(net, at, {.out = 192, .kernel = 3}, "conv3");
  return max_pool(net, at, {.kernel = 3, .stride = 2}, "pool2", Rounding::up);
}

void build_googlenet(ModelBuilder& net, const Options& options) {
  int at = add_stem(net, options.at("size"));
  at = add_inception(net, at, {64, 96, 128, 16, 32, 32}, "inception3a");
  at = add_inception(net, at, {128, 128, 192, 32, 96, 64}, "inception3b");
  at = max_pool(net, at, {.kernel = 3, .stride = 2}, "pool3", Rounding::up);
  at = add_inception(net, at, {192, 96, 208, 16, 48, 64}, "inception4a");
  at = add_inception(net, at, {160, 112, 224, 24, 64, 64}, "inception4b");
  at = add_inception(net, at, {128, 128, 256, 24, 64, 64}, "inception4c");
  at = add_inception(net, at, {112, 144, 288, 32, 64, 64}, "inception4d");
  at = add_inception(net, at, {256, 160, 320, 32, 128, 128}, "inception4e");
  at = max_pool(net, at, {.kernel = 2, .stride = 2}, "pool4", Rounding::up);
  at = add_inception(net, at, {256, 160, 320, 32, 128, 128}, "inception5a");
  at = add_inception(net, at, {384, 192, 384, 48, 128, 128}, "inception5b");
  global_pool_classifier(net, at, options.at("classes"), 0.2);
}

}  // namespace

std::vector<Family> inception_networks() {
  return {{{"googlenet", "GoogLeNet with batch normalisation, without auxiliary heads",
            image_options()},
           build_googlenet}};
}

}  // namespace ampere::zoo_detail
