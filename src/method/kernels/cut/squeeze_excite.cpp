#include "method/kernels/cut/squeeze_excite.h"

#include <algorithm>

#include "method/kernels/cut/operators.h"

namespace ampere {
namespace {

bool is_gate(const Op& op) {
  const auto* activation = std::get_if<Activation>(&op);
  return activation != nullptr && (activation->function == Function::sigmoid ||
                                   activation->function == Function::hard_sigmoid);
}

bool is_activation(const Op& op) { return std::holds_alternative<Activation>(op); }

// A linear layer over the channels, written either way.
bool is_dense(const Op& op) {
  if (const auto* conv = std::get_if<Conv>(&op))
    return conv->groups == 1 && !conv->depthwise &&
           std::ranges::all_of(conv->kernel, [](std::int64_t k) { return k == 1; });
  return std::holds_alternative<Linear>(op);
}

bool is_squeeze(const Op& op) {
  const auto* pool = std::get_if<AdaptivePool>(&op);
  return pool != nullptr && pool->pooling == Pooling::average &&
         std::ranges::all_of(pool->extent, [](std::int64_t extent) { return extent == 1; });
}

// Walks from the gate back to the image, one operator after the other.
class Walk {
 public:
  Walk(const Model& model, const std::vector<std::vector<int>>& readers)
      : model_(model), readers_(readers) {}

  // Takes the layer at hand, and the free ones before it, when it is what is expected here.
  bool take(bool (*expected)(const Op&)) {
    while (at_ >= 0 && is_free(op()) && step()) {
    }
    return at_ >= 0 && expected(op()) && step();
  }
  void start(int layer) {
    at_ = layer;
    taken_.clear();
  }
  int at() const { return at_; }
  const std::vector<int>& taken() const { return taken_; }

 private:
  const Op& op() const { return model_.layers()[at_].op; }
  bool step() {
    const Layer& layer = model_.layers()[at_];
    const bool inner = layer.inputs.size() == 1 && readers_[at_].size() == 1;
    if (inner) taken_.push_back(at_);
    at_ = inner ? layer.inputs.front() : -1;
    return inner;
  }

  const Model& model_;
  const std::vector<std::vector<int>>& readers_;
  int at_ = -1;
  std::vector<int> taken_;
};

}  // namespace

std::vector<int> match_squeeze_excite(const Model& model, int multiply,
                                      const std::vector<std::vector<int>>& readers) {
  const std::vector<int>& operands = model.layers()[multiply].inputs;
  if (operands.size() != 2) return {};
  Walk walk(model, readers);
  for (const int side : {0, 1}) {
    walk.start(operands[side]);
    if (walk.take(is_gate) && walk.take(is_dense) && walk.take(is_activation) &&
        walk.take(is_dense) && walk.take(is_squeeze) && walk.at() == operands[1 - side]) {
      std::vector<int> layers = walk.taken();
      layers.push_back(multiply);
      std::ranges::sort(layers);
      return layers;
    }
  }
  return {};
}

}  // namespace ampere
