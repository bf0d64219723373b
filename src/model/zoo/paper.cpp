// The small networks on which the method was first evaluated.
#include "model/zoo/families.h"
#include "model/zoo/layers.h"

namespace ampere::zoo_detail {
namespace {

void build_lenet5(ModelBuilder& net, const Options& options) {
  int at = square_input(net, 1, options.at("size"));
  at = conv_relu(net, at, {.out = 6, .kernel = 5}, "conv1");
  at = max_pool(net, at, {.kernel = 2, .stride = 2}, "pool1");
  at = conv_relu(net, at, {.out = 16, .kernel = 5, .padding = 0}, "conv2");
  at = max_pool(net, at, {.kernel = 2, .stride = 2}, "pool2");
  net.add(Flatten{}, "flatten");
  net.add(Linear{120}, "fc1");
  net.add(Activation{Function::relu}, "fc1.relu");
  net.add(Linear{84}, "fc2");
  net.add(Activation{Function::relu}, "fc2.relu");
  net.add(Linear{options.at("classes")}, "fc3");
}

void build_cnn5(ModelBuilder& net, const Options& options) {
  int at = square_input(net, 1, options.at("size"));
  at = conv_relu(net, at, {.out = 16, .kernel = 3}, "conv1");
  at = max_pool(net, at, {.kernel = 2, .stride = 2}, "pool1");
  at = conv_relu(net, at, {.out = 32, .kernel = 3}, "conv2");
  at = max_pool(net, at, {.kernel = 2, .stride = 2}, "pool2");
  at = conv_relu(net, at, {.out = 64, .kernel = 3}, "conv3");
  at = conv_relu(net, at, {.out = 128, .kernel = 3}, "conv4");
  net.add(Flatten{}, "flatten");
  net.add(Linear{options.at("classes")}, "fc");
}

// Convolution over time without padding, as a sensor window has no edge to extend.
void add_har_stage(ModelBuilder& net, std::int64_t channels, const std::string& number) {
  net.add(
      Conv{.out_channels = channels, .kernel = {9}, .stride = {1}, .padding = {0}, .dilation = {1}},
      "conv" + number);
  net.add(Activation{Function::relu}, "conv" + number + ".relu");
  net.add(Pool{.pooling = Pooling::max, .kernel = {2}, .stride = {2}, .padding = {0}},
          "pool" + number);
}

void build_har(ModelBuilder& net, const Options& options) {
  net.add(Input{line(9, options.at("length"))}, {}, "input");
  add_har_stage(net, 32, "1");
  add_har_stage(net, 64, "2");
  net.add(Flatten{}, "flatten");
  net.add(Linear{512}, "fc1");
  net.add(Activation{Function::relu}, "fc1.relu");
  net.add(Linear{options.at("classes")}, "fc2");
}

}  // namespace

std::vector<Family> paper_networks() {
  return {
      {{"lenet5", "LeNet-5 with ReLU and max pooling", image_options(28, 10)}, build_lenet5},
      {{"cnn5", "four 3x3 convolutions and one linear layer", image_options(28, 10)}, build_cnn5},
      {{"har",
        "1-D convolutions over a window of nine motion sensors",
        {{"length", 128, "samples in the window"}, {"classes", 6, "activities"}}},
       build_har},
  };
}

}  // namespace ampere::zoo_detail
