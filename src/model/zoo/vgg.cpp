// Simonyan and Zisserman 2015, without batch normalisation.
#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

// Convolutions of each width between two poolings.
using Stages = std::vector<std::vector<std::int64_t>>;

void build_vgg(ModelBuilder& net, const Options& options, const Stages& stages) {
  int at = square_input(net, 3, options.at("size"));
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    const std::string number = std::to_string(stage + 1);
    for (std::size_t i = 0; i < stages[stage].size(); ++i) {
      at = conv_relu(net, at, {.out = stages[stage][i], .kernel = 3},
                     "conv" + number + "_" + std::to_string(i + 1));
    }
    at = max_pool(net, at, {.kernel = 2, .stride = 2}, "pool" + number);
  }
  shrink_to(net, at, 7, "shrink");
  net.add(Flatten{}, "flatten");
  for (const std::string name : {"fc1", "fc2"}) {
    net.add(Linear{4096}, name);
    net.add(Activation{Function::relu}, name + ".relu");
    net.add(Dropout{0.5}, name + ".dropout");
  }
  net.add(Linear{options.at("classes")}, "fc3");
}

Family vgg(const std::string& layers, const Stages& stages) {
  return {{"vgg" + layers, "VGG-" + layers + " without batch normalisation", image_options()},
          [stages](ModelBuilder& net, const Options& options) { build_vgg(net, options, stages); }};
}

}  // namespace

std::vector<Family> vgg_networks() {
  return {vgg("11", {{64}, {128}, {256, 256}, {512, 512}, {512, 512}}),
          vgg("16", {{64, 64}, {128, 128}, {256, 256, 256}, {512, 512, 512}, {512, 512, 512}})};
}

}  // namespace ampere::zoo_detail
