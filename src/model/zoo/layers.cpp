#include "model/zoo/layers.h"

#include <algorithm>
#include <utility>

namespace ampere::zoo_detail {
namespace {

Conv square_conv(const Square& shape) {
  const std::int64_t padding = shape.padding.value_or(shape.kernel / 2);
  return Conv{.out_channels = shape.out,
              .kernel = {shape.kernel, shape.kernel},
              .stride = {shape.stride, shape.stride},
              .padding = {padding, padding},
              .dilation = {1, 1},
              .bias = shape.bias};
}

}  // namespace

int square_input(ModelBuilder& net, std::int64_t channels, std::int64_t size) {
  return net.add(Input{image(channels, size, size)}, {}, "input");
}

int conv(ModelBuilder& net, int from, const Square& shape, const std::string& name) {
  return net.add(square_conv(shape), {from}, name);
}

int conv_relu(ModelBuilder& net, int from, const Square& shape, const std::string& name) {
  return activate(net, conv(net, from, shape, name), Function::relu, name + ".relu");
}

int conv_bn(ModelBuilder& net, int from, const Square& shape, const std::string& name) {
  Square unbiased = shape;
  unbiased.bias = false;
  const int convolved = conv(net, from, unbiased, name);
  return net.add(BatchNorm{}, {convolved}, name + ".bn");
}

int conv_bn_act(ModelBuilder& net, int from, const Square& shape, const std::string& name,
                Function function) {
  return activate(net, conv_bn(net, from, shape, name), function, name + ".act");
}

int depthwise_bn(ModelBuilder& net, int from, std::int64_t kernel, std::int64_t stride,
                 const std::string& name) {
  Conv op = square_conv({.kernel = kernel, .stride = stride, .bias = false});
  op.depthwise = true;
  const int convolved = net.add(std::move(op), {from}, name);
  return net.add(BatchNorm{}, {convolved}, name + ".bn");
}

int activate(ModelBuilder& net, int from, Function function, const std::string& name) {
  return net.add(Activation{function}, {from}, name);
}

int bn_relu(ModelBuilder& net, int from, const std::string& name) {
  return activate(net, net.add(BatchNorm{}, {from}, name), Function::relu, name + ".relu");
}

int max_pool(ModelBuilder& net, int from, const Square& window, const std::string& name,
             Rounding rounding) {
  const std::int64_t padding = window.padding.value_or(0);
  return net.add(Pool{.pooling = Pooling::max,
                      .kernel = {window.kernel, window.kernel},
                      .stride = {window.stride, window.stride},
                      .padding = {padding, padding},
                      .ceil = rounding == Rounding::up},
                 {from}, name);
}

int shrink_to(ModelBuilder& net, int from, std::int64_t extent, const std::string& name) {
  std::vector<std::int64_t> target = net.shape(from).extent;
  if (std::ranges::all_of(target, [&](std::int64_t now) { return now <= extent; })) return from;
  for (std::int64_t& axis : target) axis = std::min(axis, extent);
  return net.add(AdaptivePool{std::move(target)}, {from}, name);
}

int global_pool_classifier(ModelBuilder& net, int from, std::int64_t classes, double dropout) {
  net.add(AdaptivePool{{1, 1}}, {from}, "global_pool");
  net.add(Flatten{}, "flatten");
  if (dropout > 0.0) net.add(Dropout{dropout}, "dropout");
  return net.add(Linear{classes}, "fc");
}

}  // namespace ampere::zoo_detail
