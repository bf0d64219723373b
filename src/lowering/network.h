// A network with its weights, ready to be called: what the worker builds out of a model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ampere/model.h"
#include "ampere/train.h"
#include "lowering/eager.h"

namespace ampere::lowering {

class Network {
 public:
  // Throws Error(usage) for a network that cannot be trained with this batch.
  Network(Eager& eager, const Model& model, const Setup& setup);

  Tensor forward();
  const Tensors& learned() const { return learned_; }  // in PyTorch's order
  int module_calls() const { return module_calls_; }   // in one forward pass

 private:
  void make_weights(int index);
  Tensor make(const Sizes& sizes, ElementType element, bool learned);
  Tensor run(int index, const Tensors& outputs);
  Tensor read(int layer, std::int64_t batch, const Tensors& outputs);
  void name_modules();

  Eager& eager_;
  const Model& model_;
  const Setup& setup_;
  const bool training_;
  std::vector<std::map<std::string, Tensor>> weights_;  // by layer
  std::map<int, Tensor> inputs_;                        // by layer
  Tensors learned_;
  std::vector<std::string> paths_;     // of the module of each layer
  std::vector<int> last_use_;          // the last layer that reads each layer
  std::vector<std::int64_t> batches_;  // of each layer
  std::map<int, Tensor> repeated_;     // by layer: what is the same for all samples, for each one
  int module_calls_ = 1;
};

}  // namespace ampere::lowering
