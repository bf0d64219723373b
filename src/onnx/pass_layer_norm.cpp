#include <optional>

#include "onnx/passes.h"

namespace ampere::onnx {
namespace {

// factor·x + offset, or x to a power, with these numbers.
const Activation* activation(const Draft& draft, int layer, Function function) {
  const auto* found = layer_as<Activation>(draft, layer);
  return found && found->function == function ? found : nullptr;
}

std::optional<double> exponent(const Draft& draft, int layer) {
  const Activation* power = activation(draft, layer, Function::power);
  if (!power) return std::nullopt;
  return power->parameters.empty() ? 2 : power->parameters[0];
}

// The mean over the channels of `of`.
bool is_mean(const Draft& draft, int layer, int of) {
  const auto* reduce = layer_as<Reduce>(draft, layer);
  if (!reduce || reduce->reduction != Reduction::mean || draft[layer].inputs[0] != of) return false;
  const TensorShape& shape = draft[of].shape;
  const int channels = shape.layout == Layout::tensor ? static_cast<int>(shape.extent.size()) - 1
                                                      : channel_axis(shape.layout);
  return reduce->axes == Dims{channels};
}

// x of x − mean(x).
std::optional<int> centred(const Draft& draft, int layer) {
  if (!layer_as<Subtract>(draft, layer)) return std::nullopt;
  const int x = draft[layer].inputs[0];
  if (!is_mean(draft, draft[layer].inputs[1], x)) return std::nullopt;
  return x;
}

// ε of mean((x − mean(x))²) + ε; the difference may be computed once or twice.
std::optional<double> variance_epsilon(const Draft& draft, int layer, int x) {
  const Activation* shifted = activation(draft, layer, Function::affine);
  if (!shifted || shifted->parameters.empty() || shifted->parameters[0] != 1) return std::nullopt;
  const int mean = draft[layer].inputs[0];
  if (!layer_as<Reduce>(draft, mean)) return std::nullopt;
  const int square = draft[mean].inputs[0];
  if (!is_mean(draft, mean, square) || exponent(draft, square) != 2.0) return std::nullopt;
  if (centred(draft, draft[square].inputs[0]) != x) return std::nullopt;
  return shifted->parameters[1];
}

struct Normalised {
  int x;
  double epsilon;
};

std::optional<Normalised> normalised(const Draft& draft, int layer) {
  const bool divides = layer_as<Divide>(draft, layer) != nullptr;
  if (!divides && !layer_as<Multiply>(draft, layer)) return std::nullopt;
  const std::optional<int> x = centred(draft, draft[layer].inputs[0]);
  const int root = draft[layer].inputs[1];
  if (!x) return std::nullopt;
  int inside = root;
  if (exponent(draft, root) == 0.5 && divides)
    inside = draft[root].inputs[0];
  else if (exponent(draft, root) == -0.5 && !divides)
    inside = draft[root].inputs[0];
  else if (exponent(draft, root) == -1.0 && !divides &&
           exponent(draft, draft[root].inputs[0]) == 0.5)
    inside = draft[draft[root].inputs[0]].inputs[0];
  else
    return std::nullopt;
  const std::optional<double> epsilon = variance_epsilon(draft, inside, *x);
  if (!epsilon) return std::nullopt;
  return Normalised{*x, *epsilon};
}

}  // namespace

void join_layer_norms(Draft& draft) {
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i) {
    if (draft[i].inputs.size() != 2) continue;
    const std::optional<Normalised> found = normalised(draft, i);
    if (!found) continue;
    draft[i].op = LayerNorm{found->epsilon, false};
    draft[i].inputs = {found->x};
  }
}

}  // namespace ampere::onnx
