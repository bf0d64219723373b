// Weights, inputs and widths for networks of which only the structure matters.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "ampere/model.h"
#include "ampere/widths.h"

namespace ampere::testing_support {

inline float draw_between(std::mt19937& random, double low, double high) {
  return static_cast<float>(low + (high - low) * static_cast<double>(random()) / 4294967295.0);
}

inline std::size_t count_of(const std::vector<std::int64_t>& sizes) {
  std::size_t count = 1;
  for (const std::int64_t length : sizes) count *= static_cast<std::size_t>(length);
  return count;
}

// Such that signals neither fade nor drown in deep networks: rows as for ReLU (He et al. 2015),
// scales near 1, variances positive. `gain`: how much larger the rows are, for networks of which
// only a part is used.
// How many entries the indices of a layer choose from.
inline std::int64_t indexed_entries(const Layer& layer, const Model& model) {
  if (const auto* parameter = std::get_if<Parameter>(&layer.op)) return parameter->rows;
  const TensorShape& read = model.layers()[layer.inputs[0]].output;
  const auto& axis = std::get<Gather>(layer.op).axis;
  return axis ? read.axes()[static_cast<std::size_t>(*axis)] : read.channels;
}

inline Weights random_weights(const Model& model, unsigned seed, double gain = 1) {
  std::mt19937 random(seed);
  Weights weights;
  for (const Layer& layer : model.layers())
    for (const WeightShape& shape : weight_shapes(layer, model)) {
      FloatTensor tensor{shape.sizes, std::vector<float>(count_of(shape.sizes))};
      const double fan_in =
          static_cast<double>(tensor.values.size()) / static_cast<double>(shape.sizes[0]);
      const bool scale = shape.name == "weight" && shape.sizes.size() == 1;
      const double bound = shape.sizes.size() > 1 ? gain * std::sqrt(6 / fan_in) : 0.2;
      if (shape.name == "index") {
        const std::int64_t entries = indexed_entries(layer, model);
        for (float& value : tensor.values)
          value = static_cast<float>(random() % static_cast<unsigned>(entries));
        weights[layer.name + "." + shape.name] = std::move(tensor);
        continue;
      }
      for (float& value : tensor.values)
        value = scale || shape.name == "running_var" ? draw_between(random, 0.7, 1.4)
                                                     : draw_between(random, -bound, bound);
      weights[layer.name + "." + shape.name] = std::move(tensor);
    }
  return weights;
}

// One tensor for each input, token ids where they are asked for.
inline std::vector<FloatTensor> random_inputs(const Model& model, std::int64_t batch,
                                              unsigned seed) {
  std::mt19937 random(seed);
  std::vector<FloatTensor> inputs;
  for (const Layer& layer : model.layers()) {
    if (!std::holds_alternative<Input>(layer.op)) continue;
    FloatTensor tensor{layer.output.axes(), {}};
    tensor.sizes.insert(tensor.sizes.begin(), batch);
    tensor.values.resize(count_of(tensor.sizes));
    for (float& value : tensor.values)
      value = layer.output.layout == Layout::tokens
                  ? static_cast<float>(random() % static_cast<unsigned>(layer.output.channels))
                  : draw_between(random, -1, 1);
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

inline double largest(const std::vector<float>& values) {
  double most = 0;
  for (const float value : values)
    if (const double size = std::abs(static_cast<double>(value)); !(size <= most)) most = size;
  return most;
}

// The largest difference, relative to the largest number expected.
inline double relative_difference(const std::vector<float>& actual,
                                  const std::vector<float>& expected) {
  if (actual.size() != expected.size()) return INFINITY;
  std::vector<float> difference;
  for (std::size_t i = 0; i < actual.size(); ++i) difference.push_back(actual[i] - expected[i]);
  return largest(difference) / largest(expected);
}

// How much of a batch of two depends on the input: outputs that do not would agree whatever is
// computed.
inline double relative_spread(const FloatTensor& output) {
  const auto half = static_cast<std::ptrdiff_t>(output.values.size() / 2);
  return relative_difference({output.values.begin(), output.values.begin() + half},
                             {output.values.begin() + half, output.values.end()});
}

// Every free width near this share of what it is.
inline std::vector<std::int64_t> scaled_widths(const Model& model, double share) {
  std::vector<std::int64_t> widths;
  for (const ChannelGroup& group : free_widths(model)) {
    const auto steps = static_cast<std::int64_t>(share * static_cast<double>(group.value) /
                                                 static_cast<double>(group.multiple_of));
    widths.push_back(group.multiple_of * std::max<std::int64_t>(1, steps));
  }
  return widths;
}

inline std::vector<std::int64_t> own_widths(const Model& model) {
  std::vector<std::int64_t> widths;
  for (const ChannelGroup& group : free_widths(model)) widths.push_back(group.value);
  return widths;
}

}  // namespace ampere::testing_support
