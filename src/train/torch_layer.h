// What the calls of one layer are made from. Seen by the sources that see torch.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

enum class TorchMode {
  training,   // batch norm uses the batch, dropout drops
  inference,  // batch norm uses its running statistics, dropout does nothing
};

// A tensor that a layer holds.
struct TorchWeight {
  at::Tensor value;
  int layer = 0;
  std::string name;  // within the layer
  bool learned = true;
};

using TorchValues = std::vector<at::Tensor>;  // of layers, the batch first
using TorchStep = std::function<at::Tensor(const TorchValues&)>;

// Where and for what a network is built.
struct TorchPlace {
  std::int64_t batch = 1;
  at::Device device = at::kCPU;
  TorchMode mode = TorchMode::training;
};

// One layer while its call is made: its shapes, and its weights, which are allocated on the device
// as they are asked for, with the sizes that the model gives them, unless another network of the
// same model shares its own.
class TorchLayer {
 public:
  // `read`: where the values that the layer reads are found.
  TorchLayer(const Model& model, int index, const TorchPlace& place, std::vector<int> read,
             std::vector<TorchWeight>& weights, const std::vector<TorchWeight>& shared);

  const TensorShape& input(std::size_t which = 0) const;
  const TensorShape& output() const { return layer_.output; }
  const std::vector<int>& inputs() const { return read_; }
  int from() const { return read_[0]; }
  std::int64_t batch() const { return place_.batch; }
  at::Device device() const { return place_.device; }
  bool training() const { return place_.mode == TorchMode::training; }
  bool shares() const { return !shared_.empty(); }  // its weights are another network's

  // The batch and then these axes.
  std::vector<std::int64_t> sizes(const std::vector<std::int64_t>& axes) const;
  // An axis of a sample as torch counts it.
  static std::int64_t dim(std::size_t axis) { return static_cast<std::int64_t>(axis) + 1; }
  std::int64_t channel_dim() const;  // of the output

  // A weight filled with one number, with 0, 1, 2 … below a limit and again, uniformly within
  // ±bound, or normally; undefined when the layer has none of this name.
  at::Tensor filled(const char* name, double value);
  at::Tensor counted(const char* name, std::int64_t below);
  at::Tensor uniform(const std::string& name, double bound);
  at::Tensor normal(const char* name, double deviation);

  struct Affine {
    at::Tensor weight;
    at::Tensor bias;  // undefined when there is none
  };
  // Of convolutions and linear layers: uniform within ±1/√(fan in), as PyTorch does by default.
  Affine affine(const char* matrix = "weight", const char* bias = "bias");
  Affine scale_and_shift();  // of normalisations

  [[noreturn]] void fail(const std::string& why) const;  // throws Error(failed) naming the layer

 private:
  template <class Fill>
  at::Tensor weight(const std::string& name, const Fill& fill);
  const WeightShape* shape_of(const std::string& name) const;

  const Model& model_;
  const Layer& layer_;
  int index_;
  TorchPlace place_;
  std::vector<int> read_;
  std::vector<WeightShape> shapes_;
  std::vector<TorchWeight>& weights_;
  const std::vector<TorchWeight>& shared_;
};

// The call that computes the layer. Everything that can be decided before training is decided here,
// so that an iteration is a row of plain calls. Empty for inputs.
TorchStep make_step(TorchLayer& layer, const Op& op);

}  // namespace ampere
