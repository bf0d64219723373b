// From the draft to the model: rearrangements said in operators, layers in the zoo's order.
#pragma once

#include "ampere/onnx.h"
#include "onnx/draft.h"

namespace ampere::onnx {

struct Lowered {
  std::optional<Model> model;
  std::vector<OnnxProblem> problems;
  std::vector<int> layer_of;             // of the model's layers: the draft's, -1 in between
  std::vector<std::string> input_names;  // in the order of the model's inputs
};

Lowered lower(const Draft& draft, const std::string& name);

// The numbers of all layers; nothing when some are not in the file. Throws Unsupported when they
// do not fit.
std::optional<Weights> read_weights(const Draft& draft, const Lowered& lowered);

}  // namespace ampere::onnx
