// One hidden block again and again: what a network costs with a layer more is what that layer does.
#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

void build_conv_stack(ModelBuilder& net, const Options& options) {
  const Square shape{.out = options.at("width"), .kernel = 3};
  int at = conv_relu(net, square_input(net, 3, options.at("size")), shape, "stem");
  for (std::int64_t layer = 1; layer <= options.at("layers"); ++layer) {
    at = conv_relu(net, at, shape, "conv" + std::to_string(layer));
  }
  global_pool_classifier(net, at, options.at("classes"));
}

std::vector<ZooOption> conv_stack_options() {
  std::vector<ZooOption> options = {{"width", 64, "channels of every convolution"},
                                    {"layers", 8, "convolutions after the first"}};
  for (const ZooOption& option : image_options(32, 10)) options.push_back(option);
  return options;
}

}  // namespace

std::vector<Family> conv_stack_networks() {
  return {{{"conv_stack", "equal 3x3 convolutions, for checking that costs add up",
            conv_stack_options()},
           build_conv_stack}};
}

}  // namespace ampere::zoo_detail
