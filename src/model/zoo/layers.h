// The few groups of layers that the published networks repeat. Each function adds its layers behind
// layer `from` and returns the index of the last one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ampere/model.h"

namespace ampere::zoo_detail {

// A square convolution or window on an image.
struct Square {
  std::int64_t out = 0;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::optional<std::int64_t> padding = {};  // kernel / 2 unless said
  bool bias = true;
};

int square_input(ModelBuilder& net, std::int64_t channels, std::int64_t size);

int conv(ModelBuilder& net, int from, const Square& shape, const std::string& name);
int conv_relu(ModelBuilder& net, int from, const Square& shape, const std::string& name);

// With batch normalisation in place of a bias.
int conv_bn(ModelBuilder& net, int from, const Square& shape, const std::string& name);
int conv_bn_act(ModelBuilder& net, int from, const Square& shape, const std::string& name,
                Function function = Function::relu);
int depthwise_bn(ModelBuilder& net, int from, std::int64_t kernel, std::int64_t stride,
                 const std::string& name);

int activate(ModelBuilder& net, int from, Function function, const std::string& name);
int bn_relu(ModelBuilder& net, int from, const std::string& name);

enum class Rounding { down, up };
int max_pool(ModelBuilder& net, int from, const Square& window, const std::string& name,
             Rounding rounding = Rounding::down);

// Averages the image down to extent × extent where it is larger.
int shrink_to(ModelBuilder& net, int from, std::int64_t extent, const std::string& name);

// Global average pooling and the last linear layer.
int global_pool_classifier(ModelBuilder& net, int from, std::int64_t classes, double dropout = 0.0);

}  // namespace ampere::zoo_detail
