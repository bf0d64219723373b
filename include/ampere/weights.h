// The numbers of a network's layers: what is learned, and the running statistics and constants that
// belong to it. They are needed where a network's outputs are compared; an estimate needs none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

// A tensor that a layer holds, laid out as PyTorch's own modules keep it.
struct WeightShape {
  std::string name;  // within the layer: "weight", "bias", "running_mean"
  std::vector<std::int64_t> sizes;
  bool learned = true;  // else a running statistic or a constant
};

// The tensors of one layer, in order (docs/model-format.md lists them by operator).
std::vector<WeightShape> weight_shapes(const Layer& layer, const Model& model);

struct FloatTensor {
  std::vector<std::int64_t> sizes;  // slowest axis first
  std::vector<float> values;
};

// By layer and tensor, joined with a dot: "conv1.weight".
using Weights = std::map<std::string, FloatTensor>;

// Throws Error(usage) naming all tensors that are missing, are not the model's, or have other sizes
// or another number of values than they should.
void check_weights(const Model& model, const Weights& weights);

}  // namespace ampere
