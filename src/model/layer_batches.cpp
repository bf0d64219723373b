#include "model/layer_batches.h"

namespace ampere {

std::vector<std::int64_t> layer_batches(const Model& model, std::int64_t batch) {
  std::vector<bool> computed_with(model.layers().size(), false);
  for (const Layer& layer : model.layers())
    if (!layer.per_sample)
      for (const int input : layer.inputs) computed_with[input] = true;
  std::vector<std::int64_t> batches;
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    const Layer& layer = model.layers()[i];
    const bool repeated = layer.per_sample || (layer.inputs.empty() && !computed_with[i]);
    batches.push_back(repeated ? batch : 1);
  }
  return batches;
}

}  // namespace ampere
