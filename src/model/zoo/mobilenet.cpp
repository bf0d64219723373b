// Networks of depthwise convolutions: MobileNet (Howard et al. 2017), and MobileNet v2 (Sandler et
// al. 2018) and ProxylessNAS-Mobile (Cai et al. 2019), which share the inverted residual.
#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

struct InvertedResidual {
  std::int64_t out, expansion, kernel, stride;
};

int add_inverted_residual(ModelBuilder& net, int from, const InvertedResidual& unit,
                          const std::string& name) {
  const std::int64_t channels = net.shape(from).channels;
  int at = from;
  if (unit.expansion != 1) {
    at =
        conv_bn_act(net, at, {.out = channels * unit.expansion}, name + ".expand", Function::relu6);
  }
  at = depthwise_bn(net, at, unit.kernel, unit.stride, name + ".depthwise");
  at = activate(net, at, Function::relu6, name + ".depthwise.act");
  at = conv_bn(net, at, {.out = unit.out}, name + ".project");
  const bool residual = unit.stride == 1 && channels == unit.out;
  return residual ? net.add(Add{}, {from, at}, name + ".add") : at;
}

void build_inverted(ModelBuilder& net, const Options& options,
                    const std::vector<InvertedResidual>& units, double dropout) {
  int at = square_input(net, 3, options.at("size"));
  at = conv_bn_act(net, at, {.out = 32, .kernel = 3, .stride = 2}, "stem", Function::relu6);
  for (std::size_t i = 0; i < units.size(); ++i) {
    at = add_inverted_residual(net, at, units[i], "unit" + std::to_string(i + 1));
  }
  at = conv_bn_act(net, at, {.out = 1280}, "head", Function::relu6);
  global_pool_classifier(net, at, options.at("classes"), dropout);
}

void build_mobilenet_v2(ModelBuilder& net, const Options& options) {
  struct Stage {
    std::int64_t expansion, out;
    int units;
    std::int64_t stride;
  };
  std::vector<InvertedResidual> units;
  for (const Stage& stage :
       {Stage{1, 16, 1, 1}, Stage{6, 24, 2, 2}, Stage{6, 32, 3, 2}, Stage{6, 64, 4, 2},
        Stage{6, 96, 3, 1}, Stage{6, 160, 3, 2}, Stage{6, 320, 1, 1}}) {
    for (int i = 0; i < stage.units; ++i) {
      units.push_back({stage.out, stage.expansion, 3, i == 0 ? stage.stride : 1});
    }
  }
  build_inverted(net, options, units, 0.2);
}

void build_proxylessnas(ModelBuilder& net, const Options& options) {
  const std::vector<InvertedResidual> units = {
      {16, 1, 3, 1},                                                   //
      {32, 3, 5, 2},  {32, 3, 3, 1},                                   //
      {40, 3, 7, 2},  {40, 3, 3, 1},  {40, 3, 5, 1},  {40, 3, 5, 1},   //
      {80, 6, 7, 2},  {80, 3, 5, 1},  {80, 3, 5, 1},  {80, 3, 5, 1},   //
      {96, 6, 5, 1},  {96, 3, 5, 1},  {96, 3, 5, 1},  {96, 3, 5, 1},   //
      {192, 6, 7, 2}, {192, 6, 7, 1}, {192, 3, 7, 1}, {192, 3, 7, 1},  //
      {320, 6, 7, 1}};
  build_inverted(net, options, units, 0.0);
}

void build_mobilenet_v1(ModelBuilder& net, const Options& options) {
  struct Separable {
    std::int64_t out, stride;
  };
  int at = square_input(net, 3, options.at("size"));
  at = conv_bn_act(net, at, {.out = 32, .kernel = 3, .stride = 2}, "stem");
  int number = 0;
  for (const Separable& unit :
       {Separable{64, 1}, Separable{128, 2}, Separable{128, 1}, Separable{256, 2},
        Separable{256, 1}, Separable{512, 2}, Separable{512, 1}, Separable{512, 1},
        Separable{512, 1}, Separable{512, 1}, Separable{512, 1}, Separable{1024, 2},
        Separable{1024, 1}}) {
    const std::string name = "unit" + std::to_string(++number);
    at = depthwise_bn(net, at, 3, unit.stride, name + ".depthwise");
    at = activate(net, at, Function::relu, name + ".depthwise.act");
    at = conv_bn_act(net, at, {.out = unit.out}, name + ".pointwise");
  }
  global_pool_classifier(net, at, options.at("classes"));
}

}  // namespace

std::vector<Family> mobilenet_networks() {
  return {
      {{"mobilenet_v1", "MobileNet 1.0", image_options()}, build_mobilenet_v1},
      {{"mobilenet_v2", "MobileNet v2 1.0", image_options()}, build_mobilenet_v2},
      {{"proxylessnas", "ProxylessNAS-Mobile", image_options()}, build_proxylessnas},
  };
}

}  // namespace ampere::zoo_detail
