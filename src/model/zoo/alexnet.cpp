// Krizhevsky 2014 ("one weird trick"): the single-column AlexNet that frameworks ship.
#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

void build_alexnet(ModelBuilder& net, const Options& options) {
  int at = square_input(net, 3, options.at("size"));
  at = conv_relu(net, at, {.out = 64, .kernel = 11, .stride = 4, .padding = 2}, "conv1");
  at = max_pool(net, at, {.kernel = 3, .stride = 2}, "pool1");
  at = conv_relu(net, at, {.out = 192, .kernel = 5}, "conv2");
  at = max_pool(net, at, {.kernel = 3, .stride = 2}, "pool2");
  at = conv_relu(net, at, {.out = 384, .kernel = 3}, "conv3");
  at = conv_relu(net, at, {.out = 256, .kernel = 3}, "conv4");
  at = conv_relu(net, at, {.out = 256, .kernel = 3}, "conv5");
  at = max_pool(net, at, {.kernel = 3, .stride = 2}, "pool5");
  shrink_to(net, at, 6, "shrink");
  net.add(Flatten{}, "flatten");
  for (const std::string name : {"fc1", "fc2"}) {
    net.add(Dropout{0.5}, name + ".dropout");
    net.add(Linear{4096}, name);
    net.add(Activation{Function::relu}, name + ".relu");
  }
  net.add(Linear{options.at("classes")}, "fc3");
}

}  // namespace

std::vector<Family> alexnet_networks() {
  return {{{"alexnet", "AlexNet in one column", image_options()}, build_alexnet}};
}

}  // namespace ampere::zoo_detail
