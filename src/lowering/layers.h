// What each operator of a network calls, as the worker for PyTorch builds it.
#pragma once

#include <map>
#include <string>

#include "ampere/model.h"
#include "lowering/eager.h"

namespace ampere::lowering {

struct LayerCall {
  Eager& eager;
  const Model& model;
  const Layer& layer;
  const Tensors& inputs;
  const std::map<std::string, Tensor>& weights;  // by their names within the layer
  std::int64_t batch = 1;
  bool training = true;
  bool fused_attention = true;
  std::string path;  // of the layer's module

  const Tensor& x() const { return inputs[0]; }
  const TensorShape& shape(std::size_t input = 0) const;  // of what is read, without the batch
  Sizes sizes(const TensorShape& shape) const;            // with the batch
  Tensor weight(const std::string& name) const;           // not defined when there is none
};

// The tensor that the layer gives. Throws Error(usage) when it cannot be lowered.
Tensor call_layer(const LayerCall& call);

// How many modules are called for the operator, and whether it is one itself.
int modules_in(const Op& op);

}  // namespace ampere::lowering
