// Iandola et al. 2016, version 1.0.
#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

int add_fire(ModelBuilder& net, int from, std::int64_t squeeze, std::int64_t expand,
             const std::string& name) {
  const int squeezed = conv_relu(net, from, {.out = squeeze}, name + ".squeeze");
  const int narrow = conv_relu(net, squeezed, {.out = expand}, name + ".expand1");
  const int wide = conv_relu(net, squeezed, {.out = expand, .kernel = 3}, name + ".expand3");
  return net.add(Concat{}, {narrow, wide}, name + ".concat");
}

int add_pool(ModelBuilder& net, int from, const std::string& name) {
  return max_pool(net, from, {.kernel = 3, .stride = 2}, name, Rounding::up);
}

void build_squeezenet(ModelBuilder& net, const Options& options) {
  int at = square_input(net, 3, options.at("size"));
  at = conv_relu(net, at, {.out = 96, .kernel = 7, .stride = 2, .padding = 0}, "conv1");
  at = add_pool(net, at, "pool1");
  at = add_fire(net, at, 16, 64, "fire2");
  at = add_fire(net, at, 16, 64, "fire3");
  at = add_fire(net, at, 32, 128, "fire4");
  at = add_pool(net, at, "pool4");
  at = add_fire(net, at, 32, 128, "fire5");
  at = add_fire(net, at, 48, 192, "fire6");
  at = add_fire(net, at, 48, 192, "fire7");
  at = add_fire(net, at, 64, 256, "fire8");
  at = add_pool(net, at, "pool8");
  at = add_fire(net, at, 64, 256, "fire9");
  at = net.add(Dropout{0.5}, {at}, "dropout");
  conv_relu(net, at, {.out = options.at("classes")}, "conv10");
  net.add(AdaptivePool{{1, 1}}, "global_pool");
  net.add(Flatten{}, "flatten");
}

}  // namespace

std::vector<Family> squeezenet_networks() {
  return {{{"squeezenet", "SqueezeNet 1.0", image_options()}, build_squeezenet}};
}

}  // namespace ampere::zoo_detail
