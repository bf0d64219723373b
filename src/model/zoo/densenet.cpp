// Huang et al. 2017, DenseNet-BC: every layer of a dense block sees the outputs of all before it.
#include <array>

#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

constexpr std::int64_t kGrowth = 32;

int add_dense_layer(ModelBuilder& net, int from, const std::string& name) {
  int at = bn_relu(net, from, name + ".norm");
  at = conv_bn_act(net, at, {.out = 4 * kGrowth}, name + ".bottleneck");
  at = conv(net, at, {.out = kGrowth, .kernel = 3, .bias = false}, name + ".conv");
  return net.add(Concat{}, {from, at}, name + ".concat");
}

int add_transition(ModelBuilder& net, int from, const std::string& name) {
  const std::int64_t half = net.shape(from).channels / 2;
  const int normed = bn_relu(net, from, name + ".norm");
  conv(net, normed, {.out = half, .bias = false}, name + ".conv");
  return net.add(
      Pool{.pooling = Pooling::average, .kernel = {2, 2}, .stride = {2, 2}, .padding = {0, 0}},
      name + ".pool");
}

void build_densenet121(ModelBuilder& net, const Options& options) {
  constexpr std::array<int, 4> kLayers = {6, 12, 24, 16};
  int at = square_input(net, 3, options.at("size"));
  at = conv_bn_act(net, at, {.out = 2 * kGrowth, .kernel = 7, .stride = 2}, "stem");
  at = max_pool(net, at, {.kernel = 3, .stride = 2, .padding = 1}, "stem.pool");
  for (std::size_t block = 0; block < kLayers.size(); ++block) {
    const std::string number = std::to_string(block + 1);
    if (block > 0) at = add_transition(net, at, "transition" + std::to_string(block));
    for (int layer = 1; layer <= kLayers[block]; ++layer) {
      at = add_dense_layer(net, at, "dense" + number + "." + std::to_string(layer));
    }
  }
  global_pool_classifier(net, bn_relu(net, at, "norm"), options.at("classes"));
}

}  // namespace

std::vector<Family> densenet_networks() {
  return {{{"densenet121", "DenseNet-121", image_options()}, build_densenet121}};
}

}  // namespace ampere::zoo_detail
