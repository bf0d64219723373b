#include <algorithm>

#include "onnx/passes.h"

namespace ampere::onnx {
namespace {

// The parameter of a sum of two, learned and one number a channel, and the other operand.
struct Sum {
  int parameter = -1, other = -1;
};

// One number for each place on the last axis of a tensor, which is what a linear layer gives there.
bool is_along_last(const TensorShape& shape, const TensorShape& whole) {
  return shape.layout == Layout::tensor && whole.layout == Layout::tensor &&
         shape.extent.back() == whole.extent.back() && shape.elements() == shape.extent.back();
}

Sum sum_of(const Draft& draft, int layer) {
  if (!layer_as<Add>(draft, layer) || draft[layer].inputs.size() != 2) return {};
  for (const int which : {0, 1}) {
    const int parameter = draft[layer].inputs[which], other = draft[layer].inputs[1 - which];
    const Parameter* found = layer_as<Parameter>(draft, parameter);
    if (!found || !found->learned || found->rows > 0) continue;
    if (found->shape.layout == Layout::flat ||
        (layer_as<Linear>(draft, other) && is_along_last(found->shape, draft[other].shape)))
      return {parameter, other};
  }
  return {};
}

bool take_bias(DraftLayer& layer) {
  const auto take = [](auto* op) {
    if (!op || op->bias) return false;
    op->bias = true;
    return true;
  };
  return take(std::get_if<Conv>(&layer.op)) || take(std::get_if<Linear>(&layer.op)) ||
         take(std::get_if<ConvTranspose>(&layer.op)) || take(std::get_if<Scale>(&layer.op));
}

bool take_affine(DraftLayer& layer) {
  const auto take = [](auto* op) {
    if (!op || op->affine) return false;
    op->affine = true;
    return true;
  };
  return take(std::get_if<LayerNorm>(&layer.op)) || take(std::get_if<GroupNorm>(&layer.op)) ||
         take(std::get_if<InstanceNorm>(&layer.op));
}

}  // namespace

void join_biases(Draft& draft) {
  const std::vector<int> read = readers(draft);
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i) {
    const Sum sum = sum_of(draft, i);
    if (sum.parameter < 0 || read[sum.other] != 1 || draft[sum.other].is_arrangement) continue;
    DraftLayer biased = draft[sum.other];
    if (!take_bias(biased)) continue;
    const Constant& bias = draft[sum.parameter].weights.at("value");
    biased.weights["bias"] = reshaped(bias, {bias.elements()});
    draft[i] = std::move(biased);
  }
}

void join_scales(Draft& draft) {
  const std::vector<int> read = readers(draft);
  for (int i = 0; i < static_cast<int>(draft.layers.size()); ++i) {
    const Scale* scale = layer_as<Scale>(draft, i);
    if (!scale || read[draft[i].inputs[0]] != 1 || draft[draft[i].inputs[0]].is_arrangement)
      continue;
    DraftLayer norm = draft[draft[i].inputs[0]];
    if (!take_affine(norm)) continue;
    norm.weights = draft[i].weights;
    if (!scale->bias) norm.weights["bias"] = filled({norm.weights["weight"].elements()}, 0);
    draft[i] = std::move(norm);
  }
}

}  // namespace ampere::onnx
