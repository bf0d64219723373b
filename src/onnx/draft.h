// The network while it is being imported: layers as they come, with the constants they hold, and
// rearrangements that are not yet said in operators. Passes simplify it; `lower` makes the model.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ampere/layer.h"
#include "onnx/constant.h"
#include "onnx/view.h"

namespace ampere::onnx {

struct DraftLayer {
  Op op;
  std::vector<int> inputs;
  std::string name;
  std::string node_op;  // of the ONNX node it comes from
  TensorShape shape;    // what it gives
  std::map<std::string, Constant> weights;
  std::vector<Axis> arranged;  // of a rearrangement: each axis it gives, in terms of what it reads
  bool is_arrangement = false;
  std::string module;
};

struct Draft {
  std::vector<DraftLayer> layers;  // each after those it reads
  int output = -1;

  DraftLayer& operator[](int layer) { return layers[layer]; }
  const DraftLayer& operator[](int layer) const { return layers[layer]; }
};

template <class T>
const T* layer_as(const Draft& draft, int layer) {
  return draft[layer].is_arrangement ? nullptr : std::get_if<T>(&draft[layer].op);
}

// How many layers read each one; the output counts as read.
std::vector<int> readers(const Draft& draft);

}  // namespace ampere::onnx
