#include "train/footprint.h"

namespace ampere {
namespace {

constexpr double kBytesPerNumber = 4;

// Scores and softmax of every head: the one intermediate that grows with the square of the length.
double attention_numbers(const Layer& layer) {
  const auto* attention = std::get_if<SelfAttention>(&layer.op);
  if (!attention) return 0;
  const auto length = static_cast<double>(layer.output.positions());
  return 2 * static_cast<double>(attention->heads) * length * length;
}

// Beside the parameter: its gradient, and one momentum, or Adam's two moments and a square root.
double copies_of_a_parameter(const Setup& setup) {
  if (setup.phase == Phase::inference) return 1;
  if (setup.optimizer == Optimizer::plain_sgd) return 2;
  return setup.optimizer == Optimizer::sgd ? 3 : 5;
}

}  // namespace

double needed_bytes(const Model& model, const Setup& setup) {
  double parameters = 0;
  double kept = 0;  // by all samples
  for (const Layer& layer : model.layers()) {
    parameters += static_cast<double>(count(layer, model, 1).parameters);
    kept += static_cast<double>(layer.per_sample ? setup.batch : 1) *
            (static_cast<double>(layer.output.elements()) + attention_numbers(layer));
  }
  return kBytesPerNumber * (copies_of_a_parameter(setup) * parameters + kept);
}

}  // namespace ampere
