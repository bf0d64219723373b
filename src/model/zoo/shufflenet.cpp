// Ma et al. 2018, ShuffleNet v2 1.0x.
#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

// Pointwise, depthwise, pointwise: the side of a unit that works in either kind of unit.
int add_work(ModelBuilder& net, int from, std::int64_t half, std::int64_t stride,
             const std::string& name) {
  int at = conv_bn_act(net, from, {.out = half}, name + ".conv1");
  at = depthwise_bn(net, at, 3, stride, name + ".depthwise");
  return conv_bn_act(net, at, {.out = half}, name + ".conv2");
}

int join(ModelBuilder& net, int kept, int worked, const std::string& name) {
  net.add(Concat{}, {kept, worked}, name + ".concat");
  return net.add(ChannelShuffle{2}, name + ".shuffle");
}

int add_down_unit(ModelBuilder& net, int from, std::int64_t half, const std::string& name) {
  int kept = depthwise_bn(net, from, 3, 2, name + ".side.depthwise");
  kept = conv_bn_act(net, kept, {.out = half}, name + ".side.conv");
  return join(net, kept, add_work(net, from, half, 2, name), name);
}

int add_unit(ModelBuilder& net, int from, std::int64_t half, const std::string& name) {
  const int kept = net.add(Chunk{2, 0}, {from}, name + ".keep");
  const int rest = net.add(Chunk{2, 1}, {from}, name + ".rest");
  return join(net, kept, add_work(net, rest, half, 1, name), name);
}

void build_shufflenet_v2(ModelBuilder& net, const Options& options) {
  struct Stage {
    std::int64_t half;
    int units;
  };
  int at = square_input(net, 3, options.at("size"));
  at = conv_bn_act(net, at, {.out = 24, .kernel = 3, .stride = 2}, "stem");
  at = max_pool(net, at, {.kernel = 3, .stride = 2, .padding = 1}, "stem.pool");
  int number = 1;
  for (const Stage& stage : {Stage{58, 4}, Stage{116, 8}, Stage{232, 4}}) {
    const std::string name = "stage" + std::to_string(++number) + ".";
    at = add_down_unit(net, at, stage.half, name + "0");
    for (int unit = 1; unit < stage.units; ++unit) {
      at = add_unit(net, at, stage.half, name + std::to_string(unit));
    }
  }
  at = conv_bn_act(net, at, {.out = 1024}, "head");
  global_pool_classifier(net, at, options.at("classes"));
}

}  // namespace

std::vector<Family> shufflenet_networks() {
  return {{{"shufflenet_v2", "ShuffleNet v2 1.0x", image_options()}, build_shufflenet_v2}};
}

}  // namespace ampere::zoo_detail
